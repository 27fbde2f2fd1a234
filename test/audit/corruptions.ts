import type { Draft, DraftEvent } from './draft.js';

/** A change of sound books, and what an audit has to say of it. */
export interface Corruption {
  readonly name: string;
  readonly by: (draft: Draft) => void;
  /** The rule by which it is found; `nothing`: all rules hold, and only a checkpoint that was kept elsewhere shows it. */
  readonly found: string;
  /** How well it is hidden: bytes alone, hashes too (`rehashed`), or by the service's keys (where nothing is said). */
  readonly hidden?: 'edited' | 'rehashed';
}

type Data = Readonly<Record<string, unknown>>;

/** The money in a member of an event, which may be changed. */
const money = (data: Data, name: string) => data[name] as { amount: number; currency: string };
const isOf = (name: string, value: unknown) => (event: DraftEvent) => event.data[name] === value;
const inStream = (stream: string) => (event: DraftEvent) => event.stream === stream;
const paidOrder = (draft: Draft): string => String(draft.first('MandateConsumed').data['orderId']);
const failedOrder = (draft: Draft): string => String(draft.first('MandateReleased').data['orderId']);
const minute = (at: string, minutes: number): string => new Date(Date.parse(at) + minutes * 60_000).toISOString();

/** Puts a copy of the reservation of an order behind an event of its mandate, at the same time. */
const reserveAfter = (draft: Draft, after: DraftEvent, like: DraftEvent, orderId = like.data['orderId']): void => {
  const at = after.metadata.occurredAt;
  const { stream, metadata } = after;
  const data = { ...like.data, orderId, reservedAt: at, holdBefore: minute(at, 1) };
  draft.insert(after, like, { stream, data, metadata: { ...like.metadata, occurredAt: at, hash: metadata.hash } });
};

type Ways = Readonly<Record<string, Corruption['by']>>;
const foundBy = (found: string, ways: Ways): readonly Corruption[] =>
  Object.entries(ways).map(([name, by]) => ({ name, by, found }));
/** The same of ways that are hidden less well. */
const hidden = (how: NonNullable<Corruption['hidden']>, found: string, ways: Ways): readonly Corruption[] =>
  foundBy(found, ways).map((one) => ({ ...one, hidden: how }));

const edits: readonly Corruption[] = [
  ...hidden('edited', 'chain', {
    'an amount is edited': (draft) => (money(draft.first('MandateConsumed').data, 'amount').amount += 1),
    'a refusal is given another reason': (draft) =>
      (draft.first('MandateChargeRefused').data['reason'] = 'mandate_expired'),
    'somebody else is made to have acted': (draft) =>
      (draft.first('OrderPaid').metadata.actor = { holder: 'somebody', clientId: 'else' }),
    'a hash is edited': (draft) => (draft.first('SeatsHeld').metadata.hash = 'ab'.repeat(32)),
  }),
  ...hidden('edited', 'time', {
    'an event is dated before its predecessor': (draft) =>
      (draft.last('MandateRevoked').metadata.occurredAt = '2026-01-01T00:00:00.000Z'),
  }),
  ...hidden('edited', 'revision', {
    'an event is removed from the middle of a stream': (draft) => draft.remove(draft.first('MandateConsumed')),
    'two events of a stream are swapped': (draft) =>
      draft.swap(draft.first('SeatsHeld'), draft.all('SeatsHeld')[1] ?? draft.first('SeatsHeld')),
    'an event is inserted': (draft) => void draft.insert(draft.first('SeatsHeld'), draft.first('SeatsHeld')),
  }),
  ...hidden('edited', 'cut', {
    'the end of a stream is cut': (draft) =>
      draft.remove(draft.last('MandateChargeRefused', isOf('reason', 'mandate_revoked'))),
    'the tail of the log is cut': (draft) => draft.remove(...draft.events.slice(-3)),
    'a stream is removed': (draft) =>
      draft.remove(...draft.all(undefined, ({ stream }) => stream.startsWith('security-'))),
  }),
  ...hidden('rehashed', 'sealed', {
    'a stream is rewritten and rehashed': (draft) => (money(draft.first('CapRefused').data, 'used').amount += 1),
    'two events change their places in the log': (draft) =>
      draft.swap(draft.first('CapRefused'), draft.first('AgentAuthorized')),
  }),
];

const mandates: readonly Corruption[] = [
  ...foundBy('consumption', {
    'more is consumed than was reserved': (draft) =>
      (money(draft.first('MandateConsumed').data, 'amount').amount += 100),
    'a charge is doubled': (draft) => void draft.insert(draft.first('MandateConsumed'), draft.first('MandateConsumed')),
  }),
  ...foundBy('ceiling', {
    'the ceiling is lowered afterwards': (draft) => {
      const created = draft.first('MandateCreated');
      const opened = draft.first('MandateOpened', isOf('mandateId', created.data['mandateId']));
      for (const { data } of [created, opened]) money(data, 'limit').amount = 100_00;
    },
  }),
  ...foundBy('after-revocation', {
    'money is reserved after the revocation': (draft) =>
      reserveAfter(draft, draft.first('MandateRevoked'), draft.first('MandateReserved')),
  }),
  ...foundBy('after-expiry', {
    'money is reserved after the expiry': (draft) =>
      reserveAfter(draft, draft.first('MandateExpired'), draft.first('MandateReserved')),
  }),
  ...foundBy('while-paused', {
    'money is reserved during a pause': (draft) =>
      reserveAfter(draft, draft.first('MandatePaused'), draft.first('MandateReserved')),
  }),
  ...foundBy('while-pending', {
    'money is reserved before the traveller has answered': (draft) =>
      reserveAfter(draft, draft.first('MandateRequested'), draft.first('MandateReserved')),
  }),
  ...foundBy('fence', {
    'money is reserved again for an order that gave it back': (draft) =>
      reserveAfter(draft, draft.first('MandateReleased'), draft.first('MandateReserved'), failedOrder(draft)),
  }),
  ...foundBy('reservation', {
    'money is reserved twice for an order': (draft) =>
      reserveAfter(draft, draft.first('MandateReserved'), draft.first('MandateReserved')),
  }),
  ...foundBy('release', {
    'less is released than was reserved': (draft) => (money(draft.first('MandateReleased').data, 'amount').amount -= 1),
  }),
  ...foundBy('refusal', {
    'a refusal states another reason': (draft) =>
      (draft.first('MandateChargeRefused', isOf('reason', 'mandate_paused')).data['reason'] = 'mandate_revoked'),
    'a charge is refused with enough left': (draft) => {
      const refused = draft.first('MandateChargeRefused', isOf('reason', 'mandate_limit_exceeded'));
      money(refused.data, 'amount').amount = 1;
    },
    'a pause is removed over a refusal': (draft) => draft.remove(draft.first('MandatePaused')),
  }),
  ...foundBy('currency', {
    'money is reserved in another currency': (draft) =>
      (money(draft.first('MandateReserved').data, 'amount').currency = 'EUR'),
  }),
  ...foundBy('narrowing', {
    'a mandate is narrowed to more': (draft) => (money(draft.first('MandateNarrowed').data, 'limit').amount = 10 ** 9),
  }),
  ...foundBy('agent', {
    'another agent spends from a mandate': (draft) =>
      (draft.first('MandateReserved').metadata.actor = { holder: 'ana', clientId: 'other' }),
  }),
  ...foundBy('constraint', {
    'a mandate pays more orders than its constraint allows': (draft) => {
      const bounded = draft.first('MandateCreated', ({ data }) => data['constraints'] !== undefined);
      bounded.data['constraints'] = { maxOrders: 1, to: ['GIG'] };
    },
  }),
  ...foundBy('terms', {
    'a mandate is granted otherwise than it was approved': (draft) =>
      (money(draft.first('MandateApproved').data, 'limit').amount -= 1),
  }),
  ...foundBy('life', {
    'a mandate is paused twice': (draft) =>
      void draft.insert(draft.first('MandatePaused'), draft.first('MandatePaused')),
  }),
];

const delegations: readonly Corruption[] = [
  ...foundBy('cap', {
    'a mandate is opened above the cap': (draft) =>
      (money(draft.first('SpendingCapSet').data, 'cap').amount = 1_000_00),
  }),
  ...foundBy('opening', {
    'a mandate is created that was never opened': (draft) => draft.remove(draft.first('MandateOpened')),
  }),
  ...foundBy('authorization', {
    'an agent is never authorized': (draft) => draft.remove(draft.first('AgentAuthorized')),
  }),
  ...foundBy('closing', {
    'a mandate is closed with less than it consumed': (draft) => {
      const closed = draft.first('MandateClosed', ({ data }) => money(data, 'consumed').amount > 0);
      money(closed.data, 'consumed').amount -= 1;
    },
    'a revocation is removed': (draft) => {
      const revoked = draft.first('MandateRevoked');
      const later = draft.all('MandateChargeRefused', isOf('reason', 'mandate_revoked'));
      draft.remove(revoked, ...later.filter(inStream(revoked.stream)));
    },
  }),
];

const orders: readonly Corruption[] = [
  ...foundBy('checkout', {
    'a checkout is removed': (draft) => draft.remove(draft.first('BookingCheckoutStarted')),
    'money is reserved in another mandate': (draft) => {
      const reserved = draft.first('MandateReserved');
      const other = draft.first('MandateCreated', ({ stream }) => stream !== reserved.stream);
      const id = String(reserved.data['orderId']);
      const placed = draft.all(undefined, isOf('orderId', id)).filter(({ data }) => data['mandateId'] !== undefined);
      for (const { data } of placed) data['mandateId'] = other.data['mandateId'];
    },
  }),
  ...foundBy('amount', {
    'an order is placed for another amount': (draft) => (money(draft.first('OrderPlaced').data, 'total').amount += 1),
    'a seat is sold above its price': (draft) => {
      const line = draft.first('BookingCheckoutStarted').data['line'] as Data;
      money(line, 'unitPrice').amount -= 1;
    },
  }),
  ...foundBy('order', {
    'an order is paid and fails': (draft) => {
      const paid = draft.first('OrderPaid');
      const { metadata } = paid;
      const data = { failure: 'payment_declined', failedAt: metadata.occurredAt };
      draft.insert(paid, paid, { type: 'OrderFailed', data });
    },
  }),
  ...foundBy('ticket', {
    'the payment of an order is removed': (draft) => draft.remove(draft.first('OrderPaid')),
    'a ticket is used twice': (draft) => {
      const [one, other] = draft.all('OrderPaid');
      const ticketed = draft.first('BookingTicketed', isOf('ticketCode', other?.data['ticketCode']));
      for (const event of [other, ticketed]) if (event) event.data['ticketCode'] = one?.data['ticketCode'];
    },
    'a booking gets the ticket of another one': (draft) =>
      (draft.first('BookingTicketed').data['ticketCode'] = draft.last('OrderPaid').data['ticketCode']),
  }),
  ...foundBy('consumption', {
    'the consumption of an order is removed': (draft) => draft.remove(draft.first('MandateConsumed')),
  }),
  ...foundBy('seats', {
    'a flight sells more seats than it has': (draft) =>
      (draft.first('FlightScheduled', isOf('flightNumber', 'AL5000')).data['seats'] = 5),
    'a failed order keeps its seats': (draft) => draft.remove(draft.first('SeatsReleased')),
  }),
  ...foundBy('booking', {
    'a booking is sold twice': (draft) => {
      const ticketed = draft.first('BookingTicketed');
      const started = draft.first('BookingCheckoutStarted', inStream(ticketed.stream));
      draft.insert(ticketed, started, { metadata: { ...ticketed.metadata } });
    },
    'a booking is changed after it was sold': (draft) => {
      const ticketed = draft.first('BookingTicketed');
      const created = draft.first('BookingCreated', inStream(ticketed.stream));
      const data = { ...created.data, changedAt: ticketed.metadata.occurredAt };
      draft.insert(ticketed, created, { type: 'BookingChanged', data, metadata: { ...ticketed.metadata } });
    },
  }),
  ...foundBy('form', {
    'an event is of no form': (draft) => (draft.first('MandateReserved').data['amount'] = '12.00'),
  }),
];

const ledgers: readonly Corruption[] = [
  ...foundBy('ledger', {
    'a ledger row is missing': (draft) => draft.ledger.delete(paidOrder(draft)),
    'a paid order was never captured': (draft) => draft.ledger.set(paidOrder(draft), { status: 'closed' }),
    'the ledger has captured money of an order that nobody placed': (draft) =>
      draft.ledger.set('nobody', { ...draft.ledger.get(paidOrder(draft)) }),
    'the ledger has another payment of an order': (draft) =>
      draft.ledger.set(paidOrder(draft), { ...draft.ledger.get(paidOrder(draft)), id: 'another' }),
  }),
  ...foundBy('amount', {
    'a ledger row is of another amount': (draft) =>
      (money(draft.ledger.get(paidOrder(draft)) ?? {}, 'amount').amount += 1),
  }),
  ...foundBy('captured', {
    'a captured order has failed': (draft) =>
      draft.ledger.set(failedOrder(draft), { ...draft.ledger.get(paidOrder(draft)) }),
  }),
];

/** What leaves every rule in force: whoever did it has sealed the log anew. */
const unseen: readonly Corruption[] = [
  ...foundBy('nothing', {
    'the tail of the log is cut, and sealed anew': (draft) => draft.remove(...draft.events.slice(-1)),
    'a stream is removed, and the log sealed anew': (draft) =>
      draft.remove(...draft.all(undefined, ({ stream }) => stream.startsWith('security-'))),
    'a refusal is omitted, and the log sealed anew': (draft) => draft.remove(draft.first('MandateChargeRefused')),
    'a stream is rewritten and rehashed, and the log sealed anew': (draft) =>
      (money(draft.first('CapRefused').data, 'used').amount += 1),
    'two events change their places, and the log is sealed anew': (draft) =>
      draft.swap(draft.first('CapRefused'), draft.first('AgentAuthorized')),
    'another agent is made to have refused, and the log sealed anew': (draft) =>
      (draft.first('MandateChargeRefused').metadata.actor = { holder: 'ana', clientId: 'other' }),
  }),
];

export const CORRUPTIONS: readonly Corruption[] = [
  ...edits,
  ...mandates,
  ...delegations,
  ...orders,
  ...ledgers,
  ...unseen,
];
