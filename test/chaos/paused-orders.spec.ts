import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Api } from '#agent';
import { flights, tripOf } from '../bench/flights.js';
import { side } from '../bench/numbers.js';
import { ANA, apiAt, tokensFor } from '../support/agent.js';
import type { Booking, Mandate, Order, Refused } from '../support/answers.js';
import { readBooks } from '../support/books.js';
import { writeCatalog } from '../support/catalog.js';
import { loggedIn } from '../support/challenge.js';
import { findings } from '../support/findings.js';
import { book, brl, buy, grant, mandateNow, order, TRIP_PRICE } from '../support/purchase.js';
import { type RealProcess, startProcess } from '../support/real-process.js';
import { ownFolder, startService } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';
import { swept } from '../support/sweep.js';

stayEmbedded('it kills a process over the files of a folder');

/** Orders that run while their mandate is paused, and of those that two constraints let few of through. */
const ORDERS = swept({ short: 60, middle: 250, full: 500 });
const CROWD = 50;
/** When the service is killed: after the pause was answered, while it is carried out, or not at all. */
type Kill = 'never' | 'after the answer' | 'before the answer';
const KILLED: readonly Kill[] = ['after the answer', 'before the answer'];
const KILLS: readonly Kill[] = swept({
  short: ['before the answer'],
  middle: ['never', ...KILLED],
  full: ['never', ...Array.from({ length: 10 }, () => KILLED).flat()],
});
const AT_ONCE = 64;
/** The moment (ms) of a kill is a random one within these. */
const SOON = 40;

const ENVIRONMENT = {
  LIMIT_LOGINS: '0',
  LIMIT_OPERATIONS: '0',
  LIMIT_OPEN_MANDATES: '0',
  RECOVERY_PAUSE_SECONDS: '0.05',
};
/** How many orders the one with constraints pays, and a ceiling with room for them all. */
const AT_MOST = 3;
const ENOUGH = 10_000 * TRIP_PRICE;

const folder = ownFolder();
let catalogue: string;
beforeAll(async () => {
  catalogue = await writeCatalog(folder, flights());
});

/** What became of an order; null: its connection broke. */
type Outcome = Answer<Partial<Order & Refused>> | null;

interface Wanted {
  readonly mandate: Mandate;
  readonly bookings: readonly Booking[];
}

/** One mandate to be paused, and one with two constraints: a seat of the first of its bookings is too dear for it. */
const prepare = async (ana: Api): Promise<{ readonly paused: Wanted; readonly crowded: Wanted }> => {
  const bookings: Booking[] = [await book(ana, { ...tripOf(0), fareCode: 'CLASSICA' })];
  const trips = Array.from({ length: CROWD - 1 + ORDERS }, (_, place) => tripOf(place));
  await side(AT_ONCE, trips, async (trip) => bookings.push(await book(ana, trip)));
  const constraints = { maxOrders: AT_MOST, maxPricePerSeat: brl(TRIP_PRICE) };
  return {
    paused: { mandate: await grant(ana, ENOUGH), bookings: bookings.slice(CROWD) },
    crowded: { mandate: await grant(ana, ENOUGH, { constraints }), bookings: bookings.slice(0, CROWD) },
  };
};

/** The traveller presses the button that pauses the mandate, or resumes it. */
const press = async (origin: string, { id }: Mandate) => {
  const { browser, page } = await loggedIn(`${origin}/conta/mandatos/${id}`, ANA);
  return () => browser.submit(page, {});
};

const paidOf = (outcomes: readonly Outcome[]): number => outcomes.filter((outcome) => outcome?.status === 201).length;

describe('a mandate is paused and another one is crowded, while all their orders run', () => {
  let service: RealProcess & { readonly origin: string };
  let token: string;
  const ana = () => apiAt(service.origin, token);
  const start = async () => {
    service = await startProcess(folder, { ...ENVIRONMENT, CATALOG_FILE: catalogue, LOG_LEVEL: 'silent' });
  };
  beforeAll(async () => {
    await start();
    token = (await tokensFor(service.origin)).access_token;
  });
  afterAll(async () => {
    await service.end('SIGKILL');
  });

  /** Orders all of them; some find no service any more. */
  const orderAll = async ({ bookings, mandate }: Wanted, onAnswer = (): void => undefined): Promise<Outcome[]> => {
    const outcomes: Outcome[] = [];
    await side(AT_ONCE, bookings, async (booking) => {
      const outcome = await order(ana(), booking, mandate).catch((error: unknown) => {
        if (!/^TypeError: (?:fetch failed|terminated)$/.test(String(error))) throw error;
        return null;
      });
      outcomes.push(outcome);
      onAnswer();
    });
    return outcomes;
  };

  /** The pause, and the kill beside it or after it; returns the mandate as it is once the pause is answered. */
  const pauseAndKill = async (mandate: Mandate, kill: Kill, pause: () => Promise<unknown>): Promise<Mandate | null> => {
    const answered = pause().then(() => mandateNow(ana(), mandate));
    if (kill !== 'before the answer') await answered;
    if (kill !== 'never') {
      await sleep(Math.random() * SOON);
      await service.end('SIGKILL');
    }
    return answered.catch(() => null);
  };

  it.each(KILLS.map((kill, round) => [round, kill] as const))(
    'nothing paused is charged, and no constraint passed (round %i, killed %s)',
    async (_, kill) => {
      const { paused, crowded } = await prepare(ana());
      const pause = await press(service.origin, paused.mandate);
      let begin = (): void => undefined;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      const [answered, before, crowd] = await Promise.all([
        begun.then(() => pauseAndKill(paused.mandate, kill, pause)),
        orderAll(paused, () => begin()),
        orderAll(crowded),
      ]);
      if (kill !== 'never') await start();
      // A pause that was answered holds; one that was not is pressed again, unless it stands.
      let now = await mandateNow(ana(), paused.mandate);
      if (answered) expect(now).toMatchObject({ status: 'paused', reserved: brl(0), consumed: answered.consumed });
      else if (now.status === 'valid') await (await press(service.origin, paused.mandate))();
      now = await untilNothingIsReserved(paused.mandate);
      expect(now.status).toBe('paused');
      expect(now.consumed.amount).toBeGreaterThanOrEqual(paidOf(before) * TRIP_PRICE);

      const [after, again] = [await orderAll(paused), await orderAll(crowded)];
      expect([paidOf(before) > 0, paidOf(after)]).toEqual([true, 0]);
      expect(await mandateNow(ana(), paused.mandate)).toMatchObject({ status: 'paused', consumed: now.consumed });
      expect(paidOf(crowd) + paidOf(again)).toBeLessThanOrEqual(AT_MOST);
      const full = await untilNothingIsReserved(crowded.mandate);
      expect(full.consumed).toEqual(brl(AT_MOST * TRIP_PRICE));

      await (
        await press(service.origin, paused.mandate)
      )();
      await buy(ana(), await book(ana(), tripOf(0)), paused.mandate);
    },
    600_000,
  );

  it('has books that agree in the end', async () => {
    await service.end('SIGTERM');
    const survivor = await startService(folder, { CATALOG_FILE: catalogue });
    try {
      const { events, documents } = survivor.dependencies;
      expect(findings(await readBooks(events, documents))).toEqual([]);
    } finally {
      await survivor.stop();
    }
  });

  const untilNothingIsReserved = async (mandate: Mandate): Promise<Mandate> => {
    for (;;) {
      const now = await mandateNow(ana(), mandate);
      if (now.reserved.amount === 0) return now;
      await sleep(20);
    }
  };
});
