import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApi } from '../../apps/api/src/start.js';
import type { Api } from '../../apps/cli/src/agent/index.js';
import { apiAt, tokensFor } from '../support/agent.js';
import type { Booking, Mandate, Order } from '../support/answers.js';
import { capturedOrders, readBooks } from '../support/books.js';
import { findings } from '../support/findings.js';
import { bodyOf, book, grant, mandateNow, order } from '../support/purchase.js';
import { startProcess } from '../support/real-process.js';
import { newFolder, removeFolder, startService } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';
import { swept } from '../support/sweep.js';

stayEmbedded('it kills a process over the files of a folder');

const ROUNDS = swept({ short: 2, middle: 4, full: 12 });
const AGENTS = 8;
/** A flight with seats for all of it. */
const TRIP = { flightNumber: 'AL4011', fareCode: 'LEVE' } as const;
const SEATS = 220;
const PRICE = 489_90;

let folder: string;
let token: string;
let mandate: Mandate;
/** What the service answered before it died, in all rounds. */
const bookings: Booking[] = [];
const paid: Order[] = [];

beforeAll(async () => {
  folder = await newFolder();
  const service = await startService(folder);
  token = (await tokensFor(service.origin)).access_token;
  mandate = await grant(apiAt(service.origin, token), PRICE * 1_000, { durationMinutes: 60 });
  await service.stop();
});
afterAll(() => removeFolder(folder));

/** Books and orders until the service is gone; tells of each order that was paid. */
const buyOn = async (api: Api, onPaid: () => void): Promise<void> => {
  try {
    for (;;) {
      const booking = await book(api, TRIP);
      bookings.push(booking);
      paid.push(bodyOf(await order(api, booking, mandate), 201));
      onPaid();
    }
  } catch (error) {
    // What fetch says of a connection that broke; anything else is an answer that should not have been.
    if (!/^TypeError: (?:fetch failed|terminated)$/.test(String(error))) throw error;
  }
};

/** Orders that were captured; everything must be settled, and log and ledger agree. */
const soldBy = async ({ dependencies }: RunningApi): Promise<number> => {
  const books = await readBooks(dependencies.events, dependencies.documents);
  expect(findings(books)).toEqual([]);
  return capturedOrders(books).length;
};

/** Lets agents buy, and kills the service at the moment it has answered so many orders; the others are under way. */
const killedAfter = async (answered: number): Promise<void> => {
  const service = await startProcess(folder, { LOG_LEVEL: 'silent' });
  const api = apiAt(service.origin, token);
  let left = answered;
  const onPaid = () => {
    left -= 1;
    if (left === 0) void service.end('SIGKILL');
  };
  await Promise.all(Array.from({ length: AGENTS }, () => buyOn(api, onPaid)));
  expect(await service.ended).toEqual({ code: null, signal: 'SIGKILL' });
};

describe('a service killed while orders are under way, and started again', () => {
  it.each(Array.from({ length: ROUNDS }, () => 1 + Math.floor(Math.random() * 2 * AGENTS)))(
    'has lost no order it answered, and holds nothing for those it did not (killed after %i)',
    async (answered) => {
      await killedAfter(answered);
      const service = await startService(folder);
      try {
        const sold = await soldBy(service);
        const api = apiAt(service.origin, token);
        const { consumed, reserved } = await mandateNow(api, mandate);
        expect([consumed.amount, reserved.amount]).toEqual([sold * PRICE, 0]);
        const { seats } = bodyOf(await api.get<{ seats: number }>(`/flights/${TRIP.flightNumber}`), 200);
        expect(seats).toBe(SEATS - sold);
        for (const { id, ticketCode, url } of paid) {
          const now = bodyOf(await api.get<Order>(`/orders/${id}`), 200);
          expect(now).toMatchObject({ status: 'paid', ticketCode });
          expect(url).toContain(id);
          expect(bodyOf(await api.get(`/orders/${id}/receipt`), 200)).toMatchObject({ ticketId: id });
        }
      } finally {
        await service.stop();
      }
    },
  );

  it('lets every booking without a ticket be ordered again', async () => {
    const service = await startService(folder);
    try {
      const api = apiAt(service.origin, token);
      const before = await soldBy(service);
      const outcomes: Record<string, number> = {};
      for (const booking of bookings) {
        const { status, body } = await order(api, booking, mandate);
        const outcome = status === 201 ? 'paid' : (body as unknown as { error: string }).error;
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
      expect(outcomes).toEqual({ booking_already_ordered: before, paid: bookings.length - before });
      expect(await soldBy(service)).toBe(bookings.length);
    } finally {
      await service.stop();
    }
  });
});
