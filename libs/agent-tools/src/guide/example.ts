/** One request of the worked example: what it is for, the call, and what of the answer the next ones use. */
export interface Step {
  readonly title: string;
  readonly tool: string;
  /** A text `$NAME` stands for what an earlier step keeps. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Name → where it stands in `structuredContent`, members joined by dots. */
  readonly keeps: Readonly<Record<string, string>>;
}

const CARD = { cardNumber: '4242 4242 4242 4242', expiry: '12/30', cvc: '123' };
const CEILING = 150_000;

/** A whole purchase, as any agent may repeat it: each request takes what it needs from the answers before. */
export const EXAMPLE: readonly Step[] = [
  {
    title: 'Buscar',
    tool: 'search_flights',
    args: { q: 'recife', limit: 1 },
    keeps: { VOO: 'items.0.flightNumber' },
  },
  {
    title: 'Comparar tarifas sob um orçamento',
    tool: 'quote_fares',
    args: { flightNumber: '$VOO', budget: CEILING, passengers: 1 },
    keeps: { TARIFA: 'options.0.fareCode' },
  },
  {
    title: 'Reservar, com token',
    tool: 'create_booking',
    args: { flightNumber: '$VOO', fareCode: '$TARIFA', passengers: 1 },
    keeps: { RESERVA: 'id' },
  },
  {
    title: 'Criar o mandato',
    tool: 'create_mandate',
    args: { limit: { amount: CEILING, currency: 'BRL' }, durationMinutes: 60 },
    keeps: { MANDATO: 'id' },
  },
  {
    title: 'Comprar',
    tool: 'place_order',
    args: { bookingId: '$RESERVA', mandateId: '$MANDATO', payment: CARD },
    keeps: { PEDIDO: 'id' },
  },
  { title: 'Ler o recibo', tool: 'get_receipt', args: { orderId: '$PEDIDO' }, keeps: {} },
];
