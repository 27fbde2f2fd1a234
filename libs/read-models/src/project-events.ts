import type { GuardedDocument, ReadModelStore } from '#documents';
import { BEGINNING } from '#event-store';
import type { Projection, RecordedEvent } from './projection.js';

/** Documents as they were last written, by id: who alone writes a collection need not load them again. */
export interface KnownDocuments {
  readonly get: (id: string) => GuardedDocument | undefined;
  readonly set: (id: string, document: GuardedDocument) => unknown;
}

/**
 * Folds a batch of events into the documents of a collection (rule 24): loads the documents touched, folds in log order
 * every event with a greater position than the document's, writes each document once. A document that ends as null is
 * written too, as a tombstone: otherwise a projector behind this one could bring it back.
 *
 * `known` spares loading those that this projector wrote last, and takes in those it writes now; the guard finds out where
 * another projector has written them since. Answers false where one is ahead: some documents may be written, and the rest
 * may not be what they should be until the batch is done again, with nothing known.
 */
export const projectEvents = async (
  store: ReadModelStore,
  collection: string,
  projection: Projection<object>,
  events: readonly RecordedEvent[],
  known: KnownDocuments = new Map<string, GuardedDocument>(),
): Promise<boolean> => {
  const touches = events.flatMap((event) => projection.documentsOf(event).map((id) => ({ id, event })));
  if (touches.length === 0) return true;
  const found = new Map<string, GuardedDocument>();
  const missing = new Set<string>();
  for (const { id } of touches) {
    const document = known.get(id);
    if (document) found.set(id, document);
    else missing.add(id);
  }
  const loaded = missing.size === 0 ? [] : await store.getGuarded(collection, [...missing]);
  for (const document of loaded) found.set(document.id, document);
  const changed = new Map<string, GuardedDocument>();
  for (const { id, event } of touches) {
    const document = changed.get(id) ?? found.get(id) ?? { id, body: null, position: BEGINNING };
    if (event.position <= document.position) continue;
    changed.set(id, { id, body: projection.evolve(document.body, event, id), position: event.position });
  }
  const writes = [...changed.values()].map((document) => ({ ...document, isNew: !found.has(document.id) }));
  if (writes.length === 0) return true;
  const ahead = await store.putGuarded(collection, writes);
  for (const document of changed.values()) known.set(document.id, document);
  return ahead.length === 0;
};
