import type { StoredEvent } from '#event-store';
import type { MinuteOfTraffic } from '#events';
import { RandomIds } from '#kernel';
import { FixedClock, ManualClock } from '#testing';
import { MemoryEventStore, UnreliableStore } from '../../../event-store/src/testing/index.js';
import { hostileCalls } from '../testing/hostile.js';
import { TrafficCounters } from './traffic-counters.js';
import { TrafficRecorder } from './traffic-recorder.js';

const store = new MemoryEventStore();
let line: UnreliableStore;
let recorder: TrafficRecorder;
let waiting: MinuteOfTraffic[];
let errors: unknown[];
let before: StoredEvent | null;

const minute = (start: string): MinuteOfTraffic => ({ start, calls: [], agents: [] });
const [FIRST, SECOND] = [minute('2026-01-15T12:00:00.000Z'), minute('2026-01-15T12:01:00.000Z')];

const written = async (): Promise<readonly unknown[]> => {
  const events: unknown[] = [];
  const after = before && { position: before.position, token: before.position };
  for await (const { data } of store.readAll(after)) events.push(data['minutes']);
  return events;
};

beforeEach(async () => {
  line = new UnreliableStore(store);
  before = await store.head();
  [waiting, errors] = [[], []];
  recorder = new TrafficRecorder({
    events: line,
    clock: new FixedClock(),
    ids: new RandomIds(),
    take: () => {
      const taken = waiting.splice(0);
      return taken.length > 0 ? taken : null;
    },
    onError: (error) => errors.push(error),
  });
});

describe('the recorder of traffic', () => {
  it('writes what was counted as one event in the stream of its day and start', async () => {
    waiting.push(FIRST, SECOND);
    await recorder.flush();
    expect(await written()).toEqual([[FIRST, SECOND]]);
    const { stream, type } = (await store.head()) ?? {};
    expect([type, stream]).toEqual([
      'AgentTrafficObserved',
      expect.stringMatching(/^traffic-2026-01-15-[0-9a-f-]{36}$/),
    ]);
  });

  it('writes nothing where there is nothing to say', async () => {
    await recorder.flush();
    await recorder.stop();
    expect(line.sent).toEqual([]);
  });

  it('sends a snapshot again in the same bytes until it is answered, and counts on meanwhile', async () => {
    waiting.push(FIRST);
    line.fate = () => {
      if (line.sent.length === 1) waiting.push(SECOND);
      return (['answer lost', 'never arrives', 'answer lost', 'arrives'] as const)[line.sent.length - 1] ?? 'arrives';
    };
    await recorder.flush();
    expect(line.sent).toHaveLength(4);
    expect(new Set(line.sent.map(({ bytes }) => bytes)).size).toBe(1);
    expect(await written()).toEqual([[FIRST]]);
    await recorder.flush();
    expect(await written()).toEqual([[FIRST], [SECOND]]);
  });

  it('keeps a snapshot that the log refused, and tells of it', async () => {
    waiting.push(FIRST);
    line.fate = () => 'refused';
    await recorder.flush();
    expect(errors).toHaveLength(1);
    waiting.push(SECOND);
    line.fate = () => 'arrives';
    await recorder.flush();
    await recorder.flush();
    expect(await written()).toEqual([[FIRST], [SECOND]]);
  });

  it('writes what is left when its process ends, once what is under way is answered', async () => {
    waiting.push(FIRST);
    line.fate = () => {
      if (line.sent.length === 1) waiting.push(SECOND);
      return 'arrives';
    };
    const flushing = recorder.flush();
    await recorder.stop();
    await flushing;
    expect(await written()).toEqual([[FIRST], [SECOND]]);
  });

  it('writes once a second until it has written much, and then less often and more at once', async () => {
    const clock = new ManualClock('2026-01-15T12:00:00.000Z');
    const counters = new TrafficCounters();
    let takes = 0;
    const slow = new TrafficRecorder({
      events: line,
      clock,
      ids: new RandomIds(),
      take: () => {
        takes += 1;
        return counters.take((agent) => agent);
      },
      onError: (error) => errors.push(error),
    });
    const minutes = 20;
    const calls = [...hostileCalls(3, clock.now(), minutes * 60_000)];
    const all = calls.length;
    slow.begin();
    const writtenIn: number[] = [];
    for (let second = 0; second < minutes * 60; second += 1) {
      for (const call of calls.splice(0, 27)) counters.count(call);
      const taken = takes;
      clock.advance(1_000);
      if (takes === taken) continue;
      await slow.flush(); // what the timer began
      writtenIn.push(second);
    }
    await slow.stop();
    expect(errors).toEqual([]);
    expect(writtenIn.slice(0, 10)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const events = await written();
    const bytes = events.map((data) => JSON.stringify(data).length);
    expect(Math.max(...bytes)).toBeLessThan(65_536);
    // What may be written faster, and then an event a minute.
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(131_072 + 32_768 * minutes);
    expect(counted(events)).toBe(all);
  });
});

const counted = (events: readonly unknown[]): number =>
  (events as readonly (readonly MinuteOfTraffic[])[])
    .flat()
    .flatMap(({ calls }) => calls.flatMap(({ outcomes }) => outcomes))
    .reduce((sum, { count }) => sum + count, 0);
