import { type AllStreamResolvedEvent, type AllStreamSubscription, streamNameFilter } from '@eventstore/db-client';
import { categoryOf } from '#events';
import { SystemClock } from '#kernel';
import type { Connection } from './connection.eventstoredb.js';
import { StoreUnavailable } from './event-store.errors.js';
import type { Delivery, SubscriptionOptions } from './event-store.port.js';
import { BEFORE_ALL, checkpointAt, type Namespace, placeOf, storedEvent } from './names.eventstoredb.js';
import type { Checkpoint } from './position.js';
import { type Reads, unavailable, watched } from './reads.eventstoredb.js';

const CLOCK = new SystemClock();
/** How long (ms) nothing comes before the end of the log is looked at. */
const SILENCE = 1_500;
/** The first and the longest wait (ms) before a subscription is begun anew. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [20, 1_000];

/** What a subscription is made of. */
export interface Source {
  readonly connection: Connection;
  readonly reads: Reads;
  readonly namespace: Namespace;
}

/** What comes on a subscription, in its order: events, and the client's signals put between them. */
type Message = AllStreamResolvedEvent | { readonly reached: Checkpoint; readonly isCaughtUp: boolean };

/**
 * Delivers events after a checkpoint, for ever. Whatever ends the server's subscription, another one goes on after what
 * was delivered last: the server ends those of slow consumers, and all when it restarts.
 */
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
 * One subscription of the server, until it ends or the log turns out to hold more than it delivered. The server says that
 * the subscription has caught up, but not with what: it is all that was in the log before the subscription began. After
 * that it reports its position only every 32 events, so that the end of a shorter silence is found by subscribing anew.
 */
async function* session(
  { connection, reads, namespace }: Source,
  { after, categories, signal }: SubscriptionOptions,
  tellsCaughtUp: boolean,
): AsyncGenerator<Delivery> {
  const end = (await reads.end()) ?? BEFORE_ALL;
  if (signal.aborted) return; // meanwhile
  const line = connection.another();
  const subscription: AllStreamSubscription = line.client.subscribeToAll({
    fromPosition: placeOf(after),
    requiresLeader: true,
    filter: streamNameFilter({
      prefixes: categories.map((category) => namespace.onServer(category)),
      checkpointReached: (_, place) => void subscription.push({ reached: checkpointAt(place), isCaughtUp: false }),
    }),
  });
  subscription.on('caughtUp', () => subscription.push({ reached: end, isCaughtUp: true }));
  const leave = () => subscription.destroy();
  signal.addEventListener('abort', leave);

  let delivered = after;
  const lookForMore = async () => {
    const newest = await reads.end();
    if (newest && newest.position > (delivered ?? BEFORE_ALL).position) leave();
  };
  const onSilence = () => {
    lookForMore().catch((error: unknown) => subscription.destroy(unavailable(error)));
  };
  try {
    for await (const message of watched<Message>(subscription, () => subscription.unsubscribe(), SILENCE, onSilence)) {
      if ('reached' in message) {
        const isNews = message.reached.position > (delivered ?? BEFORE_ALL).position;
        if (!isNews && !(message.isCaughtUp && tellsCaughtUp)) continue;
        delivered = isNews ? message.reached : (delivered ?? BEFORE_ALL);
        yield { event: null, checkpoint: delivered };
        continue;
      }
      const { event } = message;
      const stream = event && namespace.aboveThePort(event.streamId);
      if (!event || stream == null || !categories.includes(categoryOf(stream))) continue;
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
