import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ReadModelStore } from '#documents';
import { BEGINNING, type Position } from '#event-store';
import { loadCheckpoint } from './checkpoints.js';
import { passOverLog } from './one-pass.js';
import { Projector } from './projector.js';
import { closed, opened } from './testing/delegation-log.js';
import { Cut, CutStore } from './testing/cut-store.js';
import { openMandates } from './testing/open-mandates.projection.js';
import { documentsIn, newCollection, openSetting, type Setting } from './testing/setting.js';

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
    const counted = new CutStore(store, Infinity);
    await pass(
      end,
      collections.map((collection) => projectorOf(collection)),
      counted,
    );
    // Of each: five mandates, the agent, the total, the checkpoint.
    expect(counted.written).toBe(2 * 8);
  });

  it('leaves a collection before the event that it cannot read, and brings on the others', async () => {
    const { log, store } = setting;
    await log.appendTo(1, opened('m1'));
    const end = await log.append('delegation-holder.agent9', { type: 'Unknown', data: {} });
    const [strict, lenient] = [projectorOf(await newCollection(store)), await newCollection(store)];
    const reading = { ...openMandates, from: [{ category: 'delegation', decode: (event: never) => event }] as never };
    const others = new Projector(reading, lenient, {
      ...{ events: log.store, store, clock: setting.clock, onError: fail },
    });
    expect(await pass(end, [strict, others])).toEqual([others]);
    expect(await loadCheckpoint(store, strict.collection)).toBeNull();
    expect(await loadCheckpoint(store, lenient)).toMatchObject({ position: end });
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
