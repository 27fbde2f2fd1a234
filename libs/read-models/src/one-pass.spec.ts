import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ReadModelStore } from '#documents';
import { BEGINNING, type Position, positionOf } from '#event-store';
import { sizeOf } from './folded-collection.js';
import { loadCheckpoint } from './checkpoints.js';
import { passOverLog } from './one-pass.js';
import { Projector } from './projector.js';
import { closed, foreign, opened } from './testing/delegation-log.js';
import { Cut, CutStore } from './testing/cut-store.js';
import { openMandates } from './testing/open-mandates.projection.js';
import { documentsIn, newCollection, openSetting, type Setting } from './testing/setting.js';
import { embeddedIt } from './testing/stores.js';

describe('a pass over the log', () => {
  let setting: Setting;
  beforeEach(async () => (setting = await openSetting()));
  afterEach(() => setting.close());

  const projectorOf = (collection: string, store: ReadModelStore = setting.store): Projector =>
    new Projector(openMandates, collection, { events: setting.log.store, store, clock: setting.clock, onError: fail });

  const pass = (end: Position, projectors: readonly Projector[], store: ReadModelStore = setting.store) =>
    passOverLog(projectors, end, { events: setting.log.store, store, signal: new AbortController().signal });

  it('leaves what a clean run leaves, wherever each collection stood and wherever the pass before was cut', async () => {
    const { log, store } = setting;
    let round = 0;
    const step = fc.record({
      agent: fc.integer({ min: 1, max: 3 }),
      mandate: fc.integer({ min: 1, max: 4 }),
      isOpening: fc.boolean(),
    });
    const folds = async (
      steps: readonly { agent: number; mandate: number; isOpening: boolean }[],
      earlier: number,
      cut: number,
    ) => {
      round += 1;
      const collections = [await newCollection(store), await newCollection(store)] as const;
      let end = BEGINNING;
      for (const [place, { agent, mandate, isOpening }] of steps.entries()) {
        const id = `m${round}-${mandate}`;
        end = await log.appendTo(agent, isOpening ? opened(id) : closed(id, mandate));
        if (place === earlier) await pass(end, [projectorOf(collections[0])]);
      }
      const broken = new CutStore(store, cut);
      const projectors = collections.map((collection) => projectorOf(collection));
      await pass(end, projectors, broken).catch((error: unknown) => expect(error).toBeInstanceOf(Cut));
      expect(await pass(end, projectors)).toEqual(projectors);
      const expected = await log.folded();
      for (const collection of collections) {
        expect(await documentsIn(store, collection)).toEqual(expected);
        expect(await loadCheckpoint(store, collection)).toMatchObject({ position: end, lastEvent: end });
      }
      expect(projectors.map(({ progress }) => progress.position)).toEqual([end, end]);
    };
    const steps = fc.array(step, { minLength: 1, maxLength: 12 });
    const places = fc.tuple(fc.integer({ min: 0, max: 14 }), fc.integer({ min: 0, max: 20 }));
    await fc.assert(
      fc.asyncProperty(steps, places, (some, [earlier, cut]) => folds(some, earlier, cut)),
      { numRuns: 30 },
    );
  });

  it('reads the log once and writes a document once, however many collections and events there are', async () => {
    const { log, store } = setting;
    let end = BEGINNING;
    for (let round = 0; round < 5; round += 1) end = await log.appendTo(1, opened(`m${round}`), closed(`m${round}`));
    const collections = [await newCollection(store), await newCollection(store)];
    let loads = 0;
    const counted = new (class extends CutStore {
      override getGuarded(collection: string, ids: readonly string[]) {
        loads += 1;
        return super.getGuarded(collection, ids);
      }
    })(store, Infinity);
    await pass(
      end,
      collections.map((collection) => projectorOf(collection)),
      counted,
    );
    // Of each: five mandates, the agent, the total, the checkpoint.
    expect(counted.written).toBe(2 * 8);
    // The checkpoints, and the documents of each.
    expect(loads).toBe(1 + 2);
  });

  it('leaves a collection before the event that it cannot read, and brings on the others', async () => {
    const { log, store } = setting;
    await log.appendTo(1, opened('m1'));
    await log.append('delegation-holder.agent9', { type: 'Unknown', data: {} });
    const end = await log.appendTo(1, opened('m2'));
    const seen: Position[] = [];
    const documentsOf: typeof openMandates.documentsOf = (event) => {
      seen.push(event.position);
      return openMandates.documentsOf(event);
    };
    const parts = { events: log.store, store, clock: setting.clock, onError: fail };
    const strict = new Projector({ ...openMandates, documentsOf }, await newCollection(store), parts);
    const lenient = await newCollection(store);
    const reading = { ...openMandates, from: [{ category: 'delegation', decode: (event: never) => event }] as never };
    const others = new Projector(reading, lenient, parts);
    expect(await pass(end, [strict, others])).toEqual([others]);
    expect(seen).toHaveLength(1);
    expect(await loadCheckpoint(store, strict.collection)).toBeNull();
    expect(await loadCheckpoint(store, lenient)).toMatchObject({ position: end });
  });

  embeddedIt(
    'leaves what a collection knows of its last event where nothing of its comes after',
    'a server tells of silences one by one, each after a while',
    async () => {
      const { log, store } = setting;
      const collection = await newCollection(store);
      const last = await log.appendTo(1, opened('m1'));
      await pass(last, [projectorOf(collection)]);
      const end = await log.append('ticket-stock', foreign(1));
      await pass(end, [projectorOf(collection)]);
      expect(await loadCheckpoint(store, collection)).toMatchObject({ position: end, lastEvent: last });
    },
  );

  it('knows roughly how large a value is', () => {
    expect(sizeOf({ name: 'four', more: [1, null, { yes: true }] })).toBe(8 + 4 + (8 + 8 + 8 + (8 + 8)));
  });

  it('ends once nobody is left in it, wherever the log ends', async () => {
    const { log, store } = setting;
    await log.append('delegation-holder.agent9', { type: 'Unknown', data: {} });
    await log.appendTo(1, ...Array.from({ length: 512 }, (_, n) => opened(`m${n}`)));
    expect(await pass(positionOf(10 ** 15), [projectorOf(await newCollection(store))])).toEqual([]);
  });

  it('leaves a collection to another projector that is ahead', async () => {
    const { log, store } = setting;
    const collection = await newCollection(store);
    const end = await log.appendTo(1, opened('m1'));
    const behind = new CutStore(store, Infinity);
    behind.getGuarded = (name, ids) => (name === collection ? Promise.resolve([]) : store.getGuarded(name, ids));
    await pass(end, [projectorOf(collection)]);
    await store.delete('checkpoints', collection);
    expect(await pass(end, [projectorOf(collection)], behind)).toEqual([]);
    expect(await loadCheckpoint(store, collection)).toBeNull();
    expect(await documentsIn(store, collection)).toEqual(await log.folded());
  });
});

const fail = (_: string, error: unknown): never => {
  throw error;
};
