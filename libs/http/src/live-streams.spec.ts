import type { Readable } from 'node:stream';
import { ManualClock } from '#testing';
import { type Listener, LiveStreams } from './live-streams.js';

const settledIn = () => new Promise(setImmediate);

describe('streams of events', () => {
  let clock: ManualClock;
  let streams: LiveStreams<Listener>;
  let looks: number;
  const reader = (of: string, change: Partial<Listener> = {}): Listener => ({
    of,
    isInForce: () => Promise.resolve(true),
    news: () => Promise.resolve(''),
    ...change,
  });
  /** What a reader that reads has been sent, and whether its stream has ended. */
  const readBy = (stream: Readable) => {
    const read = { text: '', isOver: false };
    stream.on('data', (part) => (read.text += String(part))).once('end', () => (read.isOver = true));
    return read;
  };
  const pass = async (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += 250) {
      clock.advance(250);
      await settledIn();
    }
  };
  beforeEach(() => {
    clock = new ManualClock();
    looks = 0;
    streams = new LiveStreams(clock, () => {
      looks += 1;
      return Promise.resolve();
    });
  });
  afterEach(() => streams.end());

  it('are looked at together, and not at all where nobody listens', async () => {
    const one = streams.connect(reader('ana'), '');
    const other = streams.connect(reader('bia'), '');
    await pass(1_000);
    expect(looks).toBe(4);
    one.destroy();
    other.destroy();
    await settledIn();
    await pass(1_000);
    expect([looks, streams.isIdle]).toEqual([4, true]);
  });

  it('have news, and a word where there are none for long', async () => {
    const news = ['data: 1\n\n'];
    const read = readBy(
      streams.connect(reader('ana', { news: () => Promise.resolve(news.pop() ?? '') }), 'retry: 1\n\n'),
    );
    await pass(250);
    expect(read.text).toBe('retry: 1\n\ndata: 1\n\n');
    await pass(14_750);
    expect(read.text).toBe('retry: 1\n\ndata: 1\n\n');
    await pass(500);
    expect(read.text).toBe('retry: 1\n\ndata: 1\n\n:\n\n');
  });

  it('end within a second with what lets their reader listen, and before it is told anything more', async () => {
    let isInForce = true;
    const silent = readBy(streams.connect(reader('ana', { isInForce: () => Promise.resolve(isInForce) }), ''));
    const news = () => Promise.resolve(isInForce ? '' : 'data: 1\n\n');
    const told = readBy(streams.connect(reader('bia', { isInForce: () => Promise.resolve(isInForce), news }), ''));
    await pass(1_000);
    isInForce = false;
    await pass(250);
    expect([told, silent.isOver]).toEqual([{ text: '', isOver: true }, false]);
    await pass(750);
    expect(silent).toEqual({ text: '', isOver: true });
  });

  it('end with what fails for one of them, and go on for the others', async () => {
    const failing = readBy(streams.connect(reader('ana', { news: () => Promise.reject(new Error('no store')) }), ''));
    const other = readBy(streams.connect(reader('bia'), ''));
    await pass(250);
    expect([failing.isOver, other.isOver]).toEqual([true, false]);
  });

  it('are cut where their reader takes nothing for a minute, and meanwhile nothing more is read for it', async () => {
    let asked = 0;
    const news = () => Promise.resolve(`data: ${'x'.repeat(100_000)}${(asked += 1)}\n\n`);
    const stream = streams.connect(reader('ana', { news }), '');
    await pass(60_000);
    expect([asked, stream.destroyed]).toEqual([1, false]);
    await pass(1_000);
    expect([stream.destroyed, streams.isIdle]).toEqual([true, true]);
  });

  it('are five for one party and five hundred in all, and all end at once with the process', async () => {
    const all = Array.from({ length: 500 }, (_, n) => streams.connect(reader(`party ${n % 100}`), ''));
    const read = all.map(readBy);
    expect(() => streams.connect(reader('party 0'), '')).toThrow('rate_limited');
    expect(() => streams.connect(reader('another'), '')).toThrow('rate_limited');
    all[0]?.destroy();
    await settledIn();
    streams.connect(reader('party 0'), '');
    streams.end();
    await settledIn();
    expect(read.slice(1).every(({ isOver }) => isOver)).toBe(true);
  });
});
