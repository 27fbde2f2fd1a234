import { html, type Html } from '#site';
import type { Scope } from '#kernel';

/** A field of a call. A dot in its name stands for an object inside the body. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** An integer goes into a body as a number; a date may be left out. */
  readonly kind?: 'integer' | 'date';
  /** Values to choose from, each with its text. */
  readonly options?: readonly (readonly [string, string])[];
  /** The earlier call, and the place in its answer, that fill this in: `booking.id`. */
  readonly from?: string;
}

export interface Call {
  readonly name: string;
  readonly title: string;
  readonly method: 'GET' | 'POST';
  /** Below `{base_url}`; `{name}` stands for a field. */
  readonly path: string;
  /** The scopes it needs; none: it is public, and sent without a token. */
  readonly scopes: readonly Scope[];
  readonly fields: readonly Field[];
  readonly fixed?: Readonly<Record<string, string>>;
}

/** The test processor's cards (docs/decisions.md, Test processor). */
const CARDS = [
  ['4242424242424242', '4242… é aprovado'],
  ['4000000000000002', '4000…0002 é recusado'],
  ['4000000000009995', '4000…9995 não tem saldo'],
  ['4000000000003220', '4000…3220 pede a confirmação do viajante'],
  ['4000000000005126', '4000…5126 não aceita devolução'],
] as const;

const ORDER: Field = { name: 'orderId', label: 'Pedido', value: '', from: 'order.id' };

/** Days to come that a purchase is filled in with. */
export interface DaysToCome {
  /** A month in which a test card is still valid: `MM/YYYY`. */
  readonly cardExpiry: string;
  /** A day on which flights are on sale. */
  readonly departureDate: string;
}

/** A whole purchase and the way back, call by call (docs/interface.md, Endpoints). */
export const callsOfAPurchase = ({ cardExpiry, departureDate }: DaysToCome): readonly Call[] => [
  {
    name: 'flights',
    title: 'Buscar voos',
    method: 'GET',
    path: '/flights',
    scopes: [],
    fields: [
      { name: 'q', label: 'Destino', value: 'Recife' },
      { name: 'date', label: 'Data da partida', value: departureDate, kind: 'date' },
    ],
    fixed: { limit: '2' },
  },
  {
    name: 'fares',
    title: 'Cotar tarifas',
    method: 'GET',
    path: '/flights/{flightNumber}/fares',
    scopes: [],
    fields: [
      { name: 'flightNumber', label: 'Voo', value: '', from: 'flights.items.0.flightNumber' },
      { name: 'budget', label: 'Orçamento, em centavos', value: '120000', kind: 'integer' },
    ],
  },
  {
    name: 'booking',
    title: 'Criar reserva',
    method: 'POST',
    path: '/bookings',
    scopes: ['booking:write'],
    fields: [
      { name: 'flightNumber', label: 'Voo', value: '', from: 'flights.items.0.flightNumber' },
      { name: 'date', label: 'Data', value: '', kind: 'date', from: 'flights.items.0.departureDate' },
      { name: 'fareCode', label: 'Tarifa', value: '', from: 'flights.items.0.prices.0.code' },
      { name: 'passengers', label: 'Passageiros', value: '1', kind: 'integer' },
      { name: 'travellers.0.givenName', label: 'Nome de quem voa', value: 'Conceição' },
      { name: 'travellers.0.familyName', label: 'Sobrenome', value: 'dos Santos' },
    ],
  },
  {
    name: 'mandate',
    title: 'Criar mandato',
    method: 'POST',
    path: '/mandates',
    scopes: ['mandate:create'],
    fields: [
      // Of what the booking costs, so that a second order shows the mandate's refusal.
      {
        name: 'limit.amount',
        label: 'Teto, em centavos',
        value: '50000',
        kind: 'integer',
        from: 'booking.total.amount',
      },
      { name: 'durationMinutes', label: 'Validade, em minutos', value: '60', kind: 'integer' },
    ],
    fixed: { 'limit.currency': 'BRL' },
  },
  {
    name: 'order',
    title: 'Fazer o pedido',
    method: 'POST',
    path: '/orders',
    scopes: ['order:write', 'payment:execute'],
    fields: [
      { name: 'bookingId', label: 'Reserva', value: '', from: 'booking.id' },
      { name: 'mandateId', label: 'Mandato', value: '', from: 'mandate.id' },
      { name: 'payment.cardNumber', label: 'Cartão de teste', value: '', options: CARDS },
    ],
    fixed: { 'payment.expiry': cardExpiry, 'payment.cvc': '123' },
  },
  {
    name: 'receipt',
    title: 'Consultar o recibo',
    method: 'GET',
    path: '/orders/{orderId}/receipt',
    scopes: ['receipt:read'],
    fields: [ORDER],
  },
  {
    name: 'cancellation',
    title: 'Cotar o cancelamento',
    method: 'POST',
    path: '/orders/{orderId}/cancellations',
    scopes: ['order:write'],
    fields: [ORDER],
  },
  {
    name: 'cancelled',
    title: 'Cancelar como cotado',
    method: 'POST',
    path: '/orders/{orderId}/cancellations/{cancellationId}/confirm',
    scopes: ['order:write'],
    fields: [ORDER, { name: 'cancellationId', label: 'Cotação', value: '', from: 'cancellation.id' }],
  },
];

const control = (id: string, { name, value, options, kind, from }: Field): Html => {
  const source = from !== undefined && html`data-from="${from}"`;
  if (options) {
    return html`<select id="${id}" name="${name}">
      ${options.map(([option, text]) => html`<option value="${option}">${text}</option>`)}
    </select>`;
  }
  return html`<input
    id="${id}"
    name="${name}"
    value="${value}"
    type="${kind === 'integer' ? 'number' : (kind ?? 'text')}"
    autocomplete="off"
    spellcheck="false"
    ${kind !== 'date' && html`required`}
    ${source}
  />`;
};

const field = (call: string, one: Field): Html => {
  const id = `${call}-${one.name.replaceAll('.', '-')}`;
  return html`<div class="field"><label for="${id}">${one.label}</label>${control(id, one)}</div>`;
};

/** A call of the API to fill in and send. The script reads method and path from it, and the body's form from the fields' names. */
const callForm = ({ name, title, method, path, scopes, fields, fixed = {} }: Call): Html =>
  html`<form
    class="call"
    data-call="${name}"
    data-method="${method}"
    data-path="${path}"
    ${scopes.length > 0 && html`data-needs-token`}
  >
    <h3>${title}</h3>
    <p class="small"><code>${method} ${path}</code> · ${scopes.join(' e ') || 'sem token'}</p>
    <div class="fields">${fields.map((one) => field(name, one))}</div>
    ${Object.entries(fixed).map(([fixedName, value]) => html`<input type="hidden" name="${fixedName}" value="${value}" />`)}
    <button class="quiet" type="submit">${title}</button>
    <div data-shown></div>
  </form>`;

export const callForms = (days: DaysToCome): Html => html`${callsOfAPurchase(days).map(callForm)}`;
