import { createHash } from 'node:crypto';
import type { StoredEvent } from '#event-store';
import { idOf } from '#events';
import type { Money } from '#kernel';
import { CHAIN_START, expectedHash, hex } from '#verifier';
import type { Books } from './books.js';
import { mandateFindings } from './mandate-findings.js';
import { orderFindings } from './order-findings.js';

/** What is wrong with the settled books; empty where all agree. It asks none of the program's deciders. */
export const findings = (books: Books): readonly string[] => [...countFindings(books), ...streamFindings(books)];

/** The same without the chains of the streams, which no later event mends: enough to be looked at once. */
export const countFindings = (books: Books): readonly string[] => [
  ...orderFindings(books),
  ...mandateFindings(books),
  ...seatFindings(books),
  ...bookingFindings(books),
  ...delegationFindings(books),
  ...capFindings(books),
];

/** No seat sold twice at any moment, and held in the end are those of paid orders alone. */
const seatFindings = ({ events }: Books): readonly string[] => {
  const found: string[] = [];
  const flights = new Map<string, { seats: number; held: Map<string, number>; isCancelled: boolean }>();
  const paid = new Set(events.flatMap(({ type, stored }) => (type === 'OrderPaid' ? [idOf(stored.stream)] : [])));
  for (const { type, data, stored } of events) {
    if (type === 'FlightScheduled')
      flights.set(stored.stream, { seats: data.seats, held: new Map(), isCancelled: false });
    const flight = flights.get(stored.stream);
    if (!flight) continue;
    if (type === 'FlightCancelled') flight.isCancelled = true;
    if (type === 'SeatsHeld') {
      flight.held.set(data.orderId, data.seats);
      if (flight.isCancelled) found.push(`${stored.stream} is cancelled and held for ${data.orderId}`);
    }
    if (type === 'SeatsReleased') {
      const held = flight.held.get(data.orderId) ?? 0;
      if (held !== data.seats)
        found.push(`${stored.stream}: order ${data.orderId} held ${held}, released ${data.seats}`);
      flight.held.delete(data.orderId);
    }
    if (sum(flight.held.values()) > flight.seats) found.push(`${stored.stream} has more seats held than it has`);
  }
  for (const [stream, { held }] of flights)
    for (const orderId of held.keys())
      if (!paid.has(orderId)) found.push(`${stream} still holds seats for order ${orderId}, which is not paid`);
  return found;
};

/** One order at a time, each ended before the next begins, none after a ticket. */
const bookingFindings = ({ events }: Books): readonly string[] => {
  const found: string[] = [];
  const current = new Map<string, string>();
  for (const { type, data, stored } of events) {
    const { stream } = stored;
    if (type === 'BookingCheckoutStarted') {
      if (current.has(stream)) found.push(`${stream} was ordered while it had an order or a ticket`);
      current.set(stream, data.orderId);
    }
    if (type === 'BookingCheckoutAbandoned' || type === 'BookingTicketed') {
      if (current.get(stream) !== data.orderId)
        found.push(`${stream}: ${type} of an order that was not the current one`);
      current.set(stream, type === 'BookingTicketed' ? 'ticketed' : data.orderId);
      if (type === 'BookingCheckoutAbandoned') current.delete(stream);
    }
  }
  return found;
};

/** What is over, or was to end, is closed in its delegation, with what it consumed in the end. */
const delegationFindings = ({ events }: Books): readonly string[] => {
  const open = new Set<string>();
  const over = new Set<string>();
  const consumed = new Map<string, number>();
  const closed = new Map<string, number>();
  for (const { type, data, stored } of events) {
    const id = idOf(stored.stream);
    if (type === 'MandateOpened') open.add(data.mandateId);
    if (type === 'MandateRevoked' || type === 'MandateExpired' || type === 'MandateAbandoned') over.add(id);
    if (type === 'SpendingCapSet') for (const ended of data.ending) over.add(ended);
    if (type === 'MandateConsumed') consumed.set(id, (consumed.get(id) ?? 0) + data.amount.amount);
    if (type === 'MandateClosed') closed.set(data.mandateId, data.consumed.amount);
  }
  const forgotten = [...over].filter((id) => open.has(id) && !closed.has(id));
  const wrong = [...closed].filter(([id, amount]) => amount !== (consumed.get(id) ?? 0));
  return [
    ...forgotten.map((id) => `mandate ${id} is over and still counts in its delegation`),
    ...wrong.map(([id, amount]) => `mandate ${id} was closed with ${amount}, not with what it consumed`),
  ];
};

/** What is open under a cap is in its currency, and fits beside what was spent since the first cap (rules 19 and 28). */
const capFindings = ({ events }: Books): readonly string[] => {
  const found: string[] = [];
  const agents = new Map<
    string,
    { cap: Money | null; isCounted: boolean; spent: number; open: Map<string, Money>; back: Map<string, number> }
  >();
  for (const { type, data, stored } of events) {
    const agent = agents.get(stored.stream) ?? {
      cap: null,
      isCounted: false,
      spent: 0,
      open: new Map<string, Money>(),
      back: new Map<string, number>(),
    };
    const isCounted = type === 'MandateOpened' || type === 'OpenMandateNarrowed';
    if (isCounted) agent.open.set(data.mandateId, data.limit);
    if (type === 'SpendingCapSet') agent.cap = data.cap;
    if (type === 'SpendingCapSet') agent.isCounted ||= data.cap !== null;
    if (type === 'MandateClosed') agent.open.delete(data.mandateId);
    if (type === 'MandateClosed' && agent.isCounted && data.consumed.currency === 'BRL')
      agent.spent += data.consumed.amount - (agent.back.get(data.mandateId) ?? 0);
    if (type === 'MandateRefundCounted' && data.amount.currency === 'BRL') {
      if (agent.open.has(data.mandateId))
        agent.back.set(data.mandateId, (agent.back.get(data.mandateId) ?? 0) + data.amount.amount);
      else agent.spent -= data.amount.amount;
    }
    agents.set(stored.stream, agent);
  }
  for (const [stream, { cap, spent, open }] of agents) {
    if (cap === null || open.size === 0) continue;
    const limits = [...open.values()];
    if (limits.some(({ currency }) => currency !== cap.currency)) found.push(`${stream} has another currency open`);
    if (spent + sum(limits.map(({ amount }) => amount)) > cap.amount) found.push(`${stream} is over its cap`);
  }
  return found;
};

/** Every stream is chained, and its time never runs back. */
const streamFindings = ({ events }: Books): readonly string[] => {
  const found: string[] = [];
  const last = new Map<string, StoredEvent>();
  for (const { stored } of events) {
    const { stream, revision, metadata } = stored;
    const before = last.get(stream);
    if (revision !== (before?.revision ?? -1) + 1) found.push(`${stream} has revision ${revision} out of its place`);
    else if (!isChained(stored, before)) found.push(`${stream} is not chained at revision ${revision}`);
    if (before && before.metadata.occurredAt > metadata.occurredAt) found.push(`${stream}: time ran back`);
    last.set(stream, stored);
  }
  return found;
};

/** Events that were seen to be chained, each to what: lives begin with the same ones. */
const chained = new WeakMap<StoredEvent, StoredEvent | undefined>();

const isChained = (stored: StoredEvent, before: StoredEvent | undefined): boolean => {
  if (chained.has(stored) && chained.get(stored) === before) return true;
  const previous = before ? Buffer.from(before.metadata.hash, 'hex') : CHAIN_START;
  const isSo = hex(expectedHash(sha256, previous, stored)) === stored.metadata.hash;
  if (isSo) chained.set(stored, before);
  return isSo;
};

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

const sum = (amounts: Iterable<number>): number => [...amounts].reduce((total, amount) => total + amount, 0);
