import { DocumentsUnavailable } from '#documents';
import { type Position, positionOf } from '#event-store';
import { nextTurn, overriding } from '#kernel';
import { LoneProjector } from './testing/lone-projector.js';
import { BeingBuilt, ReadModels } from './read-models.js';
import { AheadOfLog, saveCheckpoints } from './checkpoints.js';
import { Followed, RELIED_ON } from './following.js';
import { beginGeneration, collectionName, switchTo } from './generations.js';
import { ManualClock, until } from '#testing';
import { closed, foreign, opened } from './testing/delegation-log.js';
import { openMandates, TOTAL } from './testing/open-mandates.projection.js';
import { documentsIn, openSetting, type Setting } from './testing/setting.js';

const NOW = '2030-01-01T00:00:00.000Z';

describe('a read model that is followed', () => {
  it('is read while the store tells which collection it is, and not on an old answer', () => {
    const clock = new ManualClock();
    const followed = new Followed(openMandates, 'open-mandates-v1-1', clock);
    expect(followed.collection).toBe('open-mandates-v1-1');
    clock.advance(RELIED_ON + 1);
    expect(() => followed.collection).toThrow(DocumentsUnavailable);
    followed.moveTo('open-mandates-v1-2', null);
    followed.confirm(clock.monotonic());
    expect(followed.collection).toBe('open-mandates-v1-2');
  });

  it('is as far as its collection is, also where that one takes the place of another that was further', async () => {
    const at = (place: number) => {
      const position = positionOf(place);
      return { position, lastEvent: position, goal: position };
    };
    const followed = new Followed(openMandates, 'open-mandates-v1-1', new ManualClock());
    followed.progress.reach(at(9));
    const waiting = followed.caughtUp(positionOf(10));
    followed.moveTo('open-mandates-v1-2', at(7));
    expect(followed.progress.checkpoint).toEqual(at(7));
    expect(followed.progress.isBuilt).toBe(true);
    followed.progress.reach(at(10));
    await waiting;
    followed.moveTo('open-mandates-v1-3', null);
    expect(followed.progress.checkpoint).toBeNull();
  });
});

/** A manual clock that tells for how long (ms) somebody was to sleep. */
class SleepingClock extends ManualClock {
  readonly sleeps: number[] = [];
  asleep = 0;

  override async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.sleeps.push(milliseconds);
    this.asleep += 1;
    await super.sleep(milliseconds, signal);
    this.asleep -= 1;
  }
}

/** The checkpoint of a collection that holds all up to an event and always did. */
const at = (position: Position) => ({ position, lastEvent: position, goal: position });

const fail = (_: string, error: unknown): never => {
  throw error;
};

/** Stops read models whose pauses end only if time passes. */
const stop = async (models: ReadModels, clock: ManualClock): Promise<void> => {
  const stopped = models.stop().then(() => true);
  while (!(await Promise.race([stopped, nextTurn().then(() => false)]))) clock.advance(1_000);
};

const projecting = ({ log, store, clock }: Setting) => ({ events: log.store, store, clock, onError: fail });

describe('a process that follows read models', () => {
  let setting: Setting;
  let looked: number;
  let reader: ReadModels;
  let projector: LoneProjector;
  beforeEach(async () => {
    setting = await openSetting();
    looked = 0;
    const { store } = setting;
    const asked = overriding(store, {
      getGuarded: (collection, ids) => {
        if (collection === 'checkpoints') looked += 1;
        return store.getGuarded(collection, ids);
      },
    });
    reader = new ReadModels(setting.log.store, asked, [openMandates], setting.clock, fail);
    await reader.follow();
    projector = new LoneProjector(openMandates, reader.collectionOf(openMandates), projecting(setting));
  });
  afterEach(async () => {
    await reader.stop();
    await projector.stop();
    await setting.close();
  });

  it('sees a write that it waits for once another process has projected it', async () => {
    const { log, store } = setting;
    projector.start();
    for (let n = 1; n <= 20; n += 1) {
      const position = await log.appendTo(1, opened(`m${n}`));
      expect(await reader.waitFor({ category: 'delegation' }, position, 60_000)).toBe(true);
      expect(await store.get(reader.collectionOf(openMandates), TOTAL)).toMatchObject({ body: { opened: n } });
    }
  });

  it('reads a list that shows what others have written, also where the log ends in events of other lists', async () => {
    const { log, store } = setting;
    reader.patience = 60_000;
    projector.start();
    for (let n = 1; n <= 3; n += 1) {
      await log.appendTo(1, opened(`m${n}`));
      await log.append('ticket-stock', foreign(n));
      expect(await store.get(await reader.upToDate(openMandates), TOTAL)).toMatchObject({ body: { opened: n } });
    }
  });

  it('knows a version that changes with the documents, and none once it cannot rely on the store', async () => {
    const { log, store } = setting;
    projector.start();
    await projector.caughtUp(await log.appendTo(1, opened('m1')));
    const clock = new ManualClock();
    const other = new ReadModels(log.store, store, [openMandates], clock, fail);
    await other.follow();
    const version = other.versionOf(openMandates);
    expect(version).toMatchObject({ collection: other.collectionOf(openMandates) });
    clock.advance(RELIED_ON + 1); // and nothing was heard of the store meanwhile
    expect(other.versionOf(openMandates)).toBeNull();
    expect(() => other.collectionOf(openMandates)).toThrow(DocumentsUnavailable);
    await stop(other, clock);
  });

  it('moves to a collection that took the place of its own with how far that one is', async () => {
    const { log, store } = setting;
    const first = await log.appendTo(1, opened('m1'));
    const number = await beginGeneration(store, openMandates);
    const next = new LoneProjector(openMandates, collectionName(openMandates, number), projecting(setting));
    await store.prepare({ name: next.collection, indexes: openMandates.indexes });
    next.start();
    await next.caughtUp(first);
    await next.stop();
    projector.start();
    const last = await log.appendTo(1, opened('m2'));
    await reader.caughtUp(last);
    expect(reader.versionOf(openMandates)).toEqual({ collection: projector.collection, upTo: last });
    await switchTo(store, openMandates, number);
    await until(() => reader.versionOf(openMandates)?.collection === next.collection);
    expect(reader.versionOf(openMandates)).toEqual({ collection: next.collection, upTo: first });
  });

  it('can be read at once, however long the start took', async () => {
    const { log, store } = setting;
    projector.start();
    await projector.caughtUp(await log.appendTo(1, opened('m1')));
    const clock = new ManualClock();
    let times = 0;
    const slow = overriding(store, {
      getGuarded: (collection, ids) => {
        if (collection === 'checkpoints') times += 1;
        const found = store.getGuarded(collection, ids);
        if (times === 2) clock.advance(RELIED_ON + 1); // while the checkpoints are held against the log
        return found;
      },
    });
    const other = new ReadModels(log.store, slow, [openMandates], clock, fail);
    await other.follow();
    expect(other.collectionOf(openMandates)).toBe(projector.collection);
    await stop(other, clock);
  });

  it('looks ten times a second; where somebody waits again soon, and less often the longer', async () => {
    const { log, store } = setting;
    const clock = new SleepingClock();
    const other = new ReadModels(log.store, store, [openMandates], clock, fail);
    await other.follow();
    /** For how long it sleeps, so many times from now on. */
    const sleeps = async (count: number) => {
      const before = clock.sleeps.length;
      while (clock.sleeps.length < before + count) {
        if (clock.asleep > 0) clock.advance(1); // no look takes any time
        await nextTurn();
      }
      return clock.sleeps.slice(before);
    };
    expect(Math.max(...(await sleeps(4)))).toBe(100);
    const waiting = other.caughtUp(positionOf(1_000)).catch(() => undefined);
    const waits = await sleeps(9);
    const soonest = waits.findIndex((wait) => wait > 0 && wait <= 5);
    expect(soonest).toBeGreaterThanOrEqual(0);
    expect(waits.slice(soonest + 1, soonest + 3).map((wait) => Math.ceil(wait / 10))).toEqual([1, 2]);
    expect(Math.max(...waits.slice(soonest + 3))).toBeLessThanOrEqual(20);
    expect(Math.min(...waits.slice(soonest + 3))).toBeGreaterThan(10);
    await stop(other, clock);
    await waiting;
  });

  it('asks the store once for all who wait', async () => {
    const position = await setting.log.appendTo(1, opened('m1'));
    const before = looked;
    const began = performance.now();
    const waiting = Array.from({ length: 200 }, () => reader.waitFor({ category: 'delegation' }, position, 200));
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: 200 }, () => false));
    const looks = Math.ceil((performance.now() - began) / 20) + 1;
    expect(looked - before).toBeLessThanOrEqual(looks);
    expect(looked - before).toBeGreaterThan(0);
    projector.start();
    const others = Array.from({ length: 200 }, () => reader.waitFor({ category: 'delegation' }, position, 60_000));
    expect(await Promise.all(others)).toEqual(Array.from({ length: 200 }, () => true));
  });

  it('answers false to who waits for what does not come in time, and to who waits when it stops', async () => {
    expect(await reader.waitFor({ category: 'delegation' }, positionOf(1_000), 30)).toBe(false);
    const waiting = reader.waitFor({ category: 'delegation' }, positionOf(1_000), 60_000);
    await reader.stop();
    expect(await waiting).toBe(false);
  });

  it('tells how far behind they are, in positions and in seconds', async () => {
    const { log } = setting;
    expect(await reader.lag(NOW)).toEqual(new Map([['open-mandates', { distance: 0, seconds: 0 }]]));
    const end = await log.appendTo(1, opened('m1'), opened('m2'));
    const behind = {
      distance: Number(end),
      seconds: (Date.parse(NOW) - Date.parse('2026-01-15T12:00:00.000Z')) / 1_000,
    };
    expect(await reader.lag(NOW)).toEqual(new Map([['open-mandates', behind]]));
    projector.start();
    await reader.caughtUp(end);
    expect(await reader.lag(NOW)).toEqual(new Map([['open-mandates', { distance: 0, seconds: 0 }]]));
  });

  it('reads on while two others project at once, and each event is in the documents once', async () => {
    const { log, store } = setting;
    const other = new LoneProjector(openMandates, projector.collection, projecting(setting));
    projector.start();
    other.start();
    let end = '';
    for (let n = 0; n < 100; n += 1) end = await log.appendTo(n % 5, opened(`m${n}`), closed(`m${n}`, 1));
    expect(await reader.waitFor({ category: 'delegation' }, end, 60_000)).toBe(true);
    await other.stop();
    expect(await documentsIn(store, reader.collectionOf(openMandates))).toEqual(await log.folded());
  });

  it('does not list what is not built yet, and knows by the stored checkpoint when it is', async () => {
    const { log, store, clock } = setting;
    const [first, end] = [await log.appendTo(1, opened('m1')), await log.appendTo(1, opened('m2'))];
    const early = new ReadModels(log.store, store, [openMandates], clock, fail);
    await early.follow();
    expect(() => early.collectionOf(openMandates)).toThrow(BeingBuilt);
    const half = { ...at(first), goal: end };
    await saveCheckpoints(store, [{ collection: projector.collection, reached: half, isNew: true }]);
    const late = new ReadModels(log.store, store, [openMandates], clock, fail);
    await late.follow();
    expect(late.isBuilt(openMandates)).toBe(false);
    projector.start();
    for (const one of [early, late]) {
      await one.caughtUp(end);
      expect(one.collectionOf(openMandates)).toBe(projector.collection);
      await one.stop();
    }
  });

  it('waits for its first write also where the log ends in events of others, which a server reports late', async () => {
    const { log, store } = setting;
    const shown = await log.appendTo(1, opened('m1'));
    await saveCheckpoints(store, [{ collection: projector.collection, reached: at(shown), isNew: true }]);
    await log.append('ticket-stock', foreign(1));
    const clock = new ManualClock();
    const other = new ReadModels(log.store, store, [openMandates], clock, fail);
    await other.follow();
    clock.advance(1_000);
    const waiting = other.waitFor({ category: 'delegation' }, await log.appendTo(1, opened('m2')));
    expect(await Promise.race([waiting, nextTurn().then(() => 'waits')])).toBe('waits');
    await stop(other, clock);
  });

  it('is refused past the end of the log, not for what others project meanwhile', async () => {
    projector.start();
    const end = await setting.log.appendTo(1, opened('m1'), opened('m2'));
    await projector.caughtUp(end);
    const again = new ReadModels(setting.log.store, setting.store, [openMandates], setting.clock, fail);
    await again.follow();
    await again.stop();
    const other = await openSetting();
    const mismatched = new ReadModels(other.log.store, setting.store, [openMandates], setting.clock, fail);
    await expect(mismatched.follow()).rejects.toThrow(AheadOfLog);
    await other.close();
  });
});

/** Fails the case that is running: nothing was to go wrong. */
