import { createHash } from 'node:crypto';
import { Collection, type CollectionSpec, type Documents } from '#documents';
import type { Aggregates, EventStore } from '#event-store';
import { flightIdOf } from '#events';
import { canonicalJson, plus, systemContext } from '#kernel';
import { z } from 'zod';
import { type CatalogEntry, InvalidCatalog, isTimetable, type TimetableEntry } from './catalog-file.js';
import { daysDue, openDays } from './open-days.js';
import { changedTerm, type Flight, flights, type FlightState } from './flight.decider.js';
import { dateAt, later } from './local-time.rule.js';
import { fixedTerm, saleDays, type TimetableState, timetables } from './timetable.decider.js';

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
  catalog: readonly CatalogEntry[],
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

/** Puts flights and timetables on sale, repricing fares; others stay (docs/decisions.md, Flights). @throws InvalidCatalog */
export const importCatalog = async (aggregates: Aggregates, catalog: readonly CatalogEntry[]): Promise<void> => {
  const changes = await byParts(catalog, (entry) => faultOf(aggregates, entry));
  const refused = changes.filter((change) => change !== undefined);
  if (refused.length > 0) throw new InvalidCatalog(`flights on sale keep their terms:\n${refused.join('\n')}`);
  const zones = zonesOf(catalog);
  await openDays(aggregates, zones);
  await byParts(catalog, (entry) =>
    isTimetable(entry) ? scheduleTimetable(aggregates, entry, zones) : putOnSale(aggregates, entry),
  );
};

/** How many entries at a time: a server that is asked for all of a large catalogue at once answers none in time. */
const AT_A_TIME = 50;

const byParts = async <Result>(
  catalog: readonly CatalogEntry[],
  work: (entry: CatalogEntry) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (let from = 0; from < catalog.length; from += AT_A_TIME)
    results.push(...(await Promise.all(catalog.slice(from, from + AT_A_TIME).map(work))));
  return results;
};

export const zonesOf = (catalog: readonly CatalogEntry[]): readonly string[] => [
  ...new Set(catalog.filter(isTimetable).map(({ timeZone }) => timeZone)),
];

const putOnSale = async (aggregates: Aggregates, flight: Flight): Promise<void> => {
  const flightId = flightIdOf(flight);
  await aggregates.handle(flights, flightId, { type: 'ScheduleFlight', flight }, CONTEXT);
  await aggregates.handle(flights, flightId, { type: 'RepriceFares', fares: flight.fares }, CONTEXT);
};

/** A day that is due within so long (ms) counts as open: others may open it between the look and the append. */
const SOON = 3_600_000;

/** A new timetable holds from the first day on sale on, a changed one after the last that is open or soon will be (rule 38). */
const scheduleTimetable = async (
  aggregates: Aggregates,
  { replacesUndated: _, ...terms }: TimetableEntry,
  zones: readonly string[],
): Promise<void> => {
  const { flightNumber, timeZone } = terms;
  const [{ state }, { state: opened }] = await Promise.all([
    aggregates.load(timetables, flightNumber),
    aggregates.load(saleDays, 'on-sale'),
  ]);
  const now = aggregates.clock.now();
  const due = daysDue(zones, plus(now, SOON))?.last ?? '';
  const firstDate =
    state.status === 'unscheduled' || !opened ? dateAt(now, timeZone) : later(opened.last > due ? opened.last : due, 1);
  await aggregates.handle(timetables, flightNumber, { type: 'ScheduleTimetable', terms, firstDate }, CONTEXT);
};

/** What cannot change of what is on sale and does, in words for the operator. */
const faultOf = async (aggregates: Aggregates, entry: CatalogEntry): Promise<string | undefined> => {
  const { flightNumber } = entry;
  const [{ state: timetable }, { state: flight }] = await Promise.all([
    aggregates.load(timetables, flightNumber),
    aggregates.load(flights, flightNumber),
  ]);
  const fault = isTimetable(entry)
    ? faultOfTimetable(entry, timetable, flight)
    : faultOfFlight(entry, timetable, flight);
  return fault && `flight ${flightNumber}: ${fault}`;
};

const faultOfFlight = (wanted: Flight, timetable: TimetableState, flight: FlightState): string | undefined => {
  if (timetable.status === 'scheduled') return 'has a timetable';
  const field = flight.status === 'scheduled' ? changedTerm(flight.flight, wanted) : undefined;
  return field && `${field} differs from that of the flight on sale; only fares may change`;
};

const faultOfTimetable = (
  wanted: TimetableEntry,
  timetable: TimetableState,
  flight: FlightState,
): string | undefined => {
  if (timetable.status === 'unscheduled' && flight.status === 'scheduled') {
    const isUndated = flight.flight.departureDate === null;
    if (!isUndated || !wanted.replacesUndated)
      return `is on sale ${isUndated ? 'without' : 'with'} a date; only replacesUndated ends the sale of one without`;
  }
  const field = fixedTerm(timetable, wanted);
  return field && `${field} differs from that of its timetable`;
};
