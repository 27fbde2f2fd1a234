import { createHash } from 'node:crypto';
import { Collection, type CollectionSpec, type Documents } from '#documents';
import type { Aggregates, EventStore } from '#event-store';
import { flightIdOf } from '#events';
import { canonicalJson, systemContext } from '#kernel';
import { z } from 'zod';
import { InvalidCatalog } from './catalog-file.js';
import { changedTerm, type Flight, flights } from './flight.decider.js';

const CONTEXT = systemContext('catalog-import');

/** Which catalogue was imported last. It can be deleted at any time: the next start then looks at every flight. */
const IMPORTED_CATALOG: CollectionSpec = { name: 'imported-catalog', indexes: [] };
const LAST = 'last';

const imported = z.object({
  /** Hex SHA-256 of the flights, in canonical JSON. */
  catalog: z.string(),
  /** The last event of the log once they were on sale. */
  head: z.object({ stream: z.string(), revision: z.int(), hash: z.string() }),
});

/** As `importCatalog`, but skipped where this catalogue was the log's last, and its event is still there. @throws InvalidCatalog */
export const importCatalogAlone = async (
  aggregates: Aggregates,
  events: EventStore,
  documents: Documents,
  catalog: readonly Flight[],
): Promise<void> => {
  const last = new Collection(documents, IMPORTED_CATALOG, imported);
  await last.prepare();
  const hash = createHash('sha256').update(canonicalJson(catalog)).digest('hex');
  const found = (await last.get(LAST))?.body;
  if (found?.catalog === hash && (await holds(events, found.head))) return;
  await importCatalog(aggregates, catalog);
  const head = await events.head();
  if (!head) return;
  const { stream, revision, metadata } = head;
  await last.update(LAST, () => ({ catalog: hash, head: { stream, revision, hash: metadata.hash } }));
};

const holds = async (events: EventStore, { stream, revision, hash }: z.infer<typeof imported>['head']) => {
  for await (const { metadata } of events.readStream(stream, revision)) return metadata.hash === hash;
  return false;
};

/** Puts flights on sale, repricing fares; others stay (docs/decisions.md, Flights). @throws InvalidCatalog */
export const importCatalog = async (aggregates: Aggregates, catalog: readonly Flight[]): Promise<void> => {
  const changes = await Promise.all(catalog.map((flight) => changeOf(aggregates, flight)));
  const refused = changes.filter((change) => change !== undefined);
  if (refused.length > 0) throw new InvalidCatalog(`flights on sale keep their terms:\n${refused.join('\n')}`);

  await Promise.all(
    catalog.map(async (flight) => {
      const flightId = flightIdOf(flight);
      await aggregates.handle(flights, flightId, { type: 'ScheduleFlight', flight }, CONTEXT);
      await aggregates.handle(flights, flightId, { type: 'RepriceFares', fares: flight.fares }, CONTEXT);
    }),
  );
};

/** What cannot change of a flight on sale and does, in words for the operator. */
const changeOf = async (aggregates: Aggregates, flight: Flight): Promise<string | undefined> => {
  const { state } = await aggregates.load(flights, flightIdOf(flight));
  const field = state.status === 'scheduled' ? changedTerm(state.flight, flight) : undefined;
  return (
    field && `flight ${flight.flightNumber}: ${field} differs from that of the flight on sale; only fares may change`
  );
};
