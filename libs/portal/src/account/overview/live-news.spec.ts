import { ManualClock } from '#testing';
import { MemoryDocuments } from '../../../../documents/src/testing/index.js';
import { happeningsProjection } from '../../happenings.projection.js';
import { LiveNews } from './live-news.js';

const keyOf = (place: number): string => `${String(place).padStart(20, '0')}.000000`;

describe('the news of open pages', () => {
  let clock: ManualClock;
  let news: LiveNews;
  /** Whose each public event is, the oldest first; whether the lists show them all. */
  let told: string[];
  let areListed: boolean;
  beforeEach(async () => {
    clock = new ManualClock();
    const store = new MemoryDocuments(clock);
    const { name, indexes } = happeningsProjection;
    await store.prepare({ name, indexes });
    [told, areListed] = [[], true];
    const notices = { reached: () => Promise.resolve(told.length === 0 ? null : keyOf(told.length)) };
    const outbox = {
      after: (key: string | null) =>
        Promise.resolve(
          told.flatMap((holder, at) => (keyOf(at + 1) > (key ?? '') ? [{ key: keyOf(at + 1), holder }] : [])),
        ),
    };
    const readModels = { collectionOf: () => name, waitFor: () => Promise.resolve(areListed) };
    const parts = [notices, outbox, store, readModels, clock] as unknown as ConstructorParameters<typeof LiveNews>;
    news = new LiveNews(...parts);
  });
  afterEach(() => news.onModuleDestroy());

  const follow = async (holder: string) => {
    const stream = await news.connect(holder, () => Promise.resolve(true));
    const heard = { words: 0, leave: () => stream.destroy() };
    stream.on('data', (part) => (heard.words += String(part).split('data:').length - 1));
    return heard;
  };
  const pass = async (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += 250) {
      clock.advance(250);
      for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
    }
  };

  it('are told to whom they concern, of what came since they listen, and once a second at most', async () => {
    told.push('ana');
    const [ana, bruno] = [await follow('ana'), await follow('bruno')];
    await pass(500);
    expect([ana.words, bruno.words]).toEqual([0, 0]);
    for (let times = 0; times < 4; times += 1) {
      told.push('ana');
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
    told.push('ana');
    const again = await follow('ana');
    await pass(2_000);
    expect(again.words).toBe(0);
  });

  it('wait for the lists, but not for one that never comes', async () => {
    const ana = await follow('ana');
    areListed = false;
    told.push('ana');
    await pass(3_000);
    expect(ana.words).toBe(0);
    areListed = true;
    await pass(500);
    expect(ana.words).toBe(1);
    areListed = false;
    told.push('ana');
    await pass(5_500);
    expect(ana.words).toBe(2);
  });
});
