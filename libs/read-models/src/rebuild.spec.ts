import { setTimeout as sleep } from 'node:timers/promises';
import { DocumentsUnavailable } from '#documents';
import type { Position } from '#event-store';
import { FixedClock, until } from '#testing';
import { CHECKPOINTS } from './checkpoints.js';
import { beginGeneration, GENERATIONS, generationsOf, RebuildOvertaken, switchTo } from './generations.js';
import { LeasedProjector, leaseOf } from './leased-projector.js';
import { ProjectionStopped } from './projected.js';
import { ReadModels } from './read-models.js';
import { rebuild, type Rebuilding, RebuildUnderWay } from './rebuild.js';
import { closed, opened } from './testing/delegation-log.js';
import { cutStore } from './testing/cut-store.js';
import { openMandates, TOTAL } from './testing/open-mandates.projection.js';
import { documentsIn, openSetting, type Setting } from './testing/setting.js';
import { overriding } from '#kernel';

const LEASE = 300;
const PREFIX = 'open-mandates-v1-';

describe('a rebuild', () => {
  let setting: Setting;
  let readModels: ReadModels;
  let progress: number[];
  beforeEach(async () => {
    progress = [];
    setting = await openSetting();
    readModels = new ReadModels(setting.log.store, setting.store, [openMandates], setting.clock, () => undefined);
  });
  afterEach(async () => {
    await readModels.stop();
    await setting.close();
  });

  const rebuilding = (more: Partial<Rebuilding> = {}): Rebuilding => ({
    events: setting.log.store,
    store: setting.store,
    leases: setting.newLeases(),
    lease: LEASE,
    clock: setting.clock,
    grace: 0,
    onError: () => undefined,
    onProgress: (done) => progress.push(done),
    signal: new AbortController().signal,
    ...more,
  });

  /** Reads what a rebuild by another process left, in a process that starts. */
  const startAgain = async (end: Position): Promise<string> => {
    await readModels.stop();
    readModels = new ReadModels(setting.log.store, setting.store, [openMandates], setting.clock, () => undefined);
    await readModels.start();
    await readModels.caughtUp(end);
    return readModels.collectionOf(openMandates);
  };

  it('fills the next generation, equal to the live one, which is dropped', async () => {
    const { log, store } = setting;
    const end = await log.appendTo(1, opened('m1'), opened('m2'), closed('m1', 5));
    const live = await documentsIn(store, await startAgain(end));
    await rebuild(openMandates, rebuilding());
    expect(progress.at(-1)).toBe(1);
    expect(await store.collections(PREFIX)).toEqual([`${PREFIX}2`]);
    expect(await documentsIn(store, await startAgain(end))).toEqual(live);
    expect(await startAgain(await log.appendTo(1, opened('m3')))).toBe(`${PREFIX}2`);
    expect(await documentsIn(store, `${PREFIX}2`)).toEqual(await log.folded());
  });

  it('of an empty log is an empty read model', async () => {
    await rebuild(openMandates, rebuilding());
    expect(await documentsIn(setting.store, await startAgain(''))).toEqual({});
    expect(readModels.collectionOf(openMandates)).toBe(`${PREFIX}2`);
  });

  it('beside running processes shows readers the old data and then the new, never less', async () => {
    const { log, store, clock, newLeases } = setting;
    const onError = () => undefined;
    const reader = new ReadModels(log.store, store, [openMandates], clock, onError);
    await reader.follow();
    const parts = { events: log.store, store, leases: newLeases(), clock, lease: LEASE, onError };
    const active = new LeasedProjector([openMandates], parts);
    active.start();
    await reader.caughtUp(await log.appendTo(1, opened('m0')));

    const ended = new AbortController();
    const rebuilt = rebuild(openMandates, rebuilding({ grace: 2_500 })).finally(() => ended.abort());
    const seen = new Set<string>();
    let count = 1;
    let known = 1;
    const read = async () => {
      const least = known;
      try {
        const collection = reader.collectionOf(openMandates);
        const total = await store.get<{ readonly opened: number }>(collection, TOTAL);
        seen.add(collection);
        expect(total?.body.opened ?? 0).toBeGreaterThanOrEqual(least);
      } catch (error) {
        // On a very busy machine it has not heard of the store for too long: then it shows nothing, rather than less.
        if (!(error instanceof DocumentsUnavailable)) throw error;
      }
      await sleep(1);
    };
    const reading = (async () => {
      while (!ended.signal.aborted) await read();
    })();
    while (!ended.signal.aborted) {
      const position = await log.appendTo(1, opened(`m${count}`));
      count += 1;
      if (await reader.waitFor({ category: 'delegation' }, position)) known = count;
      await sleep(5);
    }
    await Promise.all([rebuilt, reading]);
    while (seen.size < 2) await read();
    expect([...seen]).toEqual([`${PREFIX}1`, `${PREFIX}2`]);
    // The one that was at work before takes up the new generation.
    expect(await reader.waitFor({ category: 'delegation' }, await log.appendTo(2, opened('last')), 60_000)).toBe(true);
    expect(await documentsIn(store, `${PREFIX}2`)).toEqual(await log.folded());
    await active.stop();
    await reader.stop();
    expect(await store.collections(PREFIX)).toEqual([`${PREFIX}2`]);
  });

  it('takes its place only once it shows all that the live one does by then', async () => {
    const { log, store } = setting;
    const first = await log.appendTo(1, opened('m1'));
    await startAgain(first);
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let shown: object = {};
    const slow = overriding(store, {
      /** The new one gets no further than the first event until somebody waits for it. */
      putGuarded: async (collection, writes) => {
        if (collection === `${PREFIX}2` && writes.some(({ position }) => position > first)) await gate;
        return store.putGuarded(collection, writes);
      },
      replace: async (collection, id, version, body) => {
        if (collection === GENERATIONS.name && Reflect.get(body, 'building') === null) {
          shown = await documentsIn(store, `${PREFIX}2`);
          open();
        }
        return store.replace(collection, id, version, body);
      },
    });
    /** The live one gets further as soon as the new one holds what there was at first. */
    const head = async () => {
      const documents = await documentsIn(store, `${PREFIX}2`);
      if ('m1' in documents) await readModels.caughtUp(await log.appendTo(1, opened('m2')));
      return log.store.head();
    };
    const events = overriding(log.store, { head });
    const clock = new (class extends FixedClock {
      override after(milliseconds: number, callback: () => void) {
        if (milliseconds > 1_000) open(); // longer than anything else waits here
        return super.after(milliseconds, callback);
      }
    })();
    await rebuild(openMandates, rebuilding({ store: slow, events, clock }));
    expect(shown).toHaveProperty('m2');
    expect(await documentsIn(store, `${PREFIX}2`)).toEqual(await log.folded());
  });

  it('that is interrupted leaves the live one alone, and the next one clears up after it', async () => {
    const { log, store } = setting;
    const end = await log.appendTo(1, opened('m1'), opened('m2'));
    await startAgain(end);
    const interruption = new AbortController();
    const stuck = cutStore(store, 1);
    const onError = () => interruption.abort(new Error('interrupted'));
    const { signal } = interruption;
    await expect(rebuild(openMandates, rebuilding({ store: stuck, onError, signal }))).rejects.toThrow('interrupted');
    expect(await store.collections(PREFIX)).toEqual([`${PREFIX}1`, `${PREFIX}2`]);
    expect(await startAgain(end)).toBe(`${PREFIX}1`);
    await rebuild(openMandates, rebuilding());
    expect(await store.collections(PREFIX)).toEqual([`${PREFIX}3`]);
    expect(await documentsIn(store, await startAgain(end))).toEqual(await log.folded());
  });

  it('that is ended after its switch leaves the one before to those that still read it', async () => {
    const { log, store } = setting;
    await startAgain(await log.appendTo(1, opened('m1')));
    const ended = new AbortController();
    const rebuilt = rebuild(openMandates, rebuilding({ grace: 3_600_000, signal: ended.signal }));
    await until(async () => (await generationsOf(store, openMandates)).live !== 1);
    ended.abort();
    await rebuilt;
    expect(await store.collections(PREFIX)).toEqual([`${PREFIX}1`, `${PREFIX}2`]);
  });

  it('is refused while another process does the same, and goes on once that one has died', async () => {
    const { store, clock, newLeases } = setting;
    await store.prepare(CHECKPOINTS);
    await store.prepare(GENERATIONS);
    const number = await beginGeneration(store, openMandates);
    const lease = leaseOf(`${PREFIX}${number}`);
    await newLeases().hold(lease, LEASE);
    await expect(rebuild(openMandates, rebuilding())).rejects.toThrow(RebuildUnderWay);
    const leases = newLeases();
    for (let look = 0; look < 3; look += 1) {
      expect(await leases.isHeld(lease)).toBe(look < 2);
      clock.advance(LEASE / 2);
    }
    await rebuild(openMandates, rebuilding({ leases }));
    // The first was only paused: what it built cannot become live any more.
    await expect(switchTo(store, openMandates, number)).rejects.toThrow(RebuildOvertaken);
  });

  it('stops at an event that cannot be read, and the live one stays', async () => {
    const { log } = setting;
    const readable = await log.appendTo(1, opened('m1'));
    await startAgain(readable);
    await log.append('delegation-holder.agent2', { type: 'AgentCloned', data: {} });
    await expect(rebuild(openMandates, rebuilding())).rejects.toThrow(ProjectionStopped);
    expect(await startAgain(readable)).toBe(`${PREFIX}1`);
  });
});
