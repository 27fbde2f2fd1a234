import type { Amount, Json } from '#verifier';

/** One line of a story: an event, or a row of the payment ledger. */
export interface StoryLine {
  /** RFC 3339 UTC. */
  readonly at: string;
  /** The stream; of a row of the ledger `ledger-<order id>`. */
  readonly stream: string;
  /** null: a row of the ledger. */
  readonly revision: number | null;
  readonly what: string;
  /** Who acted: an agent's id, `traveller`, `service` or `processor`. */
  readonly by: string;
  readonly amount: Amount | null;
  /** The one thing beside it that matters, such as a ticket code or why it was refused; empty: nothing. */
  readonly detail: string;
}

const textIn = (data: Json, name: string): string => {
  const value = data[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** A member that is an amount; null where it is none. */
export const amountIn = (data: Json, name: string): Amount | null => {
  const value = data[name];
  if (!isObject(value)) return null;
  const { amount, currency } = value;
  return typeof amount === 'number' && typeof currency === 'string' ? { amount, currency } : null;
};

export const isSameAmount = (one: Amount | null, other: Amount | null): boolean =>
  one !== null && other !== null && one.amount === other.amount && one.currency === other.currency;

/** An id, short enough for a table and long enough to be found again. */
export const short = (id: string): string => id.slice(0, 8);

const orderIn = (data: Json): string => {
  const id = textIn(data, 'orderId');
  return id && `order ${short(id)}`;
};

const listed = (data: Json, name: string, one: string): string => {
  const value = data[name];
  const length = Array.isArray(value) ? value.length : 0;
  return `${length} ${one}${length === 1 ? '' : 's'}`;
};

const minuteIn = (data: Json, name: string): string => textIn(data, name).slice(0, 16).replace('T', ' ');

type Wording = (data: Json) => readonly [what: string, amount?: Amount | null, detail?: string];

const choice = (data: Json): string =>
  [textIn(data, 'flightNumber'), textIn(data, 'fareCode'), `× ${textIn(data, 'passengers')}`].join(' ').trim();

const paymentIn = (data: Json): Json => (isObject(data['payment']) ? data['payment'] : {});

const withAll = (data: Json): string => (data['pause'] === undefined ? '' : 'with all agents');

/** What each event is called. One that is not here has its own name. */
const WORDINGS: Readonly<Record<string, Wording>> = {
  BookingCreated: (data) => ['created', amountIn(data, 'total'), choice(data)],
  BookingChanged: (data) => ['changed', amountIn(data, 'total'), choice(data)],
  BookingCheckoutStarted: (data) => ['checkout started', amountIn(data, 'total'), orderIn(data)],
  BookingCheckoutAbandoned: (data) => ['checkout given up', null, orderIn(data)],
  BookingTicketed: (data) => ['ticketed', null, `ticket ${textIn(data, 'ticketCode')}`],
  SeatsHeld: (data) => ['seats held', null, `${textIn(data, 'seats')} for ${orderIn(data)}`],
  SeatsReleased: (data) => ['seats released', null, `${textIn(data, 'seats')} of ${orderIn(data)}`],
  FlightCancelled: (data) => ['flight cancelled', null, textIn(data, 'reason')],
  OrderPlaced: (data) => ['placed', amountIn(data, 'total'), `mandate ${short(textIn(data, 'mandateId'))}`],
  PaymentChallenged: (data) => ['traveller asked', null, `until ${minuteIn(data, 'expiresAt')}`],
  PaymentApproved: () => ['traveller approved'],
  PaymentDeclined: () => ['traveller declined'],
  OrderPaid: (data) => ['paid', amountIn(paymentIn(data), 'amount'), `ticket ${textIn(data, 'ticketCode')}`],
  OrderCancellationStarted: (data) => ['cancellation begun', amountIn(data, 'refund'), textIn(data, 'reason')],
  OrderCancelled: (data) => ['cancelled', amountIn(data, 'refund')],
  OrderRefundFailed: () => ['refund failed'],
  OrderFailed: (data) => ['failed', null, textIn(data, 'failure')],
  MandateRequested: (data) => ['asked for', amountIn(data, 'limit'), `lapses ${minuteIn(data, 'lapsesAt')}`],
  MandateApproved: (data) => ['approved', amountIn(data, 'limit'), `until ${minuteIn(data, 'expiresAt')}`],
  MandateCreated: (data) => ['created', amountIn(data, 'limit'), `until ${minuteIn(data, 'expiresAt')}`],
  MandateReserved: (data) => ['reserved', amountIn(data, 'amount'), orderIn(data)],
  MandateConsumed: (data) => ['consumed', amountIn(data, 'amount'), orderIn(data)],
  MandateRefunded: (data) => ['refunded', amountIn(data, 'amount'), orderIn(data)],
  MandateReleased: (data) => ['released', amountIn(data, 'amount'), orderIn(data)],
  MandateChargeRefused: (data) => ['charge refused', amountIn(data, 'amount'), refusalLine(data)],
  MandateNarrowed: (data) => ['narrowed', amountIn(data, 'limit'), `until ${minuteIn(data, 'expiresAt')}`],
  MandatePaused: (data) => ['paused', null, withAll(data)],
  MandateResumed: (data) => ['resumed', null, withAll(data)],
  MandateRevoked: () => ['revoked'],
  MandateExpired: () => ['expired'],
  MandateAbandoned: () => ['given up'],
  AgentAuthorized: (data) => ['agent let in', null, listed(data, 'scopes', 'scope')],
  SpendingCapSet: (data) => [data['cap'] === null ? 'cap taken away' : 'cap set', amountIn(data, 'cap')],
  ApprovalModeSet: (data) => ['approval', null, data['asksFirst'] === true ? 'asks each time' : 'opens by itself'],
  MandateOpened: (data) => ['mandate opened', amountIn(data, 'limit'), `mandate ${short(textIn(data, 'mandateId'))}`],
  OpenMandateNarrowed: (data) => [
    'mandate narrowed',
    amountIn(data, 'limit'),
    `mandate ${short(textIn(data, 'mandateId'))}`,
  ],
  MandateClosed: (data) => [
    'mandate closed',
    amountIn(data, 'consumed'),
    `mandate ${short(textIn(data, 'mandateId'))}`,
  ],
  MandateRefundCounted: (data) => ['refund counted', amountIn(data, 'amount'), orderIn(data)],
  AgentPaused: () => ['agent paused', null, 'with all'],
  AgentResumed: () => ['agent resumed', null, 'with all'],
  AgentsPauseStarted: () => ['pausing all agents'],
  AgentsPaused: () => ['all agents paused'],
  AgentsResumed: () => ['all agents resumed'],
  AgentRevoked: (data) => ['agent revoked', null, listed(data, 'openMandates', 'mandate')],
  CodeReplayed: (data) => ['code replayed', null, `grant ${short(textIn(data, 'grantId'))}`],
  RefreshReused: (data) => ['token reused', null, `grant ${short(textIn(data, 'grantId'))}`],
  TokenRevoked: (data) => ['token revoked', null, `grant ${short(textIn(data, 'grantId'))}`],
  LoginThrottled: (data) => ['logins slowed', null, `${textIn(data, 'count')} failures`],
  CapRefused: (data) => ['cap refused', amountIn(data, 'limit'), `mandate ${short(textIn(data, 'mandateId'))}`],
};

/** What a line is made of: an event as it is read, whatever it is. */
export interface StoryEvent {
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly data: Json;
  readonly metadata: {
    readonly occurredAt: string;
    readonly actor: { readonly holder: string | null; readonly clientId: string | null };
  };
}

export const byOf = ({ actor }: StoryEvent['metadata']): string =>
  actor.clientId ?? (actor.holder === null ? 'service' : 'traveller');

export const storyLine = ({ stream, revision, type, data, metadata }: StoryEvent): StoryLine => {
  const [what, amount = null, detail = ''] = WORDINGS[type]?.(data) ?? [type];
  return { at: metadata.occurredAt, stream, revision, what, by: byOf(metadata), amount, detail };
};

/** Why a mandate refused a charge, and where the event says so, of which flight and what it allows. */
export const refusalLine = (data: Json): string => {
  const { reason, flightNumber, from, to, unitPrice, allowed } = data;
  const flight = flightNumber === undefined ? [] : [`${text(from)} → ${text(to)} (${text(flightNumber)})`];
  const allows = allowedText(allowed, unitPrice);
  return [text(reason), ...flight, ...(allows === null ? [] : [`the mandate allows ${allows}`])].join('; ');
};

const allowedText = (allowed: unknown, unitPrice: unknown): string | null => {
  if (typeof allowed !== 'object' || allowed === null) return null;
  const { from, to, maxPricePerSeat, maxOrders, orderTotal }: Partial<Record<string, unknown>> = { ...allowed };
  if (from !== undefined) return `flights from ${anyOf(from)} alone`;
  if (to !== undefined) return `flights to ${anyOf(to)} alone`;
  if (maxPricePerSeat !== undefined) return `${cents(maxPricePerSeat)} a seat, and it costs ${cents(unitPrice)}`;
  if (maxOrders !== undefined) return `${text(maxOrders)} orders`;
  return orderTotal === undefined ? null : `orders of ${boundsText(orderTotal)}`;
};

const boundsText = (bounds: unknown): string => {
  const { min, max }: Partial<Record<string, unknown>> = { ...(bounds as object | null) };
  return min === undefined ? `${cents(max)} at most` : `${cents(min)} to ${cents(max)}`;
};

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : 'something unknown';
const anyOf = (value: unknown): string => (Array.isArray(value) ? value.map(text).join(' or ') : text(value));

/** `329.90 BRL` */
const cents = (value: unknown): string => {
  const { amount, currency } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Amount>;
  return typeof amount === 'number' ? `${(amount / 100).toFixed(2)} ${text(currency)}` : text(undefined);
};
