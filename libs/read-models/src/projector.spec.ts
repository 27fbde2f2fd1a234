import fc from 'fast-check';
import type { ReadModelStore } from '#documents';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BEGINNING, type Position } from '#event-store';
import { FixedClock, ManualClock, openForEach } from '#testing';
import { CHECKPOINTS, loadCheckpoint } from './checkpoints.js';
import { recorded, type RecordedEvent } from './projection.js';
import type { FoldedBatch } from './projected.js';
import { LoneProjector } from './testing/lone-projector.js';
import { FoldedCollection } from './folded-collection.js';
import { anySteps, closed, type DelegationLog, foreign, opened, type Step } from './testing/delegation-log.js';
import { Cut, cutStore } from './testing/cut-store.js';
import { openMandates, TOTAL } from './testing/open-mandates.projection.js';
import { documentsIn, newCollection, openSetting } from './testing/setting.js';
import { embeddedIt } from './testing/stores.js';
import { overriding } from '#kernel';

/** Folds events into the documents of a collection, knowing none of them; false where another one was ahead. */
const fold = async (store: ReadModelStore, collection: string, events: readonly RecordedEvent[]): Promise<boolean> => {
  const target = { projection: openMandates, collection, reach: () => undefined };
  const folded = new FoldedCollection(target, null, BEGINNING, store, new FixedClock());
  for (const event of events) folded.add(event);
  await folded.fold();
  return folded.write();
};

describe('the projector', () => {
  const setting = openForEach(async () => {
    const opened = await openSetting();
    return { ...opened, collection: await newCollection(opened.store) };
  });

  const projector = (
    collection: string,
    store: ReadModelStore = setting.store,
    onError: (error: unknown) => void = fail,
  ) =>
    new LoneProjector(openMandates, collection, {
      events: setting.log.store,
      store,
      clock: setting.clock,
      onError: (_, error) => onError(error),
    });

  /** Runs projectors side by side until each holds everything up to `position`. */
  const run = async (position: Position, ...projectors: readonly LoneProjector[]) => {
    for (const one of projectors) one.start();
    await Promise.all(projectors.map((one) => one.caughtUp(position)));
    await Promise.all(projectors.map((one) => one.stop()));
  };

  /** A run whose store breaks after `writes` guarded writes, and two projectors at once afterwards. */
  const cutAndReplay = async (writes: number, position: Position): Promise<string> => {
    const collection = await newCollection(setting.store);
    const errors: unknown[] = [];
    const broken = cutStore(setting.store, writes);
    const whenCut = new Promise<void>((resolve) => {
      const first = projector(collection, broken, (error) => {
        errors.push(error);
        resolve(first.stop());
      });
      first.start();
    });
    await whenCut;
    expect(errors[0]).toBeInstanceOf(Cut);
    expect(broken.written()).toBe(writes);
    await run(position, projector(collection), projector(collection));
    return collection;
  };

  it('leaves what a clean run leaves when a batch is cut after each single write and replayed by two at once', async () => {
    const { log, store } = setting;
    const agents = ['delegation-holder.agent1', 'delegation-holder.agent2'];
    await log.appendTo(1, opened('m1', 10), opened('m2', 20));
    await log.appendTo(2, opened('m3', 30), closed('m3', 7));
    const end = await log.appendTo(1, closed('m2', 5), opened('m4'));
    const ids = ['m1', 'm2', 'm3', 'm4', TOTAL, ...agents];
    const clean = await newCollection(store);
    await run(end, projector(clean));
    expect(await documentsIn(store, clean)).toEqual(await log.folded());
    // Seven documents and the checkpoint: eight places to be cut at.
    for (let writes = 0; writes <= ids.length; writes += 1) {
      const collection = await cutAndReplay(writes, end);
      const [replayed, expected] = await Promise.all([collection, clean].map((name) => store.getGuarded(name, ids)));
      expect(replayed).toHaveLength(ids.length);
      expect(replayed).toEqual(expect.arrayContaining([...(expected ?? [])]));
    }
  });

  it('folds any log to the same documents wherever its batches are cut', async () => {
    const { log, store } = setting;
    let round = 0;
    const folds = async (steps: readonly Step[], cut: number) => {
      round += 1;
      let end = '';
      for (const step of steps) end = await log.take(step, round);
      const expected = await log.folded();
      const touched = Object.keys(expected).length;
      const collection = await cutAndReplay(Math.min(cut, touched), end);
      expect(await documentsIn(store, collection)).toEqual(expected);
    };
    await fc.assert(fc.asyncProperty(anySteps, fc.integer({ min: 0, max: 12 }), folds), { numRuns: 15 });
  });

  it('counts exactly when the whole log is replayed into its own documents', async () => {
    const { log, store, collection } = setting;
    await log.appendTo(1, opened('m1'), closed('m1', 5), opened('m2'));
    const end = await log.appendTo(2, opened('m3'));
    await run(end, projector(collection));
    await store.delete('checkpoints', collection);
    await run(end, projector(collection));
    expect(await store.get(collection, TOTAL)).toMatchObject({ body: { opened: 3, closed: 1, spent: 5 } });
    expect(await documentsIn(store, collection)).toEqual(await log.folded());
  });

  it('does not let a projector that is behind bring back what came and went', async () => {
    const { log, store, collection } = setting;
    await log.appendTo(1, opened('m1'), closed('m1'));
    const events = await eventsIn(log);
    expect(await fold(store, collection, events)).toBe(true);
    expect(await fold(store, collection, events.slice(0, 1))).toBe(true);
    expect(await store.get(collection, 'm1')).toBeNull();
  });

  it('does a batch again when another projector, with less of the log, came in between', async () => {
    const { log, store, collection } = setting;
    const end = await log.appendTo(1, opened('m1'), opened('m2'), closed('m1', 3));
    const [first] = await eventsIn(log);
    const interrupted = overriding(store, {
      getGuarded: async (from, ids) => {
        const found = await store.getGuarded(from, ids);
        if (first && from === collection) await fold(store, collection, [first]);
        return found;
      },
    });
    await run(end, projector(collection, interrupted));
    expect(await documentsIn(store, collection)).toEqual(await log.folded());
  });

  it('goes on from where another projector is that has got further, and folds nothing of that again', async () => {
    const { log, store, collection } = setting;
    const first = await log.appendTo(1, opened('m1'));
    let end = first;
    const overtaken = overriding(store, {
      putGuarded: async (name, writes) => {
        if (name === CHECKPOINTS.name && end === first) {
          end = await log.appendTo(1, opened('m2'), closed('m2', 1));
          await run(end, projector(collection));
        }
        return store.putGuarded(name, writes);
      },
    });
    const folded: Position[] = [];
    const documentsOf: typeof openMandates.documentsOf = (event) => {
      folded.push(event.position);
      return openMandates.documentsOf(event);
    };
    const parts = { events: log.store, store: overtaken, clock: setting.clock, onError: fail };
    const late = new LoneProjector({ ...openMandates, documentsOf }, collection, parts);
    late.start();
    await late.caughtUp(first);
    while (end === first || late.progress.position < end) await nextTurn();
    await late.stop();
    expect(folded).toEqual([first]);
    expect(await documentsIn(store, collection)).toEqual(await log.folded());
  });

  it('loads no document again that it has written, and folds the same', async () => {
    const { log, store, collection } = setting;
    const loaded: string[] = [];
    const told = overriding(store, {
      getGuarded: (from, ids) => {
        if (from === collection) loaded.push(...ids);
        return store.getGuarded(from, ids);
      },
    });
    const live = projector(collection, told);
    live.start();
    for (const event of [opened('m1'), opened('m2'), closed('m1', 3), opened('m1'), closed('m2', 4)])
      await live.caughtUp(await log.appendTo(1, event));
    await live.stop();
    expect(loaded.length).toBeGreaterThan(0);
    expect(new Set(loaded).size).toBe(loaded.length);
    expect(await documentsIn(store, collection)).toEqual(await log.folded());
  });

  it('misses and repeats no event while 32 writers are busy', async () => {
    const { log, store, collection } = setting;
    const live = projector(collection);
    live.start();
    const writers = Array.from({ length: 32 }, async (_, writer) => {
      let last = '';
      for (let n = 0; n < 20; n += 1)
        last = await log.appendTo(writer, opened(`m${writer}-${n}`), closed(`m${writer}-${n}`, 1));
      return last;
    });
    const ends = await Promise.all(writers);
    await live.caughtUp(ends.toSorted().at(-1) ?? '');
    await live.stop();
    expect(await store.get(collection, TOTAL)).toMatchObject({ body: { opened: 640, closed: 640, spent: 640 } });
    expect(await documentsIn(store, collection)).toEqual(await log.folded());
  });

  it('folds together what comes before its pace lets it go on', async () => {
    const { log, store } = setting;
    const clock = new ManualClock();
    const folded: FoldedBatch[] = [];
    const onBatch = (batch: FoldedBatch) => void folded.push(batch);
    const parts = { events: log.store, store, clock, onError: fail };
    const paced = new LoneProjector(openMandates, await newCollection(store), { ...parts, pace: () => 1_000, onBatch });
    const beside = new LoneProjector(openMandates, await newCollection(store), parts);
    for (const one of [paced, beside]) one.start();
    await paced.caughtUp(await log.appendTo(1, opened('m1')));
    let end = '';
    for (const name of ['m2', 'm3', 'm4', 'm5']) await beside.caughtUp((end = await log.appendTo(1, opened(name))));
    const causes = [{ correlationId: 'test', causationId: 'test' }];
    expect(folded).toEqual([{ projection: 'open-mandates', events: 1, causes, outcome: 'folded', seconds: 0 }]);
    const reached = paced.caughtUp(end).then(() => true);
    while (!(await Promise.race([reached, nextTurn().then(() => false)]))) clock.advance(1_000);
    expect(folded.length).toBeLessThan(5);
    await Promise.all([paced.stop(), beside.stop()]);
  });

  it('goes on after the last stored checkpoint when it is started again', async () => {
    const { log, store, collection } = setting;
    await run(await log.appendTo(1, opened('m1'), opened('m2')), projector(collection));
    const end = await log.appendTo(1, closed('m1', 3));
    const seen: string[] = [];
    const documentsOf: typeof openMandates.documentsOf = (event) => {
      seen.push(event.type);
      return openMandates.documentsOf(event);
    };
    await run(
      end,
      new LoneProjector({ ...openMandates, documentsOf }, collection, {
        events: log.store,
        store,
        clock: setting.clock,
        onError: (_, error) => fail(error),
      }),
    );
    expect(seen).toEqual(['MandateClosed']);
    expect(await documentsIn(store, collection)).toEqual(await log.folded());
  });

  it('tells of an error, tries again and loses nothing', async () => {
    const { log, store, collection } = setting;
    const end = await log.appendTo(1, opened('m1'), opened('m2'));
    const broken = cutStore(store, 1);
    const errors: unknown[] = [];
    const trying = projector(collection, broken, (error) => {
      if (errors.push(error) === 2) broken.mend();
    });
    await run(end, trying);
    expect(errors).toEqual([expect.any(Cut), expect.any(Cut)]);
    expect(await documentsIn(store, collection)).toEqual(await log.folded());
  });

  it('waits before another try, twice as long each time but ten seconds at most, and briefly again after one that went well', async () => {
    const { log, store } = setting;
    const clock = new WaitingClock();
    const broken = cutStore(store, 0);
    const parts = { events: log.store, store: broken, clock, onError: () => undefined };
    const trying = new LoneProjector(openMandates, await newCollection(store), parts);
    const end = await log.appendTo(1, opened('m1'));
    trying.start();
    const waits = async (count: number) => {
      while (clock.waits.length < count) {
        clock.advance(10_000);
        await nextTurn();
      }
    };
    await waits(10);
    expect(clock.waits).toEqual([50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
    broken.mend();
    for (const over = trying.caughtUp(end).then(() => true); !(await Promise.race([over, nextTurn()]));)
      clock.advance(10_000);
    store.putGuarded = () => Promise.reject(new Cut('again'));
    await log.appendTo(1, opened('m2'));
    const before = clock.waits.length;
    await waits(before + 2);
    expect(clock.waits.slice(before)).toEqual([50, 100]);
    await trying.stop();
  });

  it('stores how far a silence reaches, though nothing comes after it', async () => {
    const { log, store, collection } = setting;
    const live = projector(collection);
    live.start();
    let end = '';
    for (let first = 0; first < 3; first += 1) end = await log.append('ticket-stock', foreign(first));
    const stored = async () => (await loadCheckpoint(store, collection))?.position ?? '';
    while ((await stored()) < end) await nextTurn();
    expect(await loadCheckpoint(store, collection)).toMatchObject({ position: end, lastEvent: BEGINNING });
    await live.stop();
  });

  embeddedIt(
    'stores the first silence that it comes to at once, and further ones after a while',
    'a server tells of silences one by one, each after a while',
    async () => {
      const { log, store } = setting;
      const clock = new ManualClock();
      const collection = await newCollection(store);
      const live = new LoneProjector(openMandates, collection, { events: log.store, store, clock, onError: fail });
      const stored = async () => (await loadCheckpoint(store, collection))?.position;
      let end = await log.append('ticket-stock', foreign(0));
      live.start();
      await live.caughtUp(end);
      for (let first = 1; first < 3; first += 1)
        await live.caughtUp((end = await log.append('ticket-stock', foreign(first))));
      expect(await stored()).toBeDefined();
      expect(await stored()).not.toBe(end);
      while ((await stored()) !== end) {
        clock.advance(500);
        await nextTurn();
      }
      await live.stop();
    },
  );

  embeddedIt(
    'stands past events it does not read at once, without a write for each',
    'a server tells of silences one by one, each after a while',
    async () => {
      const { log, store, collection } = setting;
      const counting = cutStore(store, Infinity);
      const live = projector(collection, counting);
      live.start();
      for (let first = 0; first < 50; first += 1) {
        const position = await log.append('ticket-stock', foreign(first));
        expect(await live.progress.waitFor(position, 60_000)).toBe(true);
      }
      await live.stop();
      expect(counting.written()).toBeLessThan(25); // one for each half a second in which nothing comes
    },
  );
});

class WaitingClock extends ManualClock {
  readonly waits: number[] = [];

  override pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.waits.push(milliseconds);
    return super.pause(milliseconds, signal);
  }
}

const eventsIn = async (log: DelegationLog): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for await (const stored of log.store.readAll(null)) events.push(recorded(openMandates, stored));
  return events;
};

/** Fails the case that is running: nothing was to go wrong. */
const fail = (error: unknown): never => {
  throw error;
};
