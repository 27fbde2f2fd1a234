import { SystemClock } from '#kernel';
import type { Connection } from './connection.eventstoredb.js';
import { StoreUnavailable } from './event-store.errors.js';
import type { Delivery, SubscriptionOptions } from './event-store.port.js';
import { BEFORE_ALL, checkpointAt, type Namespace, placeOf, type Recorded, storedEvent } from './names.eventstoredb.js';
import { type Checkpoint, isOf } from './stored-event.js';
import { commandError, passedOver, placeIn, recordedIn } from './read-message.eventstoredb.js';
import { type Reads, unavailable, watched } from './reads.eventstoredb.js';

const CLOCK = new SystemClock();
/** How long (ms) nothing comes before the log is looked at. */
const SILENCE = 1_500;
/** How many events of others the server passes over before it reports its position, with room for what comes meanwhile. */
const PASSED_OVER = 256;
/** The first and the longest wait (ms) before a subscription is begun anew. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [20, 1_000];

export interface Source {
  readonly connection: Connection;
  readonly reads: Reads;
  readonly namespace: Namespace;
}

/** Delivers events after a checkpoint, for ever: where the server ends a subscription, another one goes on. */
export async function* follow(
  source: Source,
  { after, categories, signal }: SubscriptionOptions,
): AsyncGenerator<Delivery> {
  const isOver = () => signal.aborted; // it changes while a delivery is being handled
  let delivered = after;
  let isFirst = true; // so that having caught up is reported once
  let failures = 0;
  while (!isOver()) {
    try {
      for await (const delivery of session(source, { after: delivered, categories, signal }, isFirst)) {
        failures = 0;
        isFirst &&= delivery.event !== null;
        delivered = delivery.checkpoint;
        yield delivery;
        if (isOver()) return;
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      failures += 1;
    }
    const pause = Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE);
    await CLOCK.pause(pause, signal);
  }
}

/**
 * One subscription of the server, until it ends or the log turns out to hold more than it delivered. It reports its
 * position every 32 events only, so in a silence the log is looked at: what others alone have written was passed.
 */
async function* session(
  { connection, reads, namespace }: Source,
  { after, categories, signal }: SubscriptionOptions,
  reportsCaughtUp: boolean,
): AsyncGenerator<Delivery> {
  const line = connection.another();
  signal.addEventListener('abort', line.end);
  let delivered = after;
  const streamOf = ({ streamId }: Recorded): string | null => {
    const stream = namespace.aboveThePort(streamId);
    return stream !== null && isOf(categories, stream) ? stream : null;
  };
  try {
    // Where "caught up" is, as who will say it knows: a node that led before knows less, and may take itself for the leader yet.
    const end = (await reads.endOn(line)) ?? BEFORE_ALL;
    const fromPosition = placeOf(after);
    const call = await reads.opened(line, { fromPosition, regex: namespace.regex(categories), isSubscription: true });
    const lookForMore = async () => {
      const found = await reads.from(delivered, PASSED_OVER);
      const later = found.filter(({ position }) => position && isAfter(checkpointAt(position), delivered));
      const last = later.at(-1)?.position;
      if (later.length >= PASSED_OVER - 1 || later.some((event) => streamOf(event) !== null)) call.destroy();
      else if (last && !call.destroyed) call.push(passedOver(last));
    };
    const onSilence = () => {
      lookForMore().catch((error: unknown) => call.destroy(unavailable(error)));
    };
    for await (const answer of watched(call, SILENCE, onSilence)) {
      const event = recordedIn(answer);
      if (event) {
        const stream = streamOf(event);
        if (stream === null) continue;
        const stored = storedEvent(stream, event);
        delivered = { position: stored.position };
        yield { event: stored, checkpoint: delivered };
        continue;
      }
      const passed = placeIn(answer);
      if (!passed && !answer.hasCaughtUp()) continue;
      const reached = passed ? checkpointAt(passed) : end;
      const isNews = isAfter(reached, delivered);
      if (!isNews && !(answer.hasCaughtUp() && reportsCaughtUp)) continue;
      delivered = isNews ? reached : (delivered ?? BEFORE_ALL);
      yield { event: null, checkpoint: delivered };
    }
  } catch (failure) {
    const error = commandError(failure);
    throw error instanceof StoreUnavailable ? error : unavailable(error);
  } finally {
    signal.removeEventListener('abort', line.end);
    line.end();
  }
}

const isAfter = (one: Checkpoint, other: Checkpoint | null): boolean => one.position > (other ?? BEFORE_ALL).position;
