import { LEDGER } from '#checkout';
import type { Answer, Api } from '#agent';
import type { RunningApi } from '../../apps/api/src/start.js';
import { agentAt } from '../support/agent.js';
import type { Booking, List, Mandate, Order, Refused } from '../support/answers.js';
import { readBooks } from '../support/books.js';
import { side } from '../bench/numbers.js';
import { findings } from '../support/findings.js';
import type { Intercept } from '../support/intercept.js';
import { bodyOf, book, grant, order } from '../support/purchase.js';
import { letPass, newFolder, removeFolder } from '../support/service.js';
import { swept } from '../support/sweep.js';
import { startObserved } from './observed.js';
import { untilSettled } from './settled.js';

/** Each with 25 orders. */
const ROUNDS = swept({ short: 2, middle: 6, full: 20 });
const ORDERS = 25;
/** Agents that order one after the other in every other round, so that some orders are over before others begin. */
const AGENTS = 5;
/** Writes that so many orders make, about: the moment is one of them. Orders at once share appends. */
const WRITES = ORDERS * 6;
const MINUTE = 60_000;

let folder: string;
let service: RunningApi;
let ana: Api;
/** Told of every write of the service, before it is sent. */
let onWrite = (): void => undefined;
const between: Intercept = (call, work) => {
  if (/^(append|insert) /.test(call)) onWrite();
  return work();
};
beforeEach(async () => {
  folder = await newFolder();
  service = await startObserved(folder, between, { RECOVERY_PAUSE_SECONDS: '0.05' });
  ana = await agentAt(service.origin);
});
afterEach(async () => {
  await service.stop();
  await removeFolder(folder);
});

interface Flight {
  readonly flightNumber: string;
  readonly seats: number;
  readonly prices: readonly { readonly code: string; readonly price: number }[];
}

const roomyFlights = async (): Promise<readonly Flight[]> => {
  const { items } = bodyOf(await ana.get<List<Flight>>('/flights?limit=500'), 200);
  return items.filter(({ seats }) => seats > ORDERS).slice(0, ROUNDS);
};

type Answers = readonly Answer<Partial<Order & Refused>>[];

/** 25 orders on a mandate that can pay them all, at once or of five agents; at a random write of theirs something happens. */
const raced = async (flight: Flight, round: number, happen: (mandate: Mandate) => Promise<unknown>) => {
  const [{ code: fareCode, price } = { code: '', price: 0 }] = flight.prices;
  const trip = { flightNumber: flight.flightNumber, fareCode };
  const bookings: readonly Booking[] = await Promise.all(Array.from({ length: ORDERS }, () => book(ana, trip)));
  const mandate = await grant(ana, ORDERS * price, { durationMinutes: 1 });
  // At random, and spread over the rounds: early in the first, late in the last.
  let left = 1 + Math.floor(((round + Math.random()) / ROUNDS) * WRITES);
  let happened: Promise<unknown> = Promise.resolve();
  onWrite = () => {
    left -= 1;
    if (left === 0) happened = happen(mandate);
  };
  const answers: Answers[number][] = [];
  await side(round % 2 === 0 ? ORDERS : AGENTS, bookings, async (booking) => {
    answers.push(await order(ana, booking, mandate));
  });
  onWrite = () => undefined;
  await happened;
  const paid = answers.flatMap(({ status, body }) => (status === 201 && body.id !== undefined ? [body.id] : []));
  return { mandate, price, paid: paid.sort() };
};

/** When the orders of a mandate that were captured were, by id, as the ledger has it now. */
const capturesOf = async ({ id }: Mandate): Promise<ReadonlyMap<string, string>> => {
  const { events, documents } = service.dependencies;
  const captures = new Map<string, string>();
  for await (const { type, data } of events.readAll(null)) {
    if (type !== 'BookingCheckoutStarted' || data['mandateId'] !== id) continue;
    const row = await documents.get<{ readonly capturedAt?: string }>(LEDGER.name, String(data['orderId']));
    if (row?.body.capturedAt !== undefined) captures.set(row.id, row.body.capturedAt);
  }
  return captures;
};
const expectSound = async () =>
  expect(findings(await readBooks(service.dependencies.events, service.dependencies.documents))).toEqual([]);
const isSome = ({ size }: ReadonlyMap<string, string>): boolean => size > 0 && size < ORDERS;

describe('a mandate revoked at a random moment of 25 orders, again and again', () => {
  it('pays nothing after the revocation is answered, then or ever (rule 9)', async () => {
    const revocations: { mandate: Mandate; answeredAt: string; captures: ReadonlyMap<string, string> }[] = [];
    for (const [round, flight] of (await roomyFlights()).entries()) {
      const revoke = async ({ id }: Mandate) => {
        const mandate = bodyOf(await ana.call<Mandate>('DELETE', `/mandates/${id}`), 200);
        revocations.push({
          mandate,
          answeredAt: service.dependencies.clock.now(),
          captures: await capturesOf(mandate),
        });
      };
      const { mandate, price, paid } = await raced(flight, round, revoke);
      if (revocations.at(-1)?.mandate.id !== mandate.id) await revoke(mandate);
      const { mandate: revoked, captures } = revocations.at(-1) ?? { mandate, captures: new Map<string, string>() };
      expect(paid).toEqual([...captures.keys()].sort());
      expect([revoked.consumed.amount, revoked.reserved.amount]).toEqual([captures.size * price, 0]);
    }
    for (const { mandate, answeredAt, captures } of revocations) {
      expect(await capturesOf(mandate)).toEqual(captures);
      for (const capturedAt of captures.values()) expect(capturedAt <= answeredAt).toBe(true);
    }
    expect(revocations.some(({ captures }) => isSome(captures))).toBe(true); // it hit orders under way
    await expectSound();
  });
});

describe('a mandate that expires at a random moment of 25 orders, again and again', () => {
  it('pays nothing later than it was valid (rules 9 and 16)', async () => {
    const expired: Mandate[] = [];
    for (const [round, flight] of (await roomyFlights()).entries()) {
      const expire = ({ duration }: Mandate): Promise<void> => {
        letPass(service, Date.parse(duration.expiresAt) - Date.parse(service.dependencies.clock.now()));
        return Promise.resolve();
      };
      const { mandate, paid } = await raced(flight, round, expire);
      await expire(mandate);
      expired.push(mandate);
      const captures = await capturesOf(mandate);
      for (const id of paid) expect(captures.has(id)).toBe(true);
    }
    letPass(service, MINUTE);
    await untilClosed(expired.length);
    const captures = await Promise.all(expired.map(capturesOf));
    for (const [place, { duration }] of expired.entries())
      for (const capturedAt of captures[place]?.values() ?? []) expect(capturedAt <= duration.expiresAt).toBe(true);
    expect(captures.some(isSome)).toBe(true);
    await expectSound();
  });

  /** Resolves once so many mandates are closed in their delegation, which comes last. */
  const untilClosed = async (count: number): Promise<void> => {
    const end = new AbortController();
    let left = count;
    for await (const { event } of service.dependencies.events.subscribe({
      after: null,
      categories: ['delegation'],
      signal: end.signal,
    })) {
      if (event?.type === 'MandateClosed') left -= 1;
      if (left === 0) break;
    }
    end.abort();
    await untilSettled(service.dependencies.events);
  };
});
