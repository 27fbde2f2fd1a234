import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { isOf, NO_STREAM, type Checkpoint, type Delivery, type SubscriptionOptions } from './event-store.port.js';
import { SharedSubscription } from './shared-subscription.js';
import { subscriptionContract } from './subscription.contract.js';
import { MemoryEventStore } from './testing/index.js';
import { sample } from './testing/sample-events.js';
import { swept } from '../../../test/support/sweep.js';

/** A log whose subscriptions are shared, and how many of its own are open. */
class SharedLog extends MemoryEventStore {
  open = 0;
  private readonly shared = new SharedSubscription((options) => this.own(options));

  override async *subscribe(options: SubscriptionOptions): AsyncGenerator<Delivery> {
    yield* this.shared.follow(options);
  }

  private async *own(options: SubscriptionOptions): AsyncGenerator<Delivery> {
    this.open += 1;
    try {
      yield* super.subscribe(options);
    } finally {
      this.open -= 1;
    }
  }
}

subscriptionContract('a shared subscription', () => Promise.resolve(new SharedLog()));

const CATEGORIES = ['a', 'b', 'c'];
/** Somebody who follows some categories, slowly or not, and notes the positions that it is given. */
class Reader {
  readonly given: string[] = [];
  reached = '';
  private readonly over = new AbortController();
  private readonly running: Promise<void>;

  constructor(
    private readonly log: SharedLog,
    readonly after: Checkpoint | null,
    readonly categories: readonly string[] | null,
    /** After how many events it rests for a moment; 0: never. */
    private readonly rests: number,
  ) {
    this.running = this.run();
  }

  async leave(): Promise<void> {
    this.over.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { after, categories } = this;
    for await (const { event, checkpoint } of this.log.subscribe({ after, categories, signal: this.over.signal })) {
      if (event) this.given.push(event.position);
      this.reached = checkpoint.position;
      if (this.rests > 0 && this.given.length % this.rests === 0) await sleep(1);
    }
  }
}

const written = async (log: SharedLog, category: string, count: number): Promise<void> => {
  const stream = `${category}-${crypto.randomUUID()}`;
  await log.append(
    stream,
    NO_STREAM,
    Array.from({ length: count }, (_, n) => sample({ n })),
  );
};
const end = async (log: SharedLog) => (await log.head())?.position ?? '';
const caughtUp = async (log: SharedLog, readers: readonly Reader[]) => {
  while (!readers.every((one) => one.reached >= (log.all.at(-1)?.position ?? ''))) await sleep(1);
};

it('is one for all who are at the end, and none once they have left', async () => {
  const log = new SharedLog();
  await written(log, 'a', 300);
  const readers = [new Reader(log, null, ['b'], 0), new Reader(log, null, ['a', 'b'], 0)];
  await caughtUp(log, readers);
  await written(log, 'b', 5_000);
  await caughtUp(log, readers);
  expect(log.open).toBe(1);
  readers.push(new Reader(log, null, null, 0));
  await caughtUp(log, readers);
  await written(log, 'a', 1);
  await caughtUp(log, readers);
  expect([log.open, ...readers.map(({ given }) => given.length)]).toEqual([1, 5_000, 5_301, 5_301]);
  for (const one of readers) await one.leave();
  expect(log.open).toBe(0);
});

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      writes: fc.constantFrom(...CATEGORIES),
      count: fc.constantFrom(1, 1, 2, 2, 300, 300, 600, 5_000),
    }),
  },
  fc.record({
    joins: fc.option(fc.subarray(CATEGORIES, { minLength: 1 })),
    back: fc.nat(600),
    rests: fc.constantFrom(0, 10, 100),
  }),
  fc.record({ leaves: fc.nat(5) }),
  fc.record({ waits: fc.nat(3) }),
);

it('gives every reader what came of its categories since its place, each once and in order, whoever comes and goes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
      const log = new SharedLog();
      const readers: Reader[] = [];
      for (const one of steps) {
        if ('writes' in one) await written(log, one.writes, one.count);
        else if ('joins' in one) {
          const place = Math.max(0, log.all.length - one.back);
          const position = log.all[place - 1]?.position;
          const after = position === undefined ? null : { position };
          readers.push(new Reader(log, after, one.joins, one.rests));
        } else if ('leaves' in one) await readers.splice(one.leaves, 1)[0]?.leave();
        else await sleep(one.waits);
      }
      const last = await end(log);
      if (last !== '') await caughtUp(log, readers);
      for (const { after, categories, given } of readers) {
        const meant = log.all.filter(
          ({ stream, position }) => isOf(categories, stream) && position > (after?.position ?? ''),
        );
        expect(given.join() === meant.map(({ position }) => position).join()).toBe(true);
      }
      await Promise.all(readers.map((one) => one.leave()));
      expect(log.open).toBe(0);
    }),
    { numRuns: swept({ short: 15, middle: 60, full: 3_000 }) },
  );
});
