import { type Instant, instantOf, millisecondsOf } from '#kernel';
import { mandates } from '#mandate';
import { orders } from '#order';
import { ManualClock, NOW } from '#testing';
import { MemoryDocuments } from '../../../../documents/src/testing/index.js';
import { happeningsProjection } from '../../happenings.projection.js';
import { LiveNews } from './live-news.js';

const keyOf = (place: number): string => `${String(place).padStart(20, '0')}.000000`;

describe('the news of open pages', () => {
  let clock: ManualClock;
  let news: LiveNews;
  let store: MemoryDocuments;
  /** Whose each public event is, the oldest first; how many have their notices; which lists do not show them all. */
  let told: string[];
  let noticed: number;
  let unlisted: readonly object[];
  const { name, indexes } = happeningsProjection;
  beforeEach(async () => {
    clock = new ManualClock();
    store = new MemoryDocuments(clock);
    await store.prepare({ name, indexes });
    [told, noticed, unlisted] = [[], 0, []];
    const notices = { reached: () => Promise.resolve(noticed === 0 ? null : keyOf(noticed)) };
    const outbox = {
      after: (key: string | null, _: string, limit: number, end: string) => {
        const places = told.map((holder, at) => ({ key: keyOf(at + 1), holder }));
        return Promise.resolve(places.filter((one) => one.key > (key ?? '') && one.key <= end).slice(0, limit));
      },
    };
    const readModels = {
      collectionOf: () => name,
      waitFor: (type: object) => Promise.resolve(!unlisted.includes(type)),
    };
    const parts = [notices, outbox, store, readModels, clock] as unknown as ConstructorParameters<typeof LiveNews>;
    news = new LiveNews(...parts);
  });
  afterEach(() => news.onModuleDestroy());

  const tell = (...holders: readonly string[]) => (noticed = told.push(...holders));
  const follow = async (holder: string) => {
    const stream = await news.connect(holder, () => Promise.resolve(true));
    const heard = { words: 0, leave: () => stream.destroy() };
    stream.on('data', (part) => (heard.words += String(part).split('data:').length - 1));
    return heard;
  };
  /** A charge that was refused before an order began, so long (s) after the others. */
  const refuse = (holder: string, after: number) => {
    const refusedAt: Instant = instantOf(millisecondsOf(NOW) + after * 1_000);
    return store.putGuarded(name, [{ id: `m@${after}`, body: { holder, refusedAt }, position: '1', isNew: true }]);
  };
  const pass = async (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += 250) {
      clock.advance(250);
      for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
    }
  };

  it('are told to whom they concern, of what came since they listen, and once a second at most', async () => {
    tell('ana');
    const [ana, bruno] = [await follow('ana'), await follow('bruno')];
    await pass(500);
    expect([ana.words, bruno.words]).toEqual([0, 0]);
    for (let times = 0; times < 4; times += 1) {
      tell('ana');
      await pass(250);
    }
    expect([ana.words, bruno.words]).toEqual([1, 0]);
    await pass(250);
    expect([ana.words, bruno.words]).toEqual([2, 0]);
    await pass(5_000);
    expect([ana.words, bruno.words]).toEqual([2, 0]);
  });

  it('leave out what came while nobody listened', async () => {
    (await follow('ana')).leave();
    await pass(250);
    tell('ana');
    const again = await follow('ana');
    await pass(2_000);
    expect(again.words).toBe(0);
  });

  it.each([
    ['mandates', mandates],
    ['orders', orders],
  ])('wait for the list of %s, but not for one that never comes', async (_, type) => {
    const ana = await follow('ana');
    unlisted = [type];
    tell('ana');
    await pass(3_000);
    expect(ana.words).toBe(0);
    unlisted = [];
    await pass(500);
    expect(ana.words).toBe(1);
    unlisted = [type];
    tell('ana');
    await pass(3_000);
    expect(ana.words).toBe(1);
    await pass(2_500);
    expect(ana.words).toBe(2);
  });

  it('are of each charge that is refused, which is no public event, once and to whom it was refused', async () => {
    for (let place = 0; place < 60; place += 1) await refuse(place % 2 === 0 ? 'ana' : 'bruno', place);
    const [ana, bruno] = [await follow('ana'), await follow('bruno')];
    await pass(2_000);
    expect([ana.words, bruno.words]).toEqual([0, 0]);
    await refuse('ana', 60);
    await pass(5_000);
    expect([ana.words, bruno.words]).toEqual([1, 0]);
    await refuse('ana', 61);
    await refuse('bruno', 62);
    await pass(2_000);
    expect([ana.words, bruno.words]).toEqual([2, 1]);
  });

  it('are there once the notices are, and of as many events as there are', async () => {
    const [ana, bruno] = [await follow('ana'), await follow('bruno')];
    told.push('ana');
    await pass(2_000);
    expect(ana.words).toBe(0);
    tell(...Array<string>(600).fill('ana'), 'bruno');
    await pass(2_000);
    expect([ana.words > 0, bruno.words]).toEqual([true, 1]);
  });
});
