import type { Draft, DraftEvent } from './draft.js';

/** A change of sound books, and what an audit has to say of it. */
export interface Corruption {
  readonly name: string;
  readonly by: (draft: Draft) => void;
  /** The rule by which it is found; `nothing`: all rules hold, and only a checkpoint that was kept elsewhere shows it. */
  readonly found: string;
  /**
   * How well it is hidden. `edited`: the bytes alone were changed. `rehashed`: the streams were hashed anew, and the service's
   * signed head stayed. `sealed anew` (where nothing is said): whoever did it has the service's keys as well.
   */
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

const edits: readonly Corruption[] = [
  {
    name: 'an amount is edited',
    by: (draft) => (money(draft.first('MandateConsumed').data, 'amount').amount += 1),
    found: 'chain',
    hidden: 'edited',
  },
  {
    name: 'a refusal is given another reason',
    by: (draft) => (draft.first('MandateChargeRefused').data['reason'] = 'mandate_expired'),
    found: 'chain',
    hidden: 'edited',
  },
  {
    name: 'somebody else is made to have acted',
    by: (draft) => (draft.first('OrderPaid').metadata.actor = { holder: 'somebody', clientId: 'else' }),
    found: 'chain',
    hidden: 'edited',
  },
  {
    name: 'a hash is edited',
    by: (draft) => (draft.first('SeatsHeld').metadata.hash = 'ab'.repeat(32)),
    found: 'chain',
    hidden: 'edited',
  },
  {
    name: 'an event is dated before its predecessor',
    by: (draft) => (draft.last('MandateRevoked').metadata.occurredAt = '2026-01-01T00:00:00.000Z'),
    found: 'time',
    hidden: 'edited',
  },
  {
    name: 'an event is removed from the middle of a stream',
    by: (draft) => draft.remove(draft.first('MandateConsumed')),
    found: 'revision',
    hidden: 'edited',
  },
  {
    name: 'two events of a stream are swapped',
    by: (draft) => draft.swap(draft.first('SeatsHeld'), draft.all('SeatsHeld')[1] ?? draft.first('SeatsHeld')),
    found: 'revision',
    hidden: 'edited',
  },
  {
    name: 'an event is inserted',
    by: (draft) => void draft.insert(draft.first('SeatsHeld'), draft.first('SeatsHeld')),
    found: 'revision',
    hidden: 'edited',
  },
  {
    name: 'the end of a stream is cut',
    by: (draft) => draft.remove(draft.last('MandateChargeRefused', isOf('reason', 'mandate_revoked'))),
    found: 'cut',
    hidden: 'edited',
  },
  {
    name: 'the tail of the log is cut',
    by: (draft) => draft.remove(...draft.events.slice(-3)),
    found: 'cut',
    hidden: 'edited',
  },
  {
    name: 'a stream is removed',
    by: (draft) => draft.remove(...draft.all(undefined, ({ stream }) => stream.startsWith('security-'))),
    found: 'cut',
    hidden: 'edited',
  },
  {
    name: 'a stream is rewritten and rehashed',
    by: (draft) => (money(draft.first('CapRefused').data, 'used').amount += 1),
    found: 'sealed',
    hidden: 'rehashed',
  },
  {
    name: 'two events change their places in the log',
    by: (draft) => draft.swap(draft.first('CapRefused'), draft.first('AgentAuthorized')),
    found: 'sealed',
    hidden: 'rehashed',
  },
];

const mandates: readonly Corruption[] = [
  {
    name: 'more is consumed than was reserved',
    by: (draft) => (money(draft.first('MandateConsumed').data, 'amount').amount += 100),
    found: 'consumption',
  },
  {
    name: 'a charge is doubled',
    by: (draft) => void draft.insert(draft.first('MandateConsumed'), draft.first('MandateConsumed')),
    found: 'consumption',
  },
  {
    name: 'the ceiling is lowered afterwards',
    by: (draft) => {
      const created = draft.first('MandateCreated');
      const opened = draft.first('MandateOpened', isOf('mandateId', created.data['mandateId']));
      for (const { data } of [created, opened]) money(data, 'limit').amount = 100_00;
    },
    found: 'ceiling',
  },
  {
    name: 'money is reserved after the revocation',
    by: (draft) => reserveAfter(draft, draft.first('MandateRevoked'), draft.first('MandateReserved')),
    found: 'after-revocation',
  },
  {
    name: 'money is reserved after the expiry',
    by: (draft) => reserveAfter(draft, draft.first('MandateExpired'), draft.first('MandateReserved')),
    found: 'after-expiry',
  },
  {
    name: 'money is reserved during a pause',
    by: (draft) => reserveAfter(draft, draft.first('MandatePaused'), draft.first('MandateReserved')),
    found: 'while-paused',
  },
  {
    name: 'money is reserved before the traveller has answered',
    by: (draft) => reserveAfter(draft, draft.first('MandateRequested'), draft.first('MandateReserved')),
    found: 'while-pending',
  },
  {
    name: 'money is reserved again for an order that gave it back',
    by: (draft) =>
      reserveAfter(draft, draft.first('MandateReleased'), draft.first('MandateReserved'), failedOrder(draft)),
    found: 'fence',
  },
  {
    name: 'money is reserved twice for an order',
    by: (draft) => reserveAfter(draft, draft.first('MandateReserved'), draft.first('MandateReserved')),
    found: 'reservation',
  },
  {
    name: 'less is released than was reserved',
    by: (draft) => (money(draft.first('MandateReleased').data, 'amount').amount -= 1),
    found: 'release',
  },
  {
    name: 'a refusal states another reason',
    by: (draft) =>
      (draft.first('MandateChargeRefused', isOf('reason', 'mandate_paused')).data['reason'] = 'mandate_revoked'),
    found: 'refusal',
  },
  {
    name: 'a charge is refused with enough left',
    by: (draft) => {
      const refused = draft.first('MandateChargeRefused', isOf('reason', 'mandate_limit_exceeded'));
      money(refused.data, 'amount').amount = 1;
    },
    found: 'refusal',
  },
  {
    name: 'a pause is removed over a refusal',
    by: (draft) => draft.remove(draft.first('MandatePaused')),
    found: 'refusal',
  },
  {
    name: 'money is reserved in another currency',
    by: (draft) => (money(draft.first('MandateReserved').data, 'amount').currency = 'EUR'),
    found: 'currency',
  },
  {
    name: 'a mandate is narrowed to more',
    by: (draft) => (money(draft.first('MandateNarrowed').data, 'limit').amount = 10 ** 9),
    found: 'narrowing',
  },
  {
    name: 'another agent spends from a mandate',
    by: (draft) => (draft.first('MandateReserved').metadata.actor = { holder: 'ana', clientId: 'other' }),
    found: 'agent',
  },
  {
    name: 'a mandate pays more orders than its constraint allows',
    by: (draft) => {
      const bounded = draft.first('MandateCreated', ({ data }) => data['constraints'] !== undefined);
      bounded.data['constraints'] = { maxOrders: 1, to: ['GIG'] };
    },
    found: 'constraint',
  },
  {
    name: 'a mandate is granted otherwise than it was approved',
    by: (draft) => (money(draft.first('MandateApproved').data, 'limit').amount -= 1),
    found: 'terms',
  },
  {
    name: 'a mandate is paused twice',
    by: (draft) => void draft.insert(draft.first('MandatePaused'), draft.first('MandatePaused')),
    found: 'life',
  },
];

const delegations: readonly Corruption[] = [
  {
    name: 'a mandate is opened above the cap',
    by: (draft) => (money(draft.first('SpendingCapSet').data, 'cap').amount = 1_000_00),
    found: 'cap',
  },
  {
    name: 'a mandate is created that was never opened',
    by: (draft) => draft.remove(draft.first('MandateOpened')),
    found: 'opening',
  },
  {
    name: 'an agent is never authorized',
    by: (draft) => draft.remove(draft.first('AgentAuthorized')),
    found: 'authorization',
  },
  {
    name: 'a mandate is closed with less than it consumed',
    by: (draft) => {
      const closed = draft.first('MandateClosed', ({ data }) => money(data, 'consumed').amount > 0);
      money(closed.data, 'consumed').amount -= 1;
    },
    found: 'closing',
  },
  {
    name: 'a revocation is removed',
    by: (draft) => {
      const revoked = draft.first('MandateRevoked');
      const later = draft.all('MandateChargeRefused', isOf('reason', 'mandate_revoked'));
      draft.remove(revoked, ...later.filter(inStream(revoked.stream)));
    },
    found: 'closing',
  },
];

const orders: readonly Corruption[] = [
  {
    name: 'a checkout is removed',
    by: (draft) => draft.remove(draft.first('BookingCheckoutStarted')),
    found: 'checkout',
  },
  {
    name: 'money is reserved in another mandate',
    by: (draft) => {
      const reserved = draft.first('MandateReserved');
      const other = draft.first('MandateCreated', ({ stream }) => stream !== reserved.stream);
      const id = String(reserved.data['orderId']);
      const placed = draft.all(undefined, isOf('orderId', id)).filter(({ data }) => data['mandateId'] !== undefined);
      for (const { data } of placed) data['mandateId'] = other.data['mandateId'];
    },
    found: 'checkout',
  },
  {
    name: 'an order is placed for another amount',
    by: (draft) => (money(draft.first('OrderPlaced').data, 'total').amount += 1),
    found: 'amount',
  },
  {
    name: 'a seat is sold above its price',
    by: (draft) => {
      const line = draft.first('BookingCheckoutStarted').data['line'] as Data;
      money(line, 'unitPrice').amount -= 1;
    },
    found: 'amount',
  },
  {
    name: 'an order is paid and fails',
    by: (draft) => {
      const paid = draft.first('OrderPaid');
      const { metadata } = paid;
      const data = { failure: 'payment_declined', failedAt: metadata.occurredAt };
      draft.insert(paid, paid, { type: 'OrderFailed', data });
    },
    found: 'order',
  },
  {
    name: 'the payment of an order is removed',
    by: (draft) => draft.remove(draft.first('OrderPaid')),
    found: 'ticket',
  },
  {
    name: 'the consumption of an order is removed',
    by: (draft) => draft.remove(draft.first('MandateConsumed')),
    found: 'consumption',
  },
  {
    name: 'a ticket is used twice',
    by: (draft) => {
      const [one, other] = draft.all('OrderPaid');
      const ticketed = draft.first('BookingTicketed', isOf('ticketCode', other?.data['ticketCode']));
      for (const event of [other, ticketed]) if (event) event.data['ticketCode'] = one?.data['ticketCode'];
    },
    found: 'ticket',
  },
  {
    name: 'a booking gets the ticket of another one',
    by: (draft) => (draft.first('BookingTicketed').data['ticketCode'] = draft.last('OrderPaid').data['ticketCode']),
    found: 'ticket',
  },
  {
    name: 'a flight sells more seats than it has',
    by: (draft) => (draft.first('FlightScheduled', isOf('flightNumber', 'AL5000')).data['seats'] = 5),
    found: 'seats',
  },
  {
    name: 'a failed order keeps its seats',
    by: (draft) => draft.remove(draft.first('SeatsReleased')),
    found: 'seats',
  },
  {
    name: 'a booking is sold twice',
    by: (draft) => {
      const ticketed = draft.first('BookingTicketed');
      const started = draft.first('BookingCheckoutStarted', inStream(ticketed.stream));
      draft.insert(ticketed, started, { metadata: { ...ticketed.metadata } });
    },
    found: 'booking',
  },
  {
    name: 'a booking is changed after it was sold',
    by: (draft) => {
      const ticketed = draft.first('BookingTicketed');
      const created = draft.first('BookingCreated', inStream(ticketed.stream));
      const data = { ...created.data, changedAt: ticketed.metadata.occurredAt };
      draft.insert(ticketed, created, { type: 'BookingChanged', data, metadata: { ...ticketed.metadata } });
    },
    found: 'booking',
  },
  {
    name: 'an event is of no form',
    by: (draft) => (draft.first('MandateReserved').data['amount'] = '12.00'),
    found: 'form',
  },
];

const ledgers: readonly Corruption[] = [
  { name: 'a ledger row is missing', by: (draft) => draft.ledger.delete(paidOrder(draft)), found: 'ledger' },
  {
    name: 'a ledger row is of another amount',
    by: (draft) => (money(draft.ledger.get(paidOrder(draft)) ?? {}, 'amount').amount += 1),
    found: 'amount',
  },
  {
    name: 'a captured order has failed',
    by: (draft) => draft.ledger.set(failedOrder(draft), { ...draft.ledger.get(paidOrder(draft)) }),
    found: 'captured',
  },
  {
    name: 'a paid order was never captured',
    by: (draft) => draft.ledger.set(paidOrder(draft), { status: 'closed' }),
    found: 'ledger',
  },
  {
    name: 'the ledger has captured money of an order that nobody placed',
    by: (draft) => draft.ledger.set('nobody', { ...draft.ledger.get(paidOrder(draft)) }),
    found: 'ledger',
  },
  {
    name: 'the ledger has another payment of an order',
    by: (draft) => draft.ledger.set(paidOrder(draft), { ...draft.ledger.get(paidOrder(draft)), id: 'another' }),
    found: 'ledger',
  },
];

/** What leaves every rule in force: whoever did it has sealed the log anew. */
const unseen: readonly Corruption[] = [
  {
    name: 'the tail of the log is cut, and sealed anew',
    by: (draft: Draft) => draft.remove(...draft.events.slice(-1)),
  },
  {
    name: 'a stream is removed, and the log sealed anew',
    by: (draft: Draft) => draft.remove(...draft.all(undefined, ({ stream }) => stream.startsWith('security-'))),
  },
  {
    name: 'a refusal is omitted, and the log sealed anew',
    by: (draft: Draft) => draft.remove(draft.first('MandateChargeRefused')),
  },
  {
    name: 'a stream is rewritten and rehashed, and the log sealed anew',
    by: (draft: Draft) => (money(draft.first('CapRefused').data, 'used').amount += 1),
  },
  {
    name: 'two events change their places, and the log is sealed anew',
    by: (draft: Draft) => draft.swap(draft.first('CapRefused'), draft.first('AgentAuthorized')),
  },
  {
    name: 'another agent is made to have refused, and the log sealed anew',
    by: (draft: Draft) => (draft.first('MandateChargeRefused').metadata.actor = { holder: 'ana', clientId: 'other' }),
  },
].map(({ name, by }) => ({ name, by, found: 'nothing' }));

export const CORRUPTIONS: readonly Corruption[] = [
  ...edits,
  ...mandates,
  ...delegations,
  ...orders,
  ...ledgers,
  ...unseen,
];
