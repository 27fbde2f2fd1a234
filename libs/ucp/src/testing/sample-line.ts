/** What a session is of, where a test does not care. */
export const SAMPLE_LINE = {
  flightId: 'F',
  fareCode: 'LEVE',
  quantity: 1,
  title: 'F',
  price: 100,
  taxes: 0,
  currency: 'BRL',
} as const;
