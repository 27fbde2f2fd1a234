import { Injectable } from '@nestjs/common';
import { type Query, ReadModelStore } from '#documents';
import { Aggregates } from '#event-store';
import { flightIdOf } from '#events';
import { whenThere } from '#http';
import { Clock, DomainError, nextTurn } from '#kernel';
import { ReadModels } from '#read-models';
import { flightMeant } from './departures.js';
import { flightIdNamed, isClosed } from './flight.decider.js';
import { type CatalogDocument, flightsProjection, shownFlight, type ShownFlight } from './flights.projection.js';
import {
  type FlightPage,
  type FoundFlights,
  type KeepFlight,
  KnownFlights,
  type RoutesOnSale,
} from './known-flights.js';
import type { FlightsOnSale } from './flights-on-sale.js';
import { later } from './local-time.rule.js';
import type { FlightSearch } from './matching-flights.js';
import { departureNamed, type SaleDays } from './timetable.decider.js';
import type { Airport } from './places.js';

/** Why a flight cannot be bought any more: it was cancelled, or its sale has ended. */
export type WhyClosed = 'cancelled' | 'over';

interface FoundFlight {
  readonly flight: ShownFlight;
  /** null: it is on sale, or sold out. */
  readonly closed: WhyClosed | null;
  /** Of a timetable: all dates on sale, and what leaves on them. */
  readonly days: DaysOfFlight | null;
}

export interface DaysOfFlight extends SaleDays {
  /** By date, the departures that are still sold. */
  readonly departures: ReadonlyMap<string, ShownFlight>;
}

const daysOf = (onSale: FlightsOnSale, flightNumber: string, { first, last }: SaleDays): DaysOfFlight => {
  const departures = new Map<string, ShownFlight>();
  for (let date = first; date <= last; date = later(date, 1)) {
    const departure = onSale.leaving({ flightNumber }, date);
    if (departure && onSale.saleOn(date)({ flightNumber })) departures.set(date, onSale.get(departure.id));
  }
  return { first, last, departures };
};

/** How many documents are read in one turn of the event loop. */
const AT_ONCE = 500;

/** The flights' read model in memory, read again where it has moved on (docs/decisions.md, Flights; docs/adr/0093). */
@Injectable()
export class FlightDocuments {
  private known = new KnownFlights('');
  private reading: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
  ) {}

  /** What is on sale as the read model has it now: at once where it has not moved on. @throws DocumentsUnavailable */
  now(): KnownFlights | Promise<KnownFlights> {
    const { known } = this;
    const version = this.readModels.versionOf(flightsProjection);
    if (version !== null && version.collection === known.collection && version.upTo === known.upTo)
      return known.at(this.clock.now());
    // One after the other, so that later ones find what was read for those before.
    const read = this.reading.then(() => this.read());
    this.reading = read.catch(() => undefined);
    return read.then((read) => read.at(this.clock.now()));
  }

  /** The flight whose page has this slug, on a date on sale where one is given, or null. */
  async findBySlug(slug: string, date?: string): Promise<FoundFlight | null> {
    const { onSale } = await this.now();
    const flightNumber = onSale.numberAt(slug);
    if (flightNumber === null) return null;
    const flight = onSale.on(flightNumber, date);
    const dates = onSale.datesOf(flightNumber);
    const over = isClosed(flight, this.clock.now()) ? 'over' : null;
    const closed = flight.cancelledAt === undefined ? over : 'cancelled';
    return { flight, closed, days: dates && daysOf(onSale, flightNumber, dates) };
  }

  /** The dates on sale where somebody is; null: nothing has a timetable. */
  async datesIn(timeZone: string): Promise<SaleDays | null> {
    return (await this.now()).onSale.datesIn(timeZone);
  }

  /** The flight with a number in any notation, on a local date or the next one. @throws DomainError `flight_not_found` */
  get(flightNumber: string, date?: string): ShownFlight | Promise<ShownFlight> {
    // Where the read model is being built, or its position cannot be known, the flight's own stream is read.
    if (this.readModels.versionOf(flightsProjection) === null) return this.folded(flightNumber, date);
    return whenThere(this.now(), ({ onSale }) => onSale.on(flightIdNamed(flightNumber), date));
  }

  /** The flight with this id, sold or not, of no day that is not on sale yet; null: there is none. */
  async withId(flightId: string): Promise<ShownFlight | null> {
    const { onSale } = await this.now();
    const named = departureNamed(flightId);
    if (named && named.date > (onSale.datesOf(named.flightNumber)?.last ?? '')) return null;
    try {
      const flight = onSale.get(flightId);
      // A number is the id of no departure that it stands for.
      return flightIdOf(flight) === flightId ? flight : null;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'flight_not_found') return null;
      throw error;
    }
  }

  /** One page of the flights that a search means, in its order; `keep`: of those, which. @throws DomainError `invalid_cursor` */
  async find(search: FlightSearch, page: FlightPage, keep?: KeepFlight): Promise<FoundFlights<ShownFlight>> {
    const known = await this.now();
    const found = known.find(search, page, keep);
    return { ...found, items: found.items.map((id) => known.onSale.get(id)) };
  }

  /** The routes with the most flights of all that is on sale, at most so many of them. */
  async routes(most: number): Promise<RoutesOnSale<ShownFlight>> {
    const known = await this.now();
    const routes = known.routes(most).map((route) => ({ ...route, cheapest: known.onSale.get(route.cheapest) }));
    return { count: known.size, routes };
  }

  async airports(): Promise<readonly Airport[]> {
    return (await this.now()).airports;
  }

  private async folded(flightNumber: string, date: string | undefined): Promise<ShownFlight> {
    const meant = { flightNumber, date, passengers: 1 };
    return flightMeant(this.aggregates, meant).then(shownFlight, (error: unknown) => {
      const isUnknown = error instanceof DomainError && error.code === 'invalid_flight';
      throw isUnknown ? new DomainError('flight_not_found') : error;
    });
  }

  private async read(): Promise<KnownFlights> {
    const collection = this.readModels.collectionOf(flightsProjection);
    const version = this.readModels.versionOf(flightsProjection);
    const known = this.known.collection === collection ? this.known : new KnownFlights(collection);
    if (version && version.upTo === known.upTo) return known;
    await this.readChanges(known);
    // What is in the documents before they were looked at; not what their own positions say: others may be on their way.
    if (version?.collection === collection) known.upTo = version.upTo;
    return (this.known = known);
  }

  /** Reads the documents changed by an event after what is known, in the order of these events. */
  private async readChanges(known: KnownFlights): Promise<void> {
    const where = [{ field: 'position', atLeast: known.upTo }];
    const query: Query = { where, sort: { field: 'position', direction: 'ascending' }, limit: AT_ONCE };
    let page = await this.store.find<CatalogDocument>(known.collection, query);
    for (;;) {
      for (const { body } of page) known.onSale.add(body);
      const last = page.at(-1);
      if (!last || page.length < AT_ONCE) return;
      await nextTurn();
      page = await this.store.find(known.collection, { ...query, after: { value: last.body.position, id: last.id } });
    }
  }
}
