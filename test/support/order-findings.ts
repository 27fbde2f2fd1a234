import { type Checkout, idOf } from '#events';
import type { BookedEvent, Books, LedgerEntry, RefundEntry } from './books.js';

interface OrderFile {
  readonly orderId: string;
  readonly events: readonly BookedEvent[];
  readonly row: LedgerEntry | undefined;
  readonly refund: RefundEntry | undefined;
}

/** What is wrong with the orders, each by itself and their tickets with each other. */
export const orderFindings = (books: Books): readonly string[] => {
  const files = filesOf(books);
  const tickets = files.flatMap(({ events }) =>
    events.flatMap(({ type, data }) => (type === 'OrderPaid' ? (data.ticketCodes ?? [data.ticketCode]) : [])),
  );
  const twice = tickets.filter((code, place) => tickets.indexOf(code) !== place);
  return [
    ...files.flatMap((file) => fileFindings(file).map((finding) => `order ${file.orderId}: ${finding}`)),
    ...twice.map((code) => `ticket ${code} was issued twice`),
    ...(books.strays === 0 ? [] : [`the ledger has ${books.strays} rows of orders that the log does not know`]),
  ];
};

const filesOf = ({ events, ledger, refunds }: Books): readonly OrderFile[] => {
  const byOrder = new Map<string, BookedEvent[]>();
  for (const event of events) {
    const orderId = orderOf(event);
    if (orderId !== null) byOrder.set(orderId, [...(byOrder.get(orderId) ?? []), event]);
  }
  return [...byOrder].map(([orderId, its]) => ({
    orderId,
    events: its,
    row: ledger.get(orderId),
    refund: refunds.get(orderId),
  }));
};

const orderOf = ({ data, stored }: BookedEvent): string | null =>
  stored.stream.startsWith('order-') ? idOf(stored.stream) : 'orderId' in data ? data.orderId : null;

const ENDS: readonly string[] = ['BookingTicketed', 'BookingCheckoutAbandoned'];

const fileFindings = ({ events: all, row, refund }: OrderFile): readonly string[] => {
  const back = all.findIndex(({ type }) => type === 'OrderCancellationStarted');
  const [events, later] = back < 0 ? [all, []] : [all.slice(0, back), all.slice(back)];
  const repeatedBack = later.map(({ type }) => type).filter((type, place, types) => types.indexOf(type) !== place);
  if (repeatedBack.length > 0) return [`${repeatedBack.join(', ')} twice`];
  const types = events.map(({ type }) => type);
  const repeated = types.filter((type, place) => types.indexOf(type) !== place);
  if (repeated.length > 0) return [`${repeated.join(', ')} twice`];
  const [start] = events;
  if (start?.type !== 'BookingCheckoutStarted') return [`begins with ${start?.type ?? 'nothing'}`];
  if (!ENDS.includes(types.at(-1) ?? '')) return [`is still open: ${types.join(', ')}`];
  const isPaid = types.includes('OrderPaid');
  if (isPaid === types.includes('OrderFailed')) return [`is paid and failed, or neither: ${types.join(', ')}`];
  const found = isPaid ? paidFindings(start.data, events, row) : failedFindings(types, row);
  return [...decisionFindings(events), ...found, ...wayBackFindings(start.data, events, later, refund)];
};

/** What was begun to come back came back once, to card and mandate alike, and no more than was charged (rules 35, 36). */
const wayBackFindings = (
  { total, mandateId, line }: Checkout,
  before: readonly BookedEvent[],
  later: readonly BookedEvent[],
  row: RefundEntry | undefined,
): readonly string[] => {
  const [start] = later;
  if (start?.type !== 'OrderCancellationStarted') return row ? ['came back, and nobody cancelled it'] : [];
  const { refund, fee } = start.data;
  const found: string[] = [];
  const check = (isSo: boolean, otherwise: string) => {
    if (!isSo) found.push(otherwise);
  };
  check(
    before.some(({ type }) => type === 'BookingTicketed'),
    'was cancelled before it was ticketed',
  );
  check(refund.amount + fee.amount === total.amount, 'gives back and keeps something else than was paid');
  check(refund.amount > 0 === (row !== undefined), 'comes back, and the ledger does not say so');
  check(!row || row.amount.amount === refund.amount, 'came back with another amount');
  const has = (type: string) => later.some((event) => event.type === type);
  const isFailed = has('OrderRefundFailed');
  check(isFailed === (row?.status === 'refund_failed'), `is not what the ledger says, ${row?.status ?? 'nothing'}`);
  const end = isFailed ? 'OrderRefundFailed' : 'OrderCancelled';
  check(later.at(-1)?.type === end, 'its cancellation is still under way');
  for (const type of ['MandateRefunded', 'SeatsReleased'])
    check(has(type) !== isFailed, isFailed ? `failed to come back and has ${type}` : `is cancelled without ${type}`);
  for (const { type, data, stored } of later) {
    if (type === 'MandateRefunded')
      check(
        stored.stream === `mandate-${mandateId}` && data.amount.amount === refund.amount,
        'refunded something else',
      );
    if (type === 'MandateRefundCounted')
      check(data.mandateId === mandateId && data.amount.amount === refund.amount, 'counted something else');
    if (type === 'SeatsReleased') check(data.seats === line.passengers, 'released other seats');
    if (type === 'OrderCancelled') check((row?.id ?? null) === data.refundId, 'came back by another refund');
  }
  return found;
};

/** What its holder was asked, said once and in time, and what came of it (rule 10). */
const decisionFindings = (events: readonly BookedEvent[]): readonly string[] => {
  const found: string[] = [];
  let asked: { readonly until: string; readonly isRecorded: boolean } | null = null;
  let said: string | null = null;
  for (const { type, data, stored } of events) {
    if (type === 'PaymentChallenged') asked = { until: data.expiresAt, isRecorded: data.decisionRecorded === true };
    if (type === 'PaymentApproved' || type === 'PaymentDeclined') {
      if (!asked || stored.metadata.occurredAt >= asked.until) found.push(`${type} when nobody was asked`);
      if (said) found.push(`${type} after ${said}`);
      said ??= type;
    }
    if (type === 'OrderPaid' && asked?.isRecorded && said !== 'PaymentApproved')
      found.push(`was paid, and its holder said ${said ?? 'nothing'}`);
    if (type !== 'OrderFailed') continue;
    const isRefused = data.failure === 'payment_challenge_failed';
    if (said === 'PaymentDeclined' && !isRefused) found.push(`failed as ${data.failure}, and its holder refused`);
    if (said === 'PaymentApproved' && isRefused) found.push('failed as not confirmed, and its holder approved');
    if (said === null && data.failure === 'payment_not_completed') found.push('failed as approved, and nobody did');
  }
  return found;
};

/** Captured, consumed, paid and ticketed, all with the same amount. */
const paidFindings = (
  { total, mandateId, bookingId, line }: Checkout,
  events: readonly BookedEvent[],
  row: LedgerEntry | undefined,
): readonly string[] => {
  const found: string[] = [];
  const check = (isSo: boolean, otherwise: string) => {
    if (!isSo) found.push(otherwise);
  };
  check(row?.status === 'captured', `is paid and the ledger says ${row?.status ?? 'nothing'}`);
  check(row?.amount?.amount === total.amount, 'was captured with another amount');
  const seen = new Set<string>();
  let code: string | null = null;
  for (const { type, data, stored } of events) {
    seen.add(type);
    if (type === 'MandateConsumed') {
      check(stored.stream === `mandate-${mandateId}` && data.amount.amount === total.amount, 'consumed something else');
    }
    if (type === 'OrderPaid') {
      code = data.ticketCode;
      const { ticketCodes = [code] } = data;
      check(ticketCodes[0] === code, 'has another first ticket');
      check(!data.ticketCodes || ticketCodes.length === line.passengers, 'has not one ticket a passenger');
      check(data.payment.amount.amount === total.amount, 'was paid with another amount');
      check(data.payment.capturedAt === row?.capturedAt, 'was captured at another time');
    }
    if (type === 'BookingTicketed') {
      check(stored.stream === `booking-${bookingId}` && data.ticketCode === code, 'was ticketed with another code');
    }
  }
  for (const type of ['SeatsHeld', 'MandateReserved', 'MandateConsumed', 'BookingTicketed'])
    check(seen.has(type), `is paid without ${type}`);
  for (const type of ['SeatsReleased', 'MandateReleased']) check(!seen.has(type), `is paid and has ${type}`);
  return found;
};

const failedFindings = (types: readonly string[], row: LedgerEntry | undefined): readonly string[] => {
  const found = types.includes('MandateConsumed') ? ['failed and consumed'] : [];
  return row?.status === 'closed' || row?.status === 'refused'
    ? found
    : [...found, `failed and the ledger says ${row?.status ?? 'nothing'}`];
};
