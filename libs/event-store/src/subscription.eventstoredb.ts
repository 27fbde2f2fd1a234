import { type AllStreamResolvedEvent, type AllStreamSubscription, streamNameFilter } from '@eventstore/db-client';
import { SystemClock } from '#kernel';
import type { Connection } from './connection.eventstoredb.js';
import { StoreUnavailable } from './event-store.errors.js';
import type { Delivery, SubscriptionOptions } from './event-store.port.js';
import { BEFORE_ALL, checkpointAt, type Namespace, placeOf, storedEvent } from './names.eventstoredb.js';
import { type Checkpoint, isOf } from './stored-event.js';
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

/** What comes on a subscription, in its order: events, and the client's signals put between them. */
type Message = AllStreamResolvedEvent | { readonly reached: Checkpoint; readonly isCaughtUp: boolean };

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
  const end = (await reads.end()) ?? BEFORE_ALL;
  if (signal.aborted) return; // meanwhile
  const line = connection.another();
  const subscription: AllStreamSubscription = line.client.subscribeToAll({
    fromPosition: placeOf(after),
    requiresLeader: true,
    filter: streamNameFilter({
      regex: namespace.regex(categories),
      checkpointReached: (_, place) => void subscription.push({ reached: checkpointAt(place), isCaughtUp: false }),
    }),
  });
  subscription.on('caughtUp', () => subscription.push({ reached: end, isCaughtUp: true }));
  const leave = () => subscription.destroy();
  signal.addEventListener('abort', leave);

  let delivered = after;
  const streamOf = (name: string | undefined): string | null => {
    const stream = name === undefined ? null : namespace.aboveThePort(name);
    return stream !== null && isOf(categories, stream) ? stream : null;
  };
  const lookForMore = async () => {
    const found = await reads.from(delivered, PASSED_OVER);
    const later = found.filter(({ position }) => position && isAfter(checkpointAt(position), delivered));
    const last = later.at(-1)?.position;
    if (later.length >= PASSED_OVER - 1 || later.some(({ streamId }) => streamOf(streamId) !== null)) leave();
    else if (last && !subscription.destroyed) subscription.push({ reached: checkpointAt(last), isCaughtUp: false });
  };
  const onSilence = () => {
    lookForMore().catch((error: unknown) => subscription.destroy(unavailable(error)));
  };
  try {
    for await (const message of watched<Message>(subscription, () => subscription.unsubscribe(), SILENCE, onSilence)) {
      if ('reached' in message) {
        const isNews = isAfter(message.reached, delivered);
        if (!isNews && !(message.isCaughtUp && reportsCaughtUp)) continue;
        delivered = isNews ? message.reached : (delivered ?? BEFORE_ALL);
        yield { event: null, checkpoint: delivered };
        continue;
      }
      const { event } = message;
      const stream = streamOf(event?.streamId);
      if (!event || stream === null) continue;
      delivered = checkpointAt(event.position);
      yield { event: storedEvent(stream, event), checkpoint: delivered };
    }
  } catch (error) {
    throw error instanceof StoreUnavailable ? error : unavailable(error);
  } finally {
    signal.removeEventListener('abort', leave);
    line.end();
  }
}

const isAfter = (one: Checkpoint, other: Checkpoint | null): boolean => one.position > (other ?? BEFORE_ALL).position;
