import { isDeepStrictEqual } from 'node:util';
import { idOf } from '#events';
import type { BookedEvent, Books } from '../../support/books.js';
import type { Bodies, End } from '../end.js';
import { agentsOf } from './agents.js';
import { factFindings } from './facts.js';
import { happeningsOf } from './happenings.js';

/** A document as far as the judge knows it. */
type Folded = Readonly<Record<string, unknown>>;
type Fold = (events: readonly BookedEvent[]) => ReadonlyMap<string, Folded>;

/** What is wrong with read models that caught up: each is what the judge folds, but for members nobody is shown. */
export const readModelFindings = ({ readModels }: End, { events }: Books): readonly string[] =>
  [...readModels].flatMap(([name, documents]) => {
    if (name === 'agent-facts') return factFindings(events, documents);
    const fold = FOLDS[name];
    return fold ? differences(name, fold(events), documents) : [`nobody judges the read model ${name}`];
  });

const differences = (name: string, expected: ReadonlyMap<string, Folded>, documents: Bodies): readonly string[] => {
  const found: string[] = [];
  for (const id of documents.keys()) if (!expected.has(id)) found.push(`${name} has ${id}, which it should not`);
  for (const [id, document] of expected) {
    const body = documents.get(id) as Folded | undefined;
    if (!body) found.push(`${name} lacks ${id}`);
    else
      for (const [member, value] of Object.entries(document))
        if (body[member] !== value && !isDeepStrictEqual(body[member], value))
          found.push(`${name} ${id}: ${member} is ${JSON.stringify(body[member])}, not ${JSON.stringify(value)}`);
  }
  return found;
};

/** A map that takes a document again with changes; of none there is, nothing. */
class Documents extends Map<string, Folded> {
  change(id: string, changes: Folded): void {
    const known = this.get(id);
    if (known) this.set(id, { ...known, ...changes });
  }
}

const bookingsOf: Fold = (events) => {
  const documents = new Documents();
  for (const { type, data, stored } of events) {
    if (type !== 'BookingCreated' && type !== 'BookingChanged') continue;
    const { flightNumber, fareCode, passengers, total } = data;
    const choice = { flightNumber, fareCode, passengers, total };
    if (type === 'BookingCreated')
      documents.set(data.bookingId, { ...choice, holder: data.holder, createdAt: data.createdAt });
    else documents.change(idOf(stored.stream), choice);
  }
  return documents;
};

/** Three hours behind UTC, the whole year. */
const monthInBrasilia = (at: string): string => new Date(Date.parse(at) - 10_800_000).toISOString().slice(0, 7);

const ordersOf: Fold = (events) => {
  const documents = new Documents();
  for (const { type, data, stored } of events) {
    const id = idOf(stored.stream);
    if (type === 'OrderPlaced') {
      const { placedAt, ...checkout } = data;
      documents.set(id, { kind: 'pending', checkout, placedAt, holder: data.holder, challenge: null });
    }
    if (type === 'PaymentChallenged') {
      const { brand, last4, expiresAt } = data;
      documents.change(id, { challenge: { brand, last4, expiresAt, decided: null } });
    }
    if (type === 'PaymentApproved' || type === 'PaymentDeclined') {
      const decided =
        type === 'PaymentApproved'
          ? { decision: 'approve', at: data.approvedAt }
          : { decision: 'deny', at: data.declinedAt };
      const challenge = documents.get(id)?.['challenge'] as Folded | undefined;
      documents.change(id, { challenge: { ...challenge, decided } });
    }
    if (type === 'OrderPaid') {
      const { amount, currency } = data.payment.amount;
      const key = `${monthInBrasilia(data.payment.capturedAt)} ${String(documents.get(id)?.['holder'])}`;
      const isApart = stored.metadata.actor.clientId === null && !stored.metadata.party;
      documents.change(id, { kind: 'paid', ...data, apart: isApart ? key : undefined });
      const month = documents.get(key) as
        { readonly spent: Record<string, number>; readonly orders: number } | undefined;
      const spent = { ...month?.spent, [currency]: (month?.spent[currency] ?? 0) + amount };
      if (!isApart) documents.set(key, { ...month, kind: 'month', spent, orders: (month?.orders ?? 0) + 1 });
    }
    if (type === 'OrderFailed') documents.change(id, { kind: 'failed', ...data });
    if (type === 'OrderCancellationStarted') {
      const { bookingId: _, runner: __, ...cancellation } = data;
      documents.change(id, { cancellation: { ...cancellation, failedAt: null } });
    }
    const { failedAt: _, ...begun } = (documents.get(id)?.['cancellation'] ?? {}) as Folded;
    if (type === 'OrderRefundFailed') documents.change(id, { cancellation: { ...begun, failedAt: data.failedAt } });
    if (type !== 'OrderCancelled') continue;
    const { refund, refundId, refundedAt, cancelledAt } = data;
    documents.change(id, { kind: 'cancelled', cancellation: begun, refundId, refundedAt, cancelledAt });
    if (stored.metadata.actor.clientId === null && !stored.metadata.party) continue;
    const key = `${monthInBrasilia(refundedAt)} ${String(documents.get(id)?.['holder'])}`;
    const month = documents.get(key) as { readonly refunded?: Record<string, number> } | undefined;
    const sum = (month?.refunded?.[refund.currency] ?? 0) + refund.amount;
    const nothing = { kind: 'month', spent: {}, orders: 0 };
    documents.set(key, { ...nothing, ...month, refunded: { ...month?.refunded, [refund.currency]: sum } });
  }
  return documents;
};

const openCheckoutsOf: Fold = (events) => {
  const documents = new Documents();
  for (const { type, data, stored } of events) {
    if (type === 'BookingCheckoutStarted')
      documents.set(data.bookingId, { orderId: data.orderId, dueAt: data.holdBefore, runner: data.runner });
    if (type === 'PaymentChallenged' && documents.get(data.bookingId)?.['orderId'] === idOf(stored.stream))
      documents.change(data.bookingId, { dueAt: data.expiresAt, runner: undefined });
    if (type === 'PaymentDeclined' && documents.get(data.bookingId)?.['orderId'] === idOf(stored.stream))
      documents.change(data.bookingId, { dueAt: data.declinedAt, runner: undefined });
    if (type === 'BookingCheckoutAbandoned' || type === 'BookingTicketed') documents.delete(idOf(stored.stream));
    if (type === 'OrderCancellationStarted') {
      const dueAt = new Date(Date.parse(data.startedAt) + MINUTE).toISOString();
      documents.set(data.bookingId, { orderId: idOf(stored.stream), dueAt, runner: data.runner });
    }
    if (type === 'OrderCancelled' || type === 'OrderRefundFailed') documents.delete(data.bookingId);
  }
  return documents;
};

const MINUTE = 60_000;

const openMandatesOf: Fold = (events) => {
  const documents = new Documents();
  const isEnding = true;
  for (const { type, data, stored } of events) {
    const id = idOf(stored.stream);
    switch (type) {
      case 'MandateOpened': {
        const dot = id.indexOf('.');
        const dueAt = new Date(Date.parse(data.openedAt) + MINUTE).toISOString();
        documents.set(data.mandateId, { holder: id.slice(0, dot), clientId: id.slice(dot + 1), dueAt });
        break;
      }
      case 'MandateCreated':
      case 'MandateNarrowed':
        if (!documents.get(id)?.['isEnding']) documents.change(id, { dueAt: data.expiresAt });
        break;
      case 'MandateRevoked':
        documents.change(id, { dueAt: data.revokedAt });
        break;
      case 'MandateExpired':
        documents.change(id, { dueAt: data.expiredAt });
        break;
      case 'AgentRevoked':
        for (const mandateId of data.openMandates) documents.change(mandateId, { dueAt: data.revokedAt, isEnding });
        break;
      case 'SpendingCapSet':
        for (const mandateId of data.ending) documents.change(mandateId, { dueAt: data.setAt, isEnding });
        break;
      case 'MandateClosed':
        documents.delete(data.mandateId);
    }
  }
  return documents;
};

const flightsOf: Fold = (events) => {
  const documents = new Documents();
  for (const { type, data, stored } of events) {
    const id = idOf(stored.stream);
    const { position } = stored;
    if (type === 'FlightScheduled') {
      const { seats, ...flight } = data;
      documents.set(id, { ...flight, seatsLeft: seats, position });
    }
    if (type === 'FaresRepriced') documents.change(id, { fares: data.fares, position });
    if (type === 'SeatsHeld' || type === 'SeatsReleased') {
      const left = Number(documents.get(id)?.['seatsLeft']);
      documents.change(id, { seatsLeft: type === 'SeatsHeld' ? left - data.seats : left + data.seats, position });
    }
  }
  return documents;
};

/** A mandate as its holder's list has it. What waits shows the terms asked for, and those approved once they are. */
const mandatesOf: Fold = (events) => {
  const documents = new Documents();
  const reserved = new Map<string, { orderId: string; amount: number; bookingId: string }[]>();
  const settle = (id: string, orderId: string): void => {
    const others = (reserved.get(id) ?? []).filter((one) => one.orderId !== orderId);
    reserved.set(id, others);
  };
  const begin = (id: string, terms: Folded): void => {
    const nothing = {
      consumed: 0,
      refunded: 0,
      paidOrders: 0,
      reservations: [],
      pausedAt: null,
      revokedAt: null,
      expiredAt: null,
    };
    documents.set(id, { pending: undefined, ...nothing, ...terms });
  };
  for (const { type, data, stored } of events) {
    const id = idOf(stored.stream);
    const known = documents.get(id);
    switch (type) {
      case 'MandateRequested': {
        const { requestedAt: startsAt, lapsesAt: expiresAt, constraints = {}, ...terms } = data;
        begin(id, { ...terms, constraints, startsAt, expiresAt, grantedBy: 'traveller', pending: { approved: null } });
        break;
      }
      case 'MandateApproved':
        documents.change(id, { pending: { approved: data } });
        break;
      case 'MandateCreated':
        begin(id, { ...data, constraints: data.constraints ?? {} });
        break;
      case 'MandateNarrowed':
        documents.change(id, { limit: data.limit, expiresAt: data.expiresAt });
        break;
      case 'MandateReserved': {
        const { orderId, bookingId } = data;
        reserved.set(id, [...(reserved.get(id) ?? []), { orderId, amount: data.amount.amount, bookingId }]);
        break;
      }
      case 'MandateConsumed':
        documents.change(id, {
          consumed: Number(known?.['consumed']) + data.amount.amount,
          paidOrders: Number(known?.['paidOrders']) + 1,
        });
        settle(id, data.orderId);
        break;
      case 'MandateReleased':
        settle(id, data.orderId);
        break;
      case 'MandateRefunded':
        documents.change(id, {
          consumed: Number(known?.['consumed']) - data.amount.amount,
          refunded: Number(known?.['refunded']) + data.amount.amount,
          paidOrders: Number(known?.['paidOrders']) - 1,
        });
        break;
      case 'MandatePaused':
        documents.change(
          id,
          data.pause === undefined ? { pausedAt: data.pausedAt } : { pauseOfAll: { pause: data.pause, isOn: true } },
        );
        break;
      case 'MandateResumed':
        documents.change(
          id,
          data.pause === undefined ? { pausedAt: null } : { pauseOfAll: { pause: data.pause, isOn: false } },
        );
        break;
      case 'MandateRevoked':
        documents.change(id, { revokedAt: data.revokedAt });
        break;
      case 'MandateExpired':
        documents.change(id, { expiredAt: data.expiredAt });
        break;
      case 'MandateAbandoned':
        documents.delete(id);
    }
  }
  for (const [id, reservations] of reserved) documents.change(id, { reservations });
  for (const [id, mandate] of documents) documents.change(id, { phase: phaseOf(mandate) });
  return documents;
};

/** Rule 17, as far as events tell. */
const phaseOf = ({ revokedAt, expiredAt, pending, pausedAt, pauseOfAll, consumed, limit }: Folded): string => {
  if (revokedAt !== null) return 'revoked';
  if (expiredAt !== null) return 'expired';
  if (pending !== undefined) return 'pending';
  if (pausedAt !== null || (pauseOfAll as { readonly isOn: boolean } | undefined)?.isOn) return 'paused';
  return consumed === (limit as { readonly amount: number }).amount ? 'exhausted' : 'open';
};

const FOLDS: Readonly<Partial<Record<string, Fold>>> = {
  agents: agentsOf,
  bookings: bookingsOf,
  flights: flightsOf,
  happenings: happeningsOf,
  mandates: mandatesOf,
  'open-checkouts': openCheckoutsOf,
  'open-mandates': openMandatesOf,
  orders: ordersOf,
};
