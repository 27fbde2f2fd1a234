import { openForEach, until } from '#testing';
import fc from 'fast-check';
import type { ReadModelStore } from '#documents';
import { BEGINNING, type Position } from '#event-store';
import { nextTurn, overriding } from '#kernel';
import { loadCheckpoint } from './checkpoints.js';
import { sizeOf } from './folded-collection.js';
import { Projected, ProjectionStopped } from './projected.js';
import type { Projection } from './projection.js';
import { Projector } from './projector.js';
import { anySteps, foreign, opened, type Step } from './testing/delegation-log.js';
import { Cut, cutStore } from './testing/cut-store.js';
import { openMandates, TOTAL } from './testing/open-mandates.projection.js';
import { documentsIn, newCollection, openSetting } from './testing/setting.js';
import { embeddedIt } from './testing/stores.js';

describe('collections that are projected together', () => {
  const setting = openForEach(() => openSetting());

  const modelOf = (collection: string, projection: Projection<object> = openMandates) =>
    new Projected(projection, collection, setting.clock);

  const together = (
    models: readonly Projected[],
    store: ReadModelStore = setting.store,
    onError: (error: unknown, of: string) => void = fail,
  ) => {
    const { log, clock } = setting;
    return new Projector(models, { events: log.store, store, clock, onError: (of, error) => onError(error, of) });
  };

  const bring = async (end: Position, collections: readonly string[], store?: ReadModelStore) => {
    const models = collections.map((collection) => modelOf(collection));
    const projector = together(models, store);
    projector.start();
    await Promise.all(models.map((model) => model.caughtUp(end)));
    await projector.stop();
  };

  it('store how far all of them are in one write, also those that no event was for, and load nothing that begins after they began', async () => {
    const { log, store } = setting;
    const collections = [await newCollection(store), await newCollection(store)];
    const calls: string[] = [];
    const counted = Object.assign(Object.create(store) as ReadModelStore, {
      putGuarded: (...[name, writes]: Parameters<ReadModelStore['putGuarded']>) => {
        calls.push(`put ${writes.length} ${name}`);
        return store.putGuarded(name, writes);
      },
      getGuarded: (...[name, ids]: Parameters<ReadModelStore['getGuarded']>) => {
        calls.push(`get ${name}`);
        return store.getGuarded(name, ids);
      },
    });
    // As a list of bookings is: each has the id of its stream, and begins with it.
    const own = { ...openMandates, documentsOf: ({ id }: { readonly id: string }) => [id] };
    const ofOthers = openMandates.from.map((reader) => ({ ...reader, category: 'ticket', schemas: reader.schemas }));
    const silent = modelOf(await newCollection(store), { ...own, from: ofOthers });
    const models = [...collections.map((collection) => modelOf(collection, own)), silent];
    const projector = together(models, counted);
    projector.start();
    await Promise.all(models.map((model) => model.caughtUp(BEGINNING)));
    const first = await log.appendTo(1, opened('m1'));
    await Promise.all(models.map((model) => model.caughtUp(first)));
    await until(() => calls.some((call) => call.endsWith(' checkpoints')));
    calls.length = 0; // what is stored of a silence has just been
    const end = await log.appendTo(2, opened('m2'));
    await Promise.all(models.map((model) => model.caughtUp(end)));
    await projector.stop();
    const written = collections.map((name) => `put 1 ${name}`);
    expect([...new Set(calls)].sort()).toEqual([...written, 'put 3 checkpoints']);
  });

  it('hold what each alone would, wherever it stood and wherever they were cut before', async () => {
    const { log, store } = setting;
    let round = 0;
    const folds = async (steps: readonly Step[], earlier: number, cut: number) => {
      round += 1;
      const collections = [await newCollection(store), await newCollection(store)];
      let end = BEGINNING;
      for (const [place, step] of steps.entries()) {
        end = await log.take(step, round);
        if (place === earlier) await bring(end, collections.slice(0, 1));
      }
      const broken = cutStore(store, cut);
      const models = collections.map((collection) => modelOf(collection));
      const errors: unknown[] = [];
      const projector = together(models, broken, (error) => {
        errors.push(error);
        broken.mend();
      });
      projector.start();
      await Promise.all(models.map((model) => model.caughtUp(end)));
      await projector.stop();
      for (const error of errors) expect(error).toBeInstanceOf(Cut);
      const expected = await log.folded();
      for (const collection of collections) expect(await documentsIn(store, collection)).toEqual(expected);
      // What was cut while all was written but how far that is: whoever comes next stores it.
      if (broken.written() >= cut) await bring(end, collections);
      for (const collection of collections) {
        expect(await documentsIn(store, collection)).toEqual(expected);
        const { position = '', lastEvent } = (await loadCheckpoint(store, collection)) ?? {};
        expect(lastEvent).toBe(end);
        expect(position >= end).toBe(true); // events of others may have been passed since
      }
    };
    const places = fc.tuple(fc.integer({ min: 0, max: 14 }), fc.integer({ min: 0, max: 20 }));
    await fc.assert(
      fc.asyncProperty(anySteps, places, (some, [earlier, cut]) => folds(some, earlier, cut)),
      { numRuns: 30 },
    );
  });

  it('are written once for all that the log held at the beginning, which is read once', async () => {
    const { log, store } = setting;
    let end = BEGINNING;
    // More than are handled together.
    for (let agent = 0; agent < 3; agent += 1)
      end = await log.appendTo(agent, ...Array.from({ length: 400 }, (_, n) => opened(`m${agent}-${n}`)));
    const collections = [await newCollection(store), await newCollection(store)];
    let totals = 0;
    const counted = overriding(store, {
      putGuarded: (name, writes) => {
        totals += writes.filter(({ id }) => id === TOTAL).length;
        return store.putGuarded(name, writes);
      },
    });
    let subscriptions = 0;
    const subscribe = log.store.subscribe.bind(log.store);
    log.store.subscribe = (options) => {
      subscriptions += 1;
      return subscribe(options);
    };
    await bring(end, collections, counted);
    expect(subscriptions).toBe(1);
    expect(totals).toBe(2);
    for (const collection of collections) expect(await documentsIn(store, collection)).toEqual(await log.folded());
  });

  it('stop each before the event that it cannot read, and bring on the others', async () => {
    const { log, store } = setting;
    const before = await log.appendTo(1, opened('m1'));
    await log.append('delegation-holder.agent9', { type: 'Unknown', data: {} });
    const end = await log.appendTo(1, opened('m2'));
    const reading = { ...openMandates, from: [{ category: 'delegation', decode: (event: never) => event }] as never };
    const strict = modelOf(await newCollection(store));
    const lenient = modelOf(await newCollection(store), { ...reading, name: 'lenient' });
    const told: unknown[] = [];
    const projector = together([strict, lenient], store, (error, of) => told.push([of, error]));
    projector.start();
    await lenient.caughtUp(end);
    await expect(strict.caughtUp(end)).rejects.toThrow(ProjectionStopped);
    await projector.stop();
    expect(told).toEqual([['open-mandates', strict.failure]]);
    expect(strict.failure?.message).toContain(`stopped, at position ${before}: `);
    expect(await loadCheckpoint(store, strict.collection)).toMatchObject({ position: before });
    expect(Object.keys(await documentsIn(store, strict.collection))).toContain('m1');
    expect(await loadCheckpoint(store, lenient.collection)).toMatchObject({ lastEvent: end });
  });

  it('go on without one that fails, which tries again by itself', async () => {
    const { log, store } = setting;
    const [healthy, failing] = [modelOf(await newCollection(store)), modelOf(await newCollection(store))];
    let isBroken = true;
    const broken = overriding(store, {
      putGuarded: (name, writes) =>
        isBroken && name === failing.collection
          ? Promise.reject(new Cut('of this one'))
          : store.putGuarded(name, writes),
    });
    const errors: unknown[] = [];
    const projector = together([healthy, failing], broken, (error) => errors.push(error));
    projector.start();
    const first = await log.appendTo(1, opened('m1'));
    for (const id of ['m2', 'm3']) await healthy.caughtUp(await log.appendTo(1, opened(id)));
    while (errors.length < 2) await nextTurn();
    expect(failing.progress.position < first).toBe(true);
    isBroken = false;
    const end = await log.appendTo(1, opened('m4'));
    await Promise.all([healthy, failing].map((model) => model.caughtUp(end)));
    await projector.stop();
    for (const { collection } of [healthy, failing])
      expect(await documentsIn(store, collection)).toEqual(await log.folded());
  });

  const failing = (): never => {
    throw new Error('of the projection');
  };
  it.each([
    ['projection', { documentsOf: failing }],
    ['reader', { from: openMandates.from.map((reader) => ({ ...reader, decode: failing })) as never }],
  ])('go on without one whose %s throws', async (_, changes) => {
    const { log, store } = setting;
    const healthy = modelOf(await newCollection(store));
    const broken = modelOf(await newCollection(store), { ...openMandates, ...changes });
    const errors: unknown[] = [];
    const projector = together([broken, healthy], store, (error) => errors.push(error));
    projector.start();
    await healthy.caughtUp(await log.appendTo(1, opened('m1')));
    await healthy.caughtUp(await log.appendTo(1, opened('m2')));
    await projector.stop();
    expect(errors).toContainEqual(new Error('of the projection'));
    expect(await documentsIn(store, healthy.collection)).toEqual(await log.folded());
  });

  embeddedIt(
    'know of their last event where nothing of theirs comes after',
    'a server tells of silences one by one, each after a while',
    async () => {
      const { log, store } = setting;
      const collection = await newCollection(store);
      const last = await log.appendTo(1, opened('m1'));
      await bring(last, [collection]);
      const end = await log.append('ticket-stock', foreign(1));
      await bring(end, [collection]);
      expect(await loadCheckpoint(store, collection)).toMatchObject({ position: end, lastEvent: last });
    },
  );

  it('know roughly how large a value is', () => {
    expect(sizeOf({ name: 'four', more: [1, null, { yes: true }] })).toBe(8 + 4 + (8 + 8 + 8 + (8 + 8)));
  });
});

const fail = (error: unknown): never => {
  throw error;
};
