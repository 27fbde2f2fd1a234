import { type Instant, plus } from '#kernel';
import { saleEndOf } from './flight.decider.js';
import type { FlightDocument, ShownFlight, TimetableDocument } from './flights.projection.js';
import { later } from './local-time.rule.js';
import { datesOnSale, departureBy, departureId, type SaleDays, termsOn, type Timetable } from './timetable.decider.js';

/** How long (ms) the next departure of a timetable that has none with a seat is not looked for again. */
const AGAIN = 60_000;

/** What departures are ordered by: of those that nobody touched the terms of their timetable, one object for all days. */
export type DepartureTerms = Pick<FlightDocument, 'departureTime' | 'currency' | 'fares' | 'durationMin'>;

/** A timetable of the read model with the departures that somebody touched, which may be read before it. */
export class KnownTimetable {
  document: TimetableDocument | null = null;
  /** By date; those that have left are forgotten. */
  readonly touched = new Map<string, FlightDocument>();
  /** Its next departure that is sold and has a seat, else that is sold; null: there is none. */
  next: ShownFlight | null = null;
  /** Until when that is the next as long as nothing is sold, given back or opened. */
  until: Instant = '';

  constructor(private readonly flightNumber: string) {}

  private get terms(): readonly Timetable[] {
    return this.document?.timetable ?? [];
  }

  private get timeZone(): string {
    return this.terms.at(-1)?.timeZone ?? 'UTC';
  }

  /** What a date's departure is ordered by; undefined: the flight does not go. */
  termsOn(date: string): DepartureTerms | undefined {
    const touched = this.touched.get(date);
    return touched?.cancelledAt === undefined ? (touched ?? termsOn(this.terms, date)) : undefined;
  }

  /** The departure of a date, another object each time where nobody touched it; undefined: the flight does not go. */
  departureOn(date: string): ShownFlight | undefined {
    if (this.next?.departureDate === date) return this.next;
    const terms = termsOn(this.terms, date);
    return this.touched.get(date) ?? (terms && shownBy(terms, date));
  }

  datesOnSale(opened: SaleDays | null, now: Instant): SaleDays | null {
    return datesOnSale(opened, this.timeZone, now);
  }

  isSold(date: string, { departureTime }: DepartureTerms, now: Instant): boolean {
    const { flightNumber, timeZone } = this;
    const flightId = departureId(flightNumber, date);
    const end = saleEndOf({ flightId, departureDate: date, departureTime, timeZone });
    return end === null || now < end;
  }

  /** Looks for the next departure again. */
  look(opened: SaleDays | null, now: Instant): void {
    const dates = this.datesOnSale(opened, now);
    for (const date of this.touched.keys()) if (dates && date < dates.first) this.touched.delete(date);
    let soldOut: string | null = null;
    for (let date = dates?.first ?? ''; dates && date <= dates.last; date = later(date, 1)) {
      const terms = this.termsOn(date);
      if (!terms || !this.isSold(date, terms, now)) continue;
      if ((this.touched.get(date)?.seatsLeft ?? 1) > 0) {
        this.next = this.shownOn(date);
        this.until = (this.next && saleEndOf(this.next)) ?? now;
        return;
      }
      soldOut ??= date;
    }
    this.next = soldOut === null ? null : this.shownOn(soldOut);
    this.until = plus(now, AGAIN);
  }

  /** The same object for as long as the departure is the next one, and nobody touched it or changed its timetable. */
  private shownOn(date: string): ShownFlight | null {
    const touched = this.touched.get(date);
    const terms = touched ?? termsOn(this.terms, date);
    if (this.next?.departureDate === date && this.next.fares === terms?.fares && !touched) return this.next;
    this.next = null;
    return this.departureOn(date) ?? null;
  }
}

/** A departure with all its seats. */
const shownBy = (terms: Timetable, date: string): ShownFlight => {
  const { seats: seatsLeft, ...flight } = departureBy(terms, date);
  return { ...flight, seatsLeft };
};
