import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import type { EmbeddedDocuments } from '#documents';
import type { EmbeddedEventStore } from '#event-store';
import type { Clock } from '#kernel';
import { OUTBOX_WRITER } from '#outbox';
import { type Projecting, ProjectionStopped } from '#read-models';
import type { FromThread, ThreadData, ReportedError } from './projecting.thread.js';

const MODULE = new URL('./projecting.thread.js', import.meta.url);

/** Projects in the thread that writes the read models, notified by that of the log; the outbox is written there too. */
export const projectInThread =
  (store: EmbeddedDocuments, events: EmbeddedEventStore, log: string, clock: Clock): Projecting =>
  (models, observer) => {
    const isNotified = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const { port1: grown, port2 } = new MessageChannel();
    const data: ThreadData = {
      log,
      collections: new Map(models.map(({ projection, collection }) => [projection.name, collection])),
      now: clock.now(),
      reportsBatches: observer.onBatch !== undefined,
      growth: { port: grown, isNotified },
      outboxWriter: OUTBOX_WRITER.href,
    };
    const port = store.begin(MODULE, data, grown);
    events.notifyOfCommits({ port: port2, isNotified });
    port.on('message', (messages: readonly FromThread[]) => {
      for (const message of messages) {
        if (message.kind === 'reached') observer.onReached?.(...message.of);
        else if (message.kind === 'batch') observer.onBatch?.(...message.of);
        else observer.onError(message.projection, errorOf(message));
      }
    });
    const closed = once(port, 'close');
    return async () => {
      port.postMessage('stop');
      await closed;
    };
  };

const errorOf = ({ kind, error }: { readonly kind: 'stopped' | 'failed'; readonly error: ReportedError }): Error => {
  const { name, message, stack } = error;
  const made = kind === 'stopped' ? new ProjectionStopped(message) : Object.assign(new Error(message), { name });
  return Object.assign(made, { stack });
};
