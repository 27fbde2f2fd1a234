import type { Amount, AuditedEvent, Json } from '../audited-event.js';
import { NEWEST, type Version, VERSIONS } from '../version.js';
import { minutesIn } from './conditions.js';
import { hasOnly, isInstant, isObject } from './members.js';

/** A member of an event's data: `now` its event's time, `own` the stream's id (the first of two), `own.…` a part of it. */
export type Form =
  | 'text'
  | 'text or null'
  | 'integer'
  | 'boolean'
  | 'texts'
  | 'instant'
  | 'instant or null'
  | 'now'
  | 'own'
  | 'own.holder'
  | 'own.clientId'
  | 'amount'
  | 'amount or null'
  | 'grantor'
  | 'constraint'
  | 'constraints'
  | 'bounds'
  | 'line'
  | 'payment'
  | 'fares'
  | 'conditions'
  | 'ap2';

/** Members by name; one whose name ends in `?` may be absent. */
export type Members = Readonly<Record<string, Form>>;

/** The members of types of events, by the category of their stream. */
export type Forms = Readonly<Record<string, Readonly<Record<string, Members>>>>;

const party = { holder: 'text', clientId: 'text' } as const;
const choice = {
  'flightId?': 'text',
  flightNumber: 'text or null',
  'departureDate?': 'text',
  'departureAt?': 'instant',
  fareCode: 'text or null',
  passengers: 'integer',
  total: 'amount',
  'taxes?': 'amount',
  'conditions?': 'conditions',
  'expiresAt?': 'instant',
  'named?': 'boolean',
} as const;
const checkout = {
  ...party,
  mandateId: 'text',
  mandateSelection: 'text',
  line: 'line',
  total: 'amount',
  holdBefore: 'instant',
  'named?': 'boolean',
  'ap2?': 'ap2',
} as const;
const opening = { mandateId: 'text', limit: 'amount', expiresAt: 'instant' } as const;
const terms = { mandateId: 'own', ...party, scope: 'texts', limit: 'amount', minutes: 'integer' } as const;
const settling = { orderId: 'text', amount: 'amount', holdBefore: 'instant' } as const;
const replayed = { ...party, grantId: 'text' } as const;

/** The members of each type, by its stream's category: the table of docs/audit-format.md. */
export const EVENT_FORMS: Forms = {
  mandate: {
    MandateRequested: { ...terms, 'constraints?': 'constraints', requestedAt: 'instant', lapsesAt: 'instant' },
    MandateApproved: { limit: 'amount', minutes: 'integer', startsAt: 'now', expiresAt: 'instant' },
    MandateCreated: {
      ...terms,
      startsAt: 'instant',
      expiresAt: 'instant',
      grantedBy: 'grantor',
      'constraints?': 'constraints',
    },
    MandateReserved: { ...settling, bookingId: 'text', 'ap2?': 'boolean', reservedAt: 'now' },
    MandateConsumed: { orderId: 'text', amount: 'amount', consumedAt: 'now' },
    MandateRefunded: { orderId: 'text', amount: 'amount', departsAt: 'instant or null', refundedAt: 'now' },
    MandateReleased: { ...settling, releasedAt: 'now' },
    MandateChargeRefused: {
      orderId: 'text or null',
      reason: 'text',
      'constraint?': 'constraint',
      'allowed?': 'constraints',
      amount: 'amount',
      'ap2?': 'boolean',
      refusedAt: 'now',
      'bookingId?': 'text',
      'flightNumber?': 'text',
      'from?': 'text',
      'to?': 'text',
      'unitPrice?': 'amount',
    },
    MandateNarrowed: { limit: 'amount', expiresAt: 'instant', narrowedAt: 'now' },
    MandatePaused: { 'pause?': 'integer', pausedAt: 'now' },
    MandateResumed: { 'pause?': 'integer', resumedAt: 'now' },
    MandateRevoked: { revokedAt: 'now' },
    MandateExpired: { expiredAt: 'now' },
    MandateAbandoned: { mandateId: 'own', abandonedAt: 'now' },
  },
  delegation: {
    AgentAuthorized: {
      holder: 'own.holder',
      clientId: 'own.clientId',
      grantId: 'text',
      scopes: 'texts',
      'redirectHost?': 'text',
      authorizedAt: 'now',
    },
    SpendingCapSet: { cap: 'amount or null', ending: 'texts', setAt: 'now' },
    ApprovalModeSet: { asksFirst: 'boolean', setAt: 'now' },
    MandateOpened: { ...opening, openedAt: 'now' },
    OpenMandateNarrowed: { ...opening, narrowedAt: 'now' },
    AgentPaused: { pause: 'integer', pausedAt: 'now' },
    AgentResumed: { pause: 'integer', resumedAt: 'now' },
    AgentRevoked: { openMandates: 'texts', revokedAt: 'now' },
    MandateClosed: { mandateId: 'text', consumed: 'amount', closedAt: 'now' },
    MandateRefundCounted: {
      mandateId: 'text',
      orderId: 'text',
      amount: 'amount',
      departsAt: 'instant or null',
      countedAt: 'now',
    },
  },
  pause: {
    AgentsPauseStarted: { pause: 'integer', startedAt: 'now' },
    AgentsPaused: { pause: 'integer', pausedAt: 'now' },
    AgentsResumed: { pause: 'integer', resumedAt: 'now' },
  },
  booking: {
    BookingCreated: { bookingId: 'own', ...party, ...choice, createdAt: 'now' },
    BookingChanged: { ...choice, changedAt: 'now' },
    BookingCheckoutStarted: {
      ...checkout,
      orderId: 'text',
      bookingId: 'own',
      'runner?': 'text',
      'accepted?': 'amount',
      openedAt: 'now',
    },
    BookingCheckoutAbandoned: { orderId: 'text', abandonedAt: 'now' },
    BookingTicketed: { orderId: 'text', ticketCode: 'text', ticketedAt: 'now' },
  },
  order: {
    OrderPlaced: { ...checkout, orderId: 'own', bookingId: 'text', placedAt: 'now' },
    PaymentChallenged: {
      bookingId: 'text',
      brand: 'text',
      last4: 'text',
      expiresAt: 'instant',
      challengedAt: 'now',
      'decisionRecorded?': 'boolean',
    },
    PaymentApproved: { bookingId: 'text', approvedAt: 'now' },
    PaymentDeclined: { bookingId: 'text', declinedAt: 'now' },
    OrderPaid: { ticketCode: 'text', 'ticketCodes?': 'texts', payment: 'payment', paidAt: 'now' },
    OrderFailed: { failure: 'text', failedAt: 'now' },
    OrderCancellationStarted: {
      cancellationId: 'text',
      bookingId: 'text',
      reason: 'text',
      refund: 'amount',
      fee: 'amount',
      departsAt: 'instant or null',
      'runner?': 'text',
      startedAt: 'now',
    },
    OrderCancelled: {
      bookingId: 'text',
      refund: 'amount',
      refundId: 'text or null',
      refundedAt: 'instant',
      cancelledAt: 'now',
    },
    OrderRefundFailed: { bookingId: 'text', failedAt: 'now' },
  },
  flight: {
    FlightScheduled: {
      'flightId?': 'own',
      flightNumber: 'own',
      slug: 'text',
      from: 'text',
      fromCity: 'text or null',
      to: 'text',
      toCity: 'text',
      departureTime: 'text',
      departureDate: 'text or null',
      timeZone: 'text or null',
      durationMin: 'integer',
      seats: 'integer',
      currency: 'text',
      fares: 'fares',
    },
    FaresRepriced: { fares: 'fares' },
    SeatsHeld: { orderId: 'text', seats: 'integer', holdBefore: 'instant', heldAt: 'now' },
    SeatsReleased: { orderId: 'text', seats: 'integer', holdBefore: 'instant', releasedAt: 'now' },
    FlightCancelled: { reason: 'text', cancelledAt: 'now' },
  },
  timetable: {
    TimetableScheduled: {
      flightNumber: 'own',
      slug: 'text',
      from: 'text',
      fromCity: 'text or null',
      to: 'text',
      toCity: 'text',
      days: 'text',
      departureTime: 'text',
      timeZone: 'text',
      durationMin: 'integer',
      seats: 'integer',
      currency: 'text',
      fares: 'fares',
      firstDate: 'text',
    },
  },
  days: {
    DaysOpened: { first: 'text', last: 'text', openedAt: 'now' },
  },
  security: {
    CodeReplayed: { ...replayed, replayedAt: 'instant' },
    RefreshReused: { ...replayed, reusedAt: 'instant' },
    TokenRevoked: { ...replayed, kind: 'text', revokedAt: 'instant' },
    LoginThrottled: { holder: 'text or null', count: 'integer', throttledAt: 'instant' },
    SigningKeyRevoked: { kid: 'text', revokedAt: 'instant' },
    LogSucceeded: { origin: 'text', size: 'integer', root: 'text', successor: 'text', begunAt: 'instant' },
    CapRefused: { ...party, mandateId: 'text', limit: 'amount', cap: 'amount', used: 'amount', refusedAt: 'instant' },
  },
  audit: {
    AuditPageViewed: { auditor: 'text', page: 'text', subject: 'text or null', viewedAt: 'instant' },
  },
  ticket: {
    TicketBlockLeased: { leaseId: 'text', first: 'integer', last: 'integer', leasedAt: 'instant' },
  },
};

/** The members of what stands inside of an event. */
export const INNER_FORMS: Readonly<Record<'line' | 'payment' | 'fare' | 'constraints', Members>> = {
  line: {
    description: 'text',
    'flightId?': 'text',
    flightNumber: 'text',
    from: 'text',
    to: 'text',
    departureDate: 'text or null',
    departureTime: 'text',
    'departureAt?': 'instant',
    arrivalTime: 'text',
    arrivalDayOffset: 'integer',
    fareCode: 'text',
    fareName: 'text',
    baggage: 'text',
    passengers: 'integer',
    unitPrice: 'amount',
    subtotal: 'amount',
    'taxes?': 'amount',
    'conditions?': 'conditions',
  },
  payment: {
    id: 'text',
    processor: 'text',
    method: 'text',
    brand: 'text',
    last4: 'text',
    amount: 'amount',
    capturedAt: 'instant',
  },
  fare: {
    code: 'text',
    name: 'text',
    price: 'integer',
    'taxes?': 'integer',
    arrivalTime: 'text',
    arrivalDayOffset: 'integer',
    baggage: 'text',
    'conditions?': 'conditions',
  },
  constraints: {
    'from?': 'texts',
    'to?': 'texts',
    'maxPricePerSeat?': 'amount',
    'maxOrders?': 'integer',
    'orderTotal?': 'bounds',
  },
};

/** The bundle version that first knows a type or an optional member; others: the first. What is written is of `NEWEST`. */
export const KNOWN_FROM: Readonly<Record<string, Version>> = {
  PaymentApproved: 2,
  PaymentDeclined: 2,
  'PaymentChallenged.decisionRecorded': 2,
  'MandateChargeRefused.allowed': 2,
  'MandateChargeRefused.bookingId': 2,
  'MandateChargeRefused.flightNumber': 2,
  'MandateChargeRefused.from': 2,
  'MandateChargeRefused.to': 2,
  'MandateChargeRefused.unitPrice': 2,
  'BookingCreated.flightId': 3,
  'BookingChanged.flightId': 3,
  'FlightScheduled.flightId': 3,
  'line.flightId': 3,
  FlightCancelled: 4,
  'BookingCreated.taxes': 4,
  'BookingCreated.expiresAt': 4,
  'BookingCreated.named': 4,
  'BookingChanged.taxes': 4,
  'BookingCreated.conditions': 4,
  'BookingChanged.conditions': 4,
  'BookingChanged.expiresAt': 4,
  'BookingChanged.named': 4,
  'BookingCheckoutStarted.named': 4,
  'BookingCheckoutStarted.accepted': 4,
  'BookingCheckoutStarted.ap2': 4,
  'OrderPlaced.ap2': 4,
  'MandateReserved.ap2': 4,
  'MandateChargeRefused.ap2': 4,
  'OrderPlaced.named': 4,
  'line.taxes': 4,
  'line.conditions': 4,
  'fare.taxes': 4,
  'fare.conditions': 4,
  'OrderPaid.ticketCodes': 4,
  MandateRefunded: 4,
  MandateRefundCounted: 4,
  OrderCancellationStarted: 4,
  OrderCancelled: 4,
  OrderRefundFailed: 4,
  'BookingCreated.departureDate': 4,
  'BookingCreated.departureAt': 4,
  'BookingChanged.departureDate': 4,
  'BookingChanged.departureAt': 4,
  'line.departureAt': 4,
  'MandatePaused.pause': 4,
  'MandateResumed.pause': 4,
  AgentPaused: 4,
  AgentResumed: 4,
  AgentsPauseStarted: 4,
  AgentsPaused: 4,
  AgentsResumed: 4,
  TimetableScheduled: 4,
  DaysOpened: 4,
  'constraints.orderTotal': 4,
};

export const formsIn = (version: Version, forms: Forms, knownFrom: Readonly<Record<string, Version>>): Forms => {
  const isKnown = (name: string): boolean => (knownFrom[name] ?? 1) <= version;
  const membersOf = (type: string, members: Members): Members =>
    Object.fromEntries(Object.entries(members).filter(([name]) => isKnown(`${type}.${name.replace('?', '')}`)));
  return Object.fromEntries(
    Object.entries(forms).map(([category, types]) => {
      const known = Object.entries(types).filter(([type]) => isKnown(type));
      return [category, Object.fromEntries(known.map(([type, members]) => [type, membersOf(type, members)]))];
    }),
  );
};

const FORMS: ReadonlyMap<Version, Forms> = new Map(
  VERSIONS.map((version) => [version, formsIn(version, EVENT_FORMS, KNOWN_FROM)]),
);
const INNER: ReadonlyMap<Version, Forms> = new Map(
  VERSIONS.map((version) => [version, formsIn(version, { inner: INNER_FORMS }, KNOWN_FROM)]),
);

const membersIn = (version: Version, { stream, type }: AuditedEvent): Members | undefined => {
  const types = ownOf(FORMS.get(version) ?? {}, categoryIn(stream));
  return types && ownOf(types, type);
};

/** What a name stands for, and not what every object has by it. */
const ownOf = <Value>(of: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(of, name) ? of[name] : undefined;

/** The category of a stream; none without a hyphen. */
export const categoryIn = (stream: string): string => before('-', stream) ?? '';

/** What stands before the first such mark; null: there is none. */
const before = (mark: string, text: string): string | null =>
  text.includes(mark) ? text.slice(0, text.indexOf(mark)) : null;

/** Why an event is not of the form that its stream and type have in a version, as one sentence; null: it is. */
export const formFault = (event: AuditedEvent, version: Version = NEWEST): string | null => {
  const { stream, type, data } = event;
  const members = membersIn(version, event);
  if (!members) return `there is no event ${type} in ${stream}`;
  const wrong = wrongMember(data, members, stream, version);
  return wrong === null ? null : `${type}: ${wrong}`;
};

/** Which members of an event have to be its own time, and are another one. */
export const otherTimes = (event: AuditedEvent, version: Version = NEWEST): readonly string[] =>
  Object.entries(membersIn(version, event) ?? {}).flatMap(([name, form]) =>
    form === 'now' && event.data[name] !== event.metadata.occurredAt ? name : [],
  );

const wrongMember = (data: Json, members: Members, stream: string, version: Version): string | null => {
  let isNamed = false;
  for (const [known, form] of Object.entries(members)) {
    const name = known.replace('?', '');
    const value = data[name];
    if (value === undefined && known !== name) continue;
    const id = stream.slice(stream.indexOf('-') + 1);
    if (!isOf(isNamed && form === 'own' ? 'text' : form, value, id, version))
      return `${name} is not ${SAID[form] ?? form}`;
    isNamed ||= form === 'own';
  }
  return null;
};

const SAID: Readonly<Partial<Record<Form, string>>> = {
  own: 'what its stream is named after',
  'own.holder': 'what its stream is named after',
  'own.clientId': 'what its stream is named after',
  now: 'an instant',
  instant: 'an instant',
};

const isOf = (form: Form, value: unknown, id: string, version: Version): boolean => {
  switch (form) {
    case 'text':
      return typeof value === 'string';
    case 'text or null':
      return value === null || typeof value === 'string';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'texts':
      return Array.isArray(value) && value.every((one) => typeof one === 'string');
    case 'instant':
    case 'now':
      return typeof value === 'string' && isInstant(value);
    case 'instant or null':
      return value === null || (typeof value === 'string' && isInstant(value));
    case 'own':
      return value === id;
    case 'own.holder':
      return value === before('.', id);
    case 'own.clientId':
      return id.includes('.') && value === id.slice(id.indexOf('.') + 1);
    case 'amount':
      return isAmount(value);
    case 'amount or null':
      return value === null || isAmount(value);
    case 'grantor':
      return value === 'traveller' || value === 'agent';
    case 'constraint':
      return typeof value === 'string' && Object.hasOwn(constraintsIn(version), `${value}?`);
    case 'constraints':
      return isClosed(value, constraintsIn(version), version);
    case 'bounds':
      return isBounds(value);
    case 'line':
    case 'payment':
      return isInner(form, value, version);
    case 'conditions':
      return isConditions(value);
    case 'ap2':
      return isObject(value) && [value['checkout'], value['payment']].every(isRedeemed);
    case 'fares':
      return Array.isArray(value) && value.every((fare) => isInner('fare', fare, version));
  }
};

/** A closed mandate of AP2, as what is redeemed of it and what its receipt names. */
const isRedeemed = (value: unknown): boolean =>
  isObject(value) && typeof value['redemption'] === 'string' && typeof value['reference'] === 'string';

const constraintsIn = (version: Version): Members => INNER.get(version)?.['inner']?.['constraints'] ?? {};

const isBounds = (value: unknown): boolean =>
  isObject(value) &&
  (hasOnly(value, ['max']) || (hasOnly(value, ['min', 'max']) && isAmount(value['min']))) &&
  isAmount(value['max']);

const isInner = (type: keyof typeof INNER_FORMS, value: unknown, version: Version): boolean =>
  isObject(value) && wrongMember(value, INNER.get(version)?.['inner']?.[type] ?? {}, '', version) === null;

/** A restriction that a verifier does not know would be one that it does not ask for. */
const isClosed = (value: unknown, members: Members, version: Version): boolean =>
  isObject(value) &&
  Object.keys(value).every((name) => Object.hasOwn(members, `${name}?`)) &&
  wrongMember(value, members, '', version) === null;

/** A condition that a verifier does not know would be one that it does not ask for. */
const isConditions = (value: unknown): boolean =>
  isObject(value) &&
  hasOnly(value, ['cancellation', 'taxesRefundable', 'withdrawal']) &&
  typeof value['taxesRefundable'] === 'boolean' &&
  typeof value['withdrawal'] === 'boolean' &&
  Array.isArray(value['cancellation']) &&
  value['cancellation'].every(isRow);

const isRow = (row: unknown): boolean =>
  isObject(row) &&
  hasOnly(row, ['until', 'fee']) &&
  typeof row['until'] === 'string' &&
  minutesIn(row['until']) !== null &&
  (isAmount(row['fee']) || isPercent(row['fee']));

const isPercent = (fee: unknown): boolean => {
  if (!isObject(fee) || !hasOnly(fee, ['percent'])) return false;
  const percent = fee['percent'];
  return Number.isSafeInteger(percent) && Number(percent) >= 0 && Number(percent) <= 100;
};

export const isAmount = (value: unknown): value is Amount =>
  isObject(value) &&
  Object.keys(value).length === 2 &&
  Number.isSafeInteger(value['amount']) &&
  Number(value['amount']) >= 0 &&
  typeof value['currency'] === 'string' &&
  /^[A-Z]{3}$/.test(value['currency']);
