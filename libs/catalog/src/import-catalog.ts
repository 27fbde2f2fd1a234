import type { Aggregates } from '#event-store';
import { systemContext } from '#kernel';
import { InvalidCatalog } from './catalog-file.js';
import { changedTerm, type Flight, flights } from './flight.decider.js';

const CONTEXT = systemContext('catalog-import');

/**
 * Puts the flights of a catalogue on sale: new ones are scheduled, changed fares repriced, and a second time nothing
 * happens. Flights that are not in it stay on sale (docs/decisions.md, Flights).
 *
 * @throws InvalidCatalog where a flight on sale has another field changed; nothing is imported then.
 */
export const importCatalog = async (aggregates: Aggregates, catalog: readonly Flight[]): Promise<void> => {
  const changes = await Promise.all(catalog.map((flight) => changeOf(aggregates, flight)));
  const refused = changes.filter((change) => change !== undefined);
  if (refused.length > 0) throw new InvalidCatalog(`flights on sale keep their terms:\n${refused.join('\n')}`);

  await Promise.all(
    catalog.map(async (flight) => {
      const { flightNumber, fares } = flight;
      await aggregates.handle(flights, flightNumber, { type: 'ScheduleFlight', flight }, CONTEXT);
      await aggregates.handle(flights, flightNumber, { type: 'RepriceFares', fares }, CONTEXT);
    }),
  );
};

/** What cannot change of a flight on sale and does, in words for the operator. */
const changeOf = async (aggregates: Aggregates, flight: Flight): Promise<string | undefined> => {
  const { state } = await aggregates.load(flights, flight.flightNumber);
  const field = state.status === 'scheduled' ? changedTerm(state.flight, flight) : undefined;
  return (
    field && `flight ${flight.flightNumber}: ${field} differs from that of the flight on sale; only fares may change`
  );
};
