import { type Appended, AppendOutcomeUnknown, EventStore, RevisionConflict, StoreUnavailable } from '#event-store';
import { observed } from './testing/observed.js';
import { instrumentedEventStore } from './instrumented-ports.js';

const STREAM = 'order-6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

class TellingStore extends EventStore {
  constructor(private readonly answers: (Appended | Error)[]) {
    super();
  }

  append(): Promise<Appended> {
    const answer = this.answers.shift();
    return answer instanceof Error || !answer
      ? Promise.reject(answer ?? new Error('asked too often'))
      : Promise.resolve(answer);
  }

  readStream = none;
  readAll = none;
  subscribe = none;
  head = () => Promise.resolve(null);
  close = () => Promise.resolve();
}

async function* none(): AsyncGenerator<never> {
  // nothing is in it
}

const APPENDED = { revision: 3, position: null };

describe('an instrumented event log', () => {
  it('is the log itself in all but its appends: what that does in its own way is done so', () => {
    const plain = new TellingStore([]);
    const pages = [none(), none()];
    const fast = Object.assign(plain, { readPages: () => pages[0], readPlaces: () => pages[1], ownWay: () => plain });
    const store = instrumentedEventStore(fast, observed().instruments) as typeof fast;
    expect([store.readPages(), store.readPlaces()]).toEqual(pages);
    expect(store.readPages()).toBe(pages[0]);
    expect(store.ownWay()).toBe(plain);
    expect(store).toBeInstanceOf(EventStore);
  });

  it('counts what called for another try, and tells each try how many went before it', async () => {
    const { instruments, tracing, spans, samples } = observed();
    const answers = [new RevisionConflict(STREAM), new AppendOutcomeUnknown('no answer'), APPENDED, APPENDED];
    const store = instrumentedEventStore(new TellingStore(answers), instruments);
    const command = tracing.start({ name: 'command' });
    await tracing.within(command, async () => {
      await expect(store.append(STREAM, 2, [])).rejects.toThrow(RevisionConflict);
      await expect(store.append(STREAM, 2, [])).rejects.toThrow(AppendOutcomeUnknown);
      await expect(store.append(STREAM, 2, [])).resolves.toEqual(APPENDED);
      await expect(store.append(STREAM, 3, [])).resolves.toEqual(APPENDED);
    });
    const told = (await spans()).map(({ attributes, parentSpanContext, status }) => [
      attributes['alcada.outcome'],
      attributes['alcada.append.conflicts'],
      attributes['alcada.append.retries'],
      status.code,
      parentSpanContext?.spanId === command.spanContext().spanId,
    ]);
    expect(told).toEqual([
      ['conflict', 0, 0, 0, true],
      ['unknown', 1, 1, 2, true],
      ['appended', 1, 2, 0, true],
      ['appended', 0, 0, 0, true],
    ]);
    expect(await samples('alcada_append_retries_total')).toEqual([
      'alcada_append_retries_total{category="order",reason="conflict"} 1',
      'alcada_append_retries_total{category="order",reason="unknown"} 1',
    ]);
    expect(await samples('alcada_append_duration_seconds')).toEqual([
      'alcada_append_duration_seconds_count{category="order",outcome="conflict"} 1',
      'alcada_append_duration_seconds_count{category="order",outcome="unknown"} 1',
      'alcada_append_duration_seconds_count{category="order",outcome="appended"} 2',
    ]);
  });

  it('says that the log is not there, and nothing that it said itself', async () => {
    const { instruments, spans, samples } = observed();
    const answers = [new StoreUnavailable('esdb://admin:changeit@node1'), new Error('password=changeit')];
    const store = instrumentedEventStore(new TellingStore(answers), instruments);
    await expect(store.append(STREAM, 0, [])).rejects.toThrow(StoreUnavailable);
    await expect(store.append(STREAM, 0, [])).rejects.toThrow('password=changeit');
    expect((await spans()).map(({ attributes }) => attributes['error.type'])).toEqual(['unavailable', 'failed']);
    expect(
      JSON.stringify((await spans()).map(({ attributes, events, status }) => [attributes, events, status])),
    ).not.toMatch(/changeit|6f9619ff/);
    expect(await samples('alcada_append_duration_seconds')).toEqual([
      'alcada_append_duration_seconds_count{category="order",outcome="unavailable"} 1',
      'alcada_append_duration_seconds_count{category="order",outcome="failed"} 1',
    ]);
  });
});
