/** Projects in the writing thread of the read models' file, and writes where public events stand. Whatever is imported here costs every start its time. */
import { EmbeddedDocuments, type WorkOnDocuments } from '#documents';
import { EmbeddedEventStore } from '#event-store';
import { type Cancel, type Instant, nextTurn, SystemClock } from '#kernel';
import type { OutboxWriter } from '#outbox';
import { prepareCollections, projectHere, ProjectionStopped, type ProjectorObserver } from '#read-models';
import type { CommitListener } from '#sqlite';
import { PROJECTIONS } from './projections.js';

export interface ThreadData {
  readonly log: string;
  /** By projection, the collection that holds its documents. */
  readonly collections: ReadonlyMap<string, string>;
  /** The clock of the process: that of the thread starts no earlier. */
  readonly now: Instant;
  readonly reportsBatches: boolean;
  /** Where it hears that the log has grown. */
  readonly growth: CommitListener;
  /** The module of `OutboxWriter`, which shares this reading of the log: the rest of its folder is not wanted here. */
  readonly outboxWriter: string;
}

/** An error as it crosses threads: its class would be lost. */
export interface ReportedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
}

/** What the thread reports, in order. A message has all of one turn of its loop. */
export type FromThread =
  | { readonly kind: 'reached'; readonly of: Parameters<NonNullable<ProjectorObserver['onReached']>> }
  | { readonly kind: 'batch'; readonly of: Parameters<NonNullable<ProjectorObserver['onBatch']>> }
  | { readonly kind: 'stopped' | 'failed'; readonly projection: string; readonly error: ReportedError };

/** Earliest next look (ms) at the log: what is appended meanwhile is folded together, and is this much later in the lists. */
const PACE = 3;

/** Keeps the collections up with the log until it gets a message, which stops it: then it closes the port. */
export const work: WorkOnDocuments<ThreadData> = async (file, port, data) => {
  const clock = new SystemClock();
  clock.startAt(data.now);
  const store = EmbeddedDocuments.over(file, clock);
  const events = await EmbeddedEventStore.openToRead(data.log);
  const collections = PROJECTIONS.flatMap((projection) => {
    const collection = data.collections.get(projection.name);
    return collection === undefined ? [] : [{ projection, collection }];
  });
  await prepareCollections(store, collections);

  let unsent: FromThread[] = [];
  const send = (): void => {
    if (unsent.length > 0) port.postMessage(unsent);
    unsent = [];
  };
  const report = (one: FromThread): void => {
    if (unsent.push(one) === 1) void nextTurn().then(send);
  };
  const stop = projectHere(
    events,
    store,
    clock,
  )(collections, {
    onReached: (...of) => report({ kind: 'reached', of }),
    onBatch: data.reportsBatches ? (...of) => report({ kind: 'batch', of }) : undefined,
    onError: (projection, error) =>
      report({ kind: error instanceof ProjectionStopped ? 'stopped' : 'failed', projection, error: reported(error) }),
  });
  const { OutboxWriter: Writer } = (await import(data.outboxWriter)) as { readonly OutboxWriter: typeof OutboxWriter };
  const writer = new Writer({
    ...{ events, store, clock, lease: null },
    onError: (error) => report({ kind: 'failed', projection: 'public events', error: reported(error) }),
  });
  writer.start();
  let lookedAt = -Infinity;
  const look = (): void => {
    lookedAt = clock.monotonic();
    Atomics.store(data.growth.isNotified, 0, 0); // before it is read how far: what comes later is reported anew
    events.refresh();
  };
  let dropLook: Cancel = () => undefined;
  const end = async (): Promise<void> => {
    data.growth.port.close();
    dropLook();
    await Promise.all([stop(), writer.stop()]);
    await events.close();
    send();
    port.close();
  };
  data.growth.port.on('message', () => {
    dropLook = clock.after(Math.max(0, lookedAt + PACE - clock.monotonic()), look);
  });
  port.once('message', () => void end());
  look();
};

const reported = (error: unknown): ReportedError =>
  error instanceof Error
    ? { name: error.name, message: error.message, stack: error.stack }
    : { name: 'Error', message: String(error), stack: undefined };
