import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { swept } from '../../../test/support/sweep.js';
import { type Delivery, NO_STREAM, type StoredEvent, type SubscriptionOptions } from './event-store.port.js';
import { FollowedPlaces } from './followed-places.js';
import type { HashedPlaces } from './log-scan.port.js';
import { type Position } from './stored-event.js';
import { MemoryEventStore } from './testing/index.js';
import { all, sample, samples } from './testing/sample-events.js';

/** A log whose subscription is as slow as it is told, and that notes what is read of it besides. */
class Followed extends MemoryEventStore {
  read = 0;
  open = 0;
  /** What is delivered is held from here on; null: nothing is. */
  held: Promise<void> | null = null;
  fails = false;

  override async *readPlaces(...of: Parameters<MemoryEventStore['readPlaces']>): AsyncGenerator<HashedPlaces> {
    for await (const page of super.readPlaces(...of)) {
      this.read += page.places.length;
      yield page;
    }
  }

  override async *subscribe(options: SubscriptionOptions): AsyncGenerator<Delivery> {
    this.open += 1;
    try {
      for await (const delivery of super.subscribe(options)) {
        await this.held;
        if (this.fails) throw new Error('the subscription failed');
        yield delivery;
      }
    } finally {
      this.open -= 1;
    }
  }
}

const EXCEPT = 'traffic';
let streams = 0;
const written = (log: Followed, count: number, category = 'order') =>
  log.append(`${category}-${(streams += 1)}`, NO_STREAM, samples(count));
const asPlace = ({ stream, revision, position, metadata: { hash } }: StoredEvent) => ({
  ...{ stream, revision, hash, position },
});
const placesIn = (log: Followed, after: Position) =>
  log.all.filter(({ stream, position }) => !stream.startsWith(EXCEPT) && position > after).map(asPlace);
const brought = () => sleep(5);

it('reads no place of the log that the subscription has brought', async () => {
  const log = new Followed();
  const followed = new FollowedPlaces(log);
  await written(log, 300);
  let after = (await all(followed.readPlaces(null, EXCEPT))).at(-1)?.upTo ?? '';
  expect([log.read, log.open]).toEqual([300, 1]);
  for (const count of [1, 600, 0, 40]) {
    await written(log, count);
    await written(log, 700, EXCEPT);
    await brought();
    const pages = await all(followed.readPlaces({ position: after }, EXCEPT));
    expect(pages.flatMap(({ places }) => places)).toEqual(placesIn(log, after));
    expect(Math.max(...pages.map(({ places }) => places.length))).toBeLessThanOrEqual(256);
    after = pages.at(-1)?.upTo ?? '';
    expect(after).toBe(log.all.at(-1)?.position);
  }
  expect(log.read).toBe(300);
  followed.stop();
  await brought();
  expect(log.open).toBe(0);
});

it('takes nothing that another program has written for a place', async () => {
  const log = new Followed();
  const followed = new FollowedPlaces(log);
  await all(followed.readPlaces(null, EXCEPT));
  const foreign = { ...sample(), metadata: '{}' };
  await log.append('order-foreign', NO_STREAM, [foreign]);
  await brought();
  expect(await all(followed.readPlaces(null, EXCEPT))).toEqual([]);
  await written(log, 1);
  const [own] = log.all.slice(-1);
  await log.append('order-foreign', 0, [foreign]);
  await brought();
  const [page, ...others] = await all(followed.readPlaces(null, EXCEPT));
  expect(page).toEqual({ places: own && [asPlace(own)], upTo: own?.position });
  // Nor is the log read again for them.
  await brought();
  expect([await all(followed.readPlaces(own ? { position: own.position } : null, EXCEPT)), others]).toEqual([[], []]);
  expect([log.read, log.open]).toEqual([0, 1]);
  followed.stop();
});

it('reads the log again once more was brought than it keeps', async () => {
  const log = new Followed();
  const followed = new FollowedPlaces(log);
  await all(followed.readPlaces(null, EXCEPT));
  for (let n = 0; n < 34; n += 1) await written(log, 1_000);
  await brought();
  expect(log.open).toBe(0);
  const pages = await all(followed.readPlaces(null, EXCEPT));
  expect(pages.flatMap(({ places }) => places)).toEqual(placesIn(log, ''));
  expect([log.read, log.open]).toEqual([34_000, 1]);
  followed.stop();
});

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ writes: fc.constantFrom('order', 'ticket', EXCEPT), count: fc.nat(300) }) },
  { weight: 3, arbitrary: fc.record({ reads: fc.constantFrom('on', 'on', 'on', 'again', 'a page') }) },
  fc.record({ holds: fc.boolean() }),
  fc.record({ fails: fc.boolean() }),
  fc.record({ waits: fc.nat(2) }),
);

it('gives every place once and in order, wherever the subscription stands and whatever becomes of it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 15 }), async (steps) => {
      const log = new Followed();
      const followed = new FollowedPlaces(log);
      let after = '';
      let release: () => void = () => undefined;
      for (const one of [...steps, { reads: 'on' }] as const) {
        if ('writes' in one) await written(log, one.count, one.writes);
        else if ('fails' in one) log.fails = one.fails;
        else if ('waits' in one) await sleep(one.waits);
        else if ('holds' in one) {
          release();
          log.held = one.holds ? new Promise((resolve) => (release = resolve)) : null;
        } else {
          if (one.reads === 'again') after = log.all[Math.floor(log.all.length / 2)]?.position ?? '';
          const from = after;
          const places = [];
          for await (const page of followed.readPlaces(from === '' ? null : { position: from }, EXCEPT)) {
            places.push(...page.places);
            after = page.upTo;
            if (one.reads === 'a page') break;
          }
          const meant = placesIn(log, from).filter(({ position }) => position <= after);
          expect(places).toEqual(meant);
          if (one.reads !== 'a page') expect(after).toBe(log.all.at(-1)?.position ?? '');
        }
      }
      release();
      followed.stop();
    }),
    { numRuns: swept({ short: 30, middle: 150, full: 3_000 }) },
  );
});
