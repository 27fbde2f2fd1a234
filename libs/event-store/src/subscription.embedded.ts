import { type EventEmitter, once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PAGE } from './event-rows.embedded.js';
import type { Delivery, SubscriptionOptions } from './event-store.port.js';
import type { LogTail } from './log-tail.embedded.js';
import { type Checkpoint, positionOf } from './stored-event.js';

/** The place in the file that a checkpoint stands for: its token. */
export const placeOf = (checkpoint: Checkpoint | null): number => Number(checkpoint?.token ?? 0);

/** Delivers what the log has after a checkpoint, by pages, then what `news` announces; and how far silence reaches. */
export async function* follow(
  log: LogTail,
  news: EventEmitter,
  { after, categories, signal }: SubscriptionOptions,
): AsyncGenerator<Delivery> {
  const end = log.begin();
  try {
    const isOver = () => signal.aborted; // it changes while a delivery is being handled
    let read = placeOf(after);
    let hasCaughtUp = false;
    while (!isOver()) {
      const last = log.end;
      const from = read;
      read = Math.max(from, Math.min(from + PAGE, last));
      let delivered = from;
      for (const event of log.between(from, read, categories)) {
        yield { event, checkpoint: { position: event.position, token: event.position } };
        if (isOver()) return;
        delivered = Number(event.position);
      }
      const catchesUp: boolean = read >= last && !hasCaughtUp;
      if (delivered < read || catchesUp) yield { event: null, checkpoint: checkpointAt(read) };
      hasCaughtUp ||= catchesUp;
      // Looked at and waited for in one turn of the loop, so that no append falls between.
      if (read >= log.end) await nextAppend(news, signal);
      else await nextTurn();
    }
  } finally {
    end();
  }
}

const checkpointAt = (place: number): Checkpoint => ({ position: positionOf(place), token: positionOf(place) });

const nextAppend = async (news: EventEmitter, signal: AbortSignal): Promise<void> => {
  try {
    await once(news, 'appended', { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};
