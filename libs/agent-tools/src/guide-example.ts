import type { InBoth } from '#site';

/** One request of the worked example: what it is for, the call, and what of the answer the next ones use. */
export interface Step {
  readonly title: InBoth;
  readonly tool: string;
  /** A text `$NAME` stands for what an earlier step keeps. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Name → where it stands in `structuredContent`, members joined by dots. */
  readonly keeps: Readonly<Record<string, string>>;
  /** What of `structuredContent` the traveller's agent looks at, with values as they may be. */
  readonly answer: object;
}

const WHO_FLIES = { givenName: 'Conceição', familyName: 'dos Santos' };
const CARD = { cardNumber: '4242 4242 4242 4242', expiry: '12/30', cvc: '123' };
const CEILING = 150_000;

const brl = (amount: number) => ({ amount, currency: 'BRL' });
const [RESERVA, MANDATO, PEDIDO, CANCELAMENTO] = [
  '0c5b7a4e-2f1d-4c0a-9d1e-5b6f7a8c9d10',
  '2f1c8e6a-9b3d-4f7e-8a2c-1d0e4b5f6a70',
  '4c8f1a52-7a0e-4b52-9f39-2a8f6f1d0c11',
  '7e2d9b30-5c41-4f86-9a17-8d3c6b2e1f05',
];
const FLIGHT = { flightNumber: 'AL4012', departureDate: '2026-12-03' };

/** A whole purchase and its way back, as any agent may repeat it: each request takes what it needs from the answers before. */
export const EXAMPLE: readonly Step[] = [
  {
    title: ['Buscar', 'Search'],
    tool: 'search_flights',
    args: { q: 'recife', limit: 1 },
    keeps: { VOO: 'items.0.flightNumber', DIA: 'items.0.departureDate' },
    answer: { items: [{ ...FLIGHT, fromCity: 'São Paulo', toCity: 'Recife', seats: 42 }] },
  },
  {
    title: ['Comparar tarifas sob um orçamento', 'Compare fares under a budget'],
    tool: 'quote_fares',
    args: { flightNumber: '$VOO', date: '$DIA', budget: CEILING, passengers: 1 },
    keeps: { TARIFA: 'options.0.fareCode' },
    answer: { options: [{ fareCode: 'LEVE', total: brl(45_990), fitsBudget: true, budgetDelta: brl(104_010) }] },
  },
  {
    title: [
      'Reservar o dia, em nome de quem voa, com token',
      'Book the day, in the name of whoever flies, with a token',
    ],
    tool: 'create_booking',
    args: { flightNumber: '$VOO', date: '$DIA', fareCode: '$TARIFA', passengers: 1, travellers: [WHO_FLIES] },
    keeps: { RESERVA: 'id' },
    answer: { id: RESERVA, ...FLIGHT, total: brl(45_990), expiresAt: '2026-12-01T12:30:00.000Z' },
  },
  {
    title: ['Criar o mandato', 'Create the mandate'],
    tool: 'create_mandate',
    args: { limit: { amount: CEILING, currency: 'BRL' }, durationMinutes: 60 },
    keeps: { MANDATO: 'id' },
    answer: { id: MANDATO, status: 'valid', limit: brl(CEILING), remaining: brl(CEILING) },
  },
  {
    title: ['Comprar', 'Buy'],
    tool: 'place_order',
    args: { bookingId: '$RESERVA', mandateId: '$MANDATO', payment: CARD },
    keeps: { PEDIDO: 'id' },
    answer: { id: PEDIDO, status: 'paid', grandTotal: brl(45_990), ticketCode: '9770001234560', locator: 'K7MPXR' },
  },
  {
    title: ['Consultar o recibo', 'Read the receipt'],
    tool: 'get_receipt',
    args: { orderId: '$PEDIDO' },
    keeps: {},
    answer: {
      receiptId: 'R-9770001234560',
      total: brl(45_990),
      payment: { brand: 'visa', last4: '4242', mandateId: MANDATO },
    },
  },
  {
    title: ['Se os planos mudam: ver quanto volta', 'If plans change: see how much comes back'],
    tool: 'quote_cancellation',
    args: { orderId: '$PEDIDO' },
    keeps: { CANCELAMENTO: 'id' },
    answer: { id: CANCELAMENTO, status: 'quoted', refund: brl(36_792), fee: brl(9_198) },
  },
  {
    title: ['E cancelar, se o viajante concordar', 'And cancel, if the traveller agrees'],
    tool: 'cancel_order',
    args: { orderId: '$PEDIDO', cancellationId: '$CANCELAMENTO' },
    keeps: {},
    answer: { id: CANCELAMENTO, orderId: PEDIDO, status: 'confirmed', refund: brl(36_792) },
  },
];
