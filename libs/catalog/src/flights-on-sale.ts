import { LRUCache } from 'lru-cache';
import { flightIdOf } from '#events';
import { DomainError, earliest, type Instant, upTo } from '#kernel';
import { isClosed, saleEndOf } from './flight.decider.js';
import type {
  CatalogDocument,
  FlightDocument,
  SaleDaysDocument,
  ShownFlight,
  TimetableDocument,
} from './flights.projection.js';
import { type DepartureTerms, KnownTimetable } from './known-timetable.js';
import { dateAt, later } from './local-time.rule.js';
import { datesOnSale, departureId, departureNamed, type SaleDays } from './timetable.decider.js';

/** How many departures that nobody touched are kept as they were shown. */
const SHOWN = 20_000;
/** After every instant. */
const FOREVER = '9999';
/** The zones in which a day begins first and last. */
const [FIRST_ZONE, LAST_ZONE] = ['Etc/GMT-14', 'Etc/GMT+12'];

/** What an undated search finds: a flight, or a timetable as its next departure. */
export type Listed = Omit<FlightDocument, 'position' | 'seatsLeft'>;

type Named = Pick<Listed, 'flightNumber' | 'flightId'>;

/** A departure of a date by its id, and what it is ordered by. */
export interface Leaving {
  readonly id: string;
  readonly terms: DepartureTerms;
}

/** The flights, timetables and days of the read model as they are at an instant. A flight is replaced and never changed: identity is its version. */
export class FlightsOnSale {
  /** By id, all but the departures of timetables. */
  private readonly flights = new Map<string, FlightDocument>();
  /** By number. */
  private readonly timetables = new Map<string, KnownTimetable>();
  /** By the slug of its page, the number or id of a flight. */
  private readonly slugs = new Map<string, string>();
  /** Departures that somebody was shown and nobody touched, by id. */
  private readonly shown = new LRUCache<string, ShownFlight>(upTo(SHOWN));
  private opened: SaleDaysDocument | null = null;
  /** Timetables whose next departure is to be looked for, beside those whose time has come. */
  private readonly changed = new Set<KnownTimetable>();
  private now: Instant = '';
  /** Until when the next departures are what they are, and all that is sold is. */
  private until: Instant = FOREVER;

  /** Another object whenever a document was added or replaced, another departure became the next, or a sale ended. */
  version: object = {};
  /** Another object after each flight that was added. It holds nothing, so that keeping it keeps no index in memory. */
  catalogue: object = {};
  /** Another object after each flight that was added or has another lowest price. */
  prices: object = {};
  /** Another object after each departure that goes from now on or no more, or has another lowest price. */
  terms: object = {};
  /** As `terms`, and after each departure that is sold from now on or no more. */
  dates: object = {};

  add(document: CatalogDocument): void {
    if ('timetable' in document) this.addTimetable(document);
    else if ('seatsLeft' in document) this.addFlight(document);
    else if (this.opened?.position !== document.position) {
      this.opened = document;
      for (const timetable of this.timetables.values()) this.changed.add(timetable);
      [this.version, this.dates] = [{}, {}];
    }
  }

  /** What is known as it is at an instant, which the reader gives, since departures come to be the next ones. */
  at(now: Instant): void {
    this.now = now;
    const isTime = now >= this.until;
    if (!isTime && this.changed.size === 0) return;
    if (isTime)
      for (const timetable of this.timetables.values()) if (timetable.until <= now) this.changed.add(timetable);
    for (const timetable of this.changed) this.look(timetable, now);
    if (isTime) [this.until, this.version, this.dates] = [FOREVER, {}, {}];
    for (const { until } of isTime ? this.timetables.values() : this.changed) this.until = earliest(this.until, until);
    if (isTime) for (const flight of this.flights.values()) this.watch(flight, now);
    this.changed.clear();
  }

  /** A flight by id, or the next departure by number. @throws DomainError `flight_not_found` */
  get(id: string): ShownFlight {
    const flight = this.hasTimetable(id) ? this.timetables.get(id)?.next : (this.flights.get(id) ?? this.departure(id));
    if (!flight) throw new DomainError('flight_not_found');
    return flight;
  }

  /** The flight with this number, on a date on sale where one is given. @throws DomainError `flight_not_found` */
  on(flightNumber: string, date: string | undefined): ShownFlight {
    if (date === undefined) return this.get(flightNumber);
    if (this.hasTimetable(flightNumber)) {
      const dates = this.datesOf(flightNumber);
      return this.get(dates && dates.first <= date && date <= dates.last ? departureId(flightNumber, date) : '');
    }
    const flight = this.get(flightNumber);
    if (flight.departureDate !== date) throw new DomainError('flight_not_found');
    return flight;
  }

  /** The dates of a number on sale; null: it has no timetable. */
  datesOf(flightNumber: string): SaleDays | null {
    const timetable = this.timetables.get(flightNumber);
    return timetable?.document ? timetable.datesOnSale(this.opened, this.now) : null;
  }

  /** The dates on sale where somebody is; null: there are no timetables. */
  datesIn(timeZone: string): SaleDays | null {
    return this.timetables.size > 0 ? datesOnSale(this.opened, timeZone, this.now) : null;
  }

  /** The number or id of the flight whose page has this slug, or null. */
  numberAt(slug: string): string | null {
    return this.slugs.get(slug) ?? null;
  }

  /** What an undated search finds. A timetable stands for all flights of its number. */
  *listed(): Iterable<Listed> {
    for (const flight of this.flights.values()) if (!this.hasTimetable(flight.flightNumber)) yield flight;
    for (const { document, next } of this.timetables.values()) {
      if (document && next) yield { ...next, flightId: undefined, searchTerms: document.searchTerms };
    }
  }

  /** What of a listed flight leaves on a date, sold or not; undefined: nothing does. */
  leaving(listed: Named | undefined, date: string): Leaving | undefined {
    if (!listed) return undefined;
    const { flightNumber, flightId } = listed;
    if (this.hasTimetable(flightNumber)) {
      const terms = this.timetables.get(flightNumber)?.termsOn(date);
      return terms && { id: departureId(flightNumber, date), terms };
    }
    const terms = this.flights.get(flightId ?? flightNumber);
    return terms?.departureDate === date && terms.cancelledAt === undefined
      ? { id: flightIdOf(terms), terms }
      : undefined;
  }

  /** Whether a listed flight that leaves on a date is sold now. Nothing is computed where every zone sells what leaves then. */
  saleOn(date: string): (listed: Named | undefined) => boolean {
    const last = datesOnSale(this.opened, LAST_ZONE, this.now)?.last ?? '';
    if (later(dateAt(this.now, FIRST_ZONE), 1) < date && date <= last) return () => true;
    return (listed) => {
      const departure = this.leaving(listed, date);
      return Boolean(listed && departure && this.isSold(listed.flightNumber, date, departure));
    };
  }

  private isSold(flightNumber: string, date: string, { id, terms }: Leaving): boolean {
    const timetable = this.hasTimetable(flightNumber) && this.timetables.get(flightNumber);
    if (!timetable) return !isClosed(this.get(id), this.now);
    const onSale = timetable.datesOnSale(this.opened, this.now);
    return onSale !== null && onSale.first <= date && date <= onSale.last && timetable.isSold(date, terms, this.now);
  }

  private hasTimetable(flightNumber: string): boolean {
    return Boolean(this.timetables.get(flightNumber)?.document);
  }

  private addTimetable(document: TimetableDocument): void {
    const timetable = this.timetableOf(document.flightNumber);
    if (timetable.document?.position === document.position) return;
    timetable.document = document;
    this.changed.add(timetable);
    for (const { slug } of document.timetable) this.slugs.set(slug, document.flightNumber);
    this.shown.clear();
    this.listAnew();
  }

  private addFlight(document: FlightDocument): void {
    const { flightId, departureDate } = document;
    const named = flightId === undefined ? null : departureNamed(flightId);
    if (named && departureDate !== null) this.addDeparture(named, document);
    else this.addFlightOfOwn(document);
  }

  private addFlightOfOwn(document: FlightDocument): void {
    const id = flightIdOf(document);
    const known = this.flights.get(id);
    if (known?.position === document.position) return;
    this.version = {};
    this.flights.set(id, document);
    this.watch(document, this.now);
    if (!this.hasTimetable(id)) this.slugs.set(document.slug, id);
    if (!known) this.listAnew();
    else if (priceKey(known) !== priceKey(document) || document.cancelledAt !== undefined) this.reprice();
  }

  private addDeparture({ flightNumber, date }: { flightNumber: string; date: string }, document: FlightDocument): void {
    const timetable = this.timetableOf(flightNumber);
    const known = timetable.termsOn(date);
    if (timetable.touched.get(date)?.position === document.position) return;
    timetable.touched.set(date, document);
    this.version = {};
    this.changed.add(timetable);
    if (!known || priceKey(known) !== priceKey(document) || document.cancelledAt !== undefined)
      [this.terms, this.dates] = [{}, {}];
  }

  /** Looks again when the sale of a dated flight ends. */
  private watch(flight: FlightDocument, now: Instant): void {
    const end = saleEndOf(flight);
    if (end !== null && end > now) this.until = earliest(this.until, end);
  }

  private timetableOf(flightNumber: string): KnownTimetable {
    const known = this.timetables.get(flightNumber) ?? new KnownTimetable(flightNumber);
    this.timetables.set(flightNumber, known);
    return known;
  }

  private look(timetable: KnownTimetable, now: Instant): void {
    const { next: before } = timetable;
    timetable.look(this.opened, now);
    const { next } = timetable;
    if (next === before) return;
    this.version = {};
    if (before?.departureTime !== next?.departureTime) this.listAnew();
    else if (before && next && priceKey(before) !== priceKey(next)) this.reprice();
  }

  private listAnew(): void {
    this.catalogue = {};
    this.reprice();
  }

  private reprice(): void {
    [this.version, this.prices, this.terms, this.dates] = [{}, {}, {}, {}];
  }

  /** A departure by its id, the same object as long as nobody touches it and it is among those shown last. */
  private departure(id: string): ShownFlight | undefined {
    const named = departureNamed(id);
    const timetable = named && this.timetables.get(named.flightNumber);
    if (!timetable) return undefined;
    const { date } = named;
    const known = timetable.touched.has(date) ? undefined : this.shown.get(id);
    const departure = known ?? timetable.departureOn(date);
    if (departure && !timetable.touched.has(date)) this.shown.set(id, departure);
    return departure;
  }
}

const inOrder = (integer: number): string => String(integer).padStart(15, '0');
export const durationKey = ({ durationMin }: DepartureTerms): string => inOrder(durationMin);
/** By currency, since amounts of two do not compare, and by the lowest price. */
export const priceKey = ({ currency, fares }: DepartureTerms): string =>
  `${currency} ${inOrder(Math.min(...fares.map(({ price }) => price)))}`;
