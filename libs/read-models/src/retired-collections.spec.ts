import { beginGeneration, GENERATIONS, generationsOf, RebuildOvertaken, switchTo } from './generations.js';
import { leaseOf } from './leased-projector.js';
import { ReadModels } from './read-models.js';
import { rebuild } from './rebuild.js';
import { RetiredCollections } from './retired-collections.js';
import { Cut } from './testing/cut-store.js';
import { opened } from './testing/delegation-log.js';
import { openMandates } from './testing/open-mandates.projection.js';
import { documentsIn, openSetting, type Setting } from './testing/setting.js';
import { overriding } from '#kernel';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const next = { ...openMandates, version: 2 };

describe('the generations of a read model', () => {
  it('begin with one, however many ask for it first', async () => {
    const { store, close } = await openSetting();
    await store.prepare(GENERATIONS);
    const found = await Promise.all([1, 2, 3].map(() => generationsOf(store, openMandates)));
    for (const one of found) expect(one).toMatchObject({ live: 1, building: null });
    const broken = overriding(store, { insert: () => Promise.reject(new Cut('of the line')) });
    await expect(generationsOf(broken, next)).rejects.toThrow(Cut);
    await close();
  });
});

describe('collections that nobody reads any more', () => {
  let setting: Setting;
  let open: ReadModels[];
  beforeEach(async () => {
    open = [];
    setting = await openSetting();
  });
  afterEach(async () => {
    await Promise.all(open.map((one) => one.stop()));
    await setting.close();
  });

  /** The program with some version of the projection, once it holds the whole log; returns its collection. */
  const run = async (projection: typeof openMandates): Promise<string> => {
    const { log, store, clock } = setting;
    const readModels = new ReadModels(log.store, store, [projection], clock, () => undefined);
    await readModels.start();
    await readModels.caughtUp((await log.store.head())?.position ?? '');
    open.push(readModels);
    return readModels.collectionOf(projection);
  };

  const retired = (after = DAY) => {
    const { store, newLeases, clock } = setting;
    return new RetiredCollections({ store, leases: newLeases(), clock, projections: [next], after });
  };

  it('go after a day without use, and the one that is read stays', async () => {
    const { log, store, clock } = setting;
    await log.appendTo(1, opened('m1'));
    await run(openMandates);
    const live = await run(next);
    const looking = retired();
    expect(await looking.look()).toEqual([]);
    clock.advance(DAY - 1);
    expect(await looking.look()).toEqual([]);
    clock.advance(1);
    expect(await looking.look()).toEqual(['open-mandates-v1-1']);
    expect(await looking.look()).toEqual([]);
    expect(await documentsIn(store, live)).toEqual(await log.folded());
  });

  it('stay while a process of the version before is at work, and a day longer', async () => {
    const { store, clock, newLeases } = setting;
    await run(openMandates);
    await run(next);
    const looking = retired();
    const before = newLeases();
    for (let hours = 0; hours < 30; hours += 1) {
      await before.hold(leaseOf('open-mandates-v1-1'), 2 * HOUR);
      expect(await looking.look()).toEqual([]);
      clock.advance(HOUR);
    }
    await before.release(leaseOf('open-mandates-v1-1'));
    expect(await looking.look()).toEqual([]);
    clock.advance(DAY);
    expect(await looking.look()).toEqual(['open-mandates-v1-1']);
    expect(await store.collections('open-mandates-v')).toEqual(['open-mandates-v2-1']);
  });

  it('go at once where no other process can be at work', async () => {
    await run(openMandates);
    await run(next);
    expect(await retired(0).look()).toEqual(['open-mandates-v1-1']);
  });

  it('never come back: the version before begins anew, and a rebuild that was paused has lost', async () => {
    const { log, store, clock, newLeases } = setting;
    await log.appendTo(1, opened('m1'));
    await run(openMandates);
    await run(next);
    const paused = await beginGeneration(store, next);
    await store.prepare({ name: `open-mandates-v2-${paused}`, indexes: [] });
    expect(await retired(0).look()).toEqual(['open-mandates-v1-1', `open-mandates-v2-${paused}`]);
    await expect(switchTo(store, next, paused)).rejects.toThrow(RebuildOvertaken);
    expect(await run(openMandates)).toBe('open-mandates-v1-2');
    expect(await documentsIn(store, 'open-mandates-v1-2')).toEqual(await log.folded());
    const parts = {
      events: log.store,
      store,
      leases: newLeases(),
      clock,
      lease: 300,
      grace: 0,
      onError: () => undefined,
    };
    await rebuild(next, { ...parts, onProgress: () => undefined, signal: new AbortController().signal });
    expect(await run(next)).toBe('open-mandates-v2-4');
  });

  it('of a later version, or of another projection, are none of its business', async () => {
    const { store } = setting;
    await run({ ...openMandates, version: 3 });
    await run({ ...openMandates, name: 'open-mandates-of-old' });
    expect(await retired(0).look()).toEqual([]);
    expect(await store.collections('open-mandates')).toHaveLength(2);
  });
});
