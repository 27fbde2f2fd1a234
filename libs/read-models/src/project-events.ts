import type { GuardedDocument, ReadModelStore } from '#documents';
import { BEGINNING } from '#event-store';
import type { Projection, RecordedEvent } from './projection.js';

/**
 * Folds a batch of events into the documents of a collection (rule 24): loads the documents touched, folds in log order
 * every event with a greater position than the document's, writes each document once. A document that ends as null is
 * written too, as a tombstone: otherwise a projector behind this one could bring it back.
 *
 * Answers false where another projector is ahead: some documents may be written, and the rest may not be what they
 * should be until the batch is done again.
 */
export const projectEvents = async (
  store: ReadModelStore,
  collection: string,
  projection: Projection<object>,
  events: readonly RecordedEvent[],
): Promise<boolean> => {
  const touches = events.flatMap((event) => projection.documentsOf(event).map((id) => ({ id, event })));
  if (touches.length === 0) return true;
  const ids = [...new Set(touches.map(({ id }) => id))];
  const found = new Map((await store.getGuarded(collection, ids)).map((document) => [document.id, document]));
  const changed = new Map<string, GuardedDocument>();
  for (const { id, event } of touches) {
    const document = changed.get(id) ?? found.get(id) ?? { id, body: null, position: BEGINNING };
    if (event.position <= document.position) continue;
    changed.set(id, { id, body: projection.evolve(document.body, event, id), position: event.position });
  }
  const writes = [...changed.values()].map((document) => ({ ...document, isNew: !found.has(document.id) }));
  const ahead = await store.putGuarded(collection, writes);
  return ahead.length === 0;
};
