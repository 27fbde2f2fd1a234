import type { PaymentProcessor } from '#checkout';
import type { Documents } from '#documents';
import type { EventStore, StoredEvent } from '#event-store';
import { categoryOf } from '#events';
import { overriding } from '#kernel';
import { withCalls } from '#testing';

/** Stands between a use case and a port. `call` says what is asked for, such as `append SeatsHeld` or `charge`. */
export type Intercept = <Answer>(call: string, work: () => Promise<Answer>) => Promise<Answer>;

/** An event store with somebody between. Calls: `append <types joined by +>`, `read <category>`. */
export const interceptedEventStore = (store: EventStore, intercept: Intercept): EventStore =>
  overriding(store, {
    append: (stream, expectedRevision, events) =>
      intercept(`append ${events.map(({ type }) => type).join('+')}`, () =>
        store.append(stream, expectedRevision, events),
      ),
    readStream: async function* (stream, fromRevision) {
      yield* await intercept(`read ${categoryOf(stream)}`, async () => {
        const events: StoredEvent[] = [];
        for await (const event of store.readStream(stream, fromRevision)) events.push(event);
        return events;
      });
    },
  });

/** Documents with somebody between. Calls: `insert <collection>`, and so `get`, `replace`, `delete`. */
export const interceptedDocuments = (documents: Documents, intercept: Intercept): Documents =>
  withCalls(documents, (name, call) =>
    ['insert', 'get', 'replace', 'delete'].includes(name)
      ? (...args) => intercept(`${name} ${String(args[0])}`, () => call(...args))
      : call,
  );

/** A payment processor at the other end of a line. Calls: `charge`, `capture`, `close`, `refund`, `decide`; the rest is not in the way. */
export const interceptedProcessor = (processor: PaymentProcessor, intercept: Intercept): PaymentProcessor =>
  withCalls(processor, (name, call) =>
    ['charge', 'capture', 'close', 'refund', 'decide'].includes(name)
      ? (...args) => intercept(name, () => call(...args))
      : call,
  );
