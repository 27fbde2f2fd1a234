import { Injectable } from '@nestjs/common';
import { etagOf, type Prepared, RepeatableAnswer, whenThere } from '#http';
import { LRUCache } from 'lru-cache';
import type { MeantFlight } from './departures.js';
import { FlightDocuments } from './flight-documents.js';
import type { FlightPage, FoundFlights, KnownFlights } from './known-flights.js';
import { flightView } from './flight.view.js';
import type { ShownFlight } from './flights.projection.js';
import type { FlightSearch } from './matching-flights.js';
import { quoteFares } from './fare-quote.view.js';

/** Bytes that a quote keeps, and a search for each flight of its page. */
const [QUOTE, FLIGHT] = [4_096, 16];
/** Bytes of the pages of searches that are kept joined, and what one takes beside its body. */
const [JOINED, BESIDE] = [32 * 1024 * 1024, 1_024];
const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

interface Joined {
  /** The version of the flights in which it was seen to hold. */
  readonly version: object;
  /** What it was joined of. */
  readonly shows: string;
  readonly prepared: Prepared;
}

/** The public reads as bytes (docs/adr/0093): a flight is written once for each document, a search joins what is written. */
@Injectable()
export class FlightAnswers {
  private readonly written = new WeakMap<ShownFlight, { readonly site: string; readonly prepared: Prepared }>();
  private readonly joined = new LRUCache<object, Joined>({
    maxSize: JOINED,
    sizeCalculation: ({ prepared, shows }) => BESIDE + prepared.body.length + shows.length,
  });

  constructor(private readonly flights: FlightDocuments) {}

  flight(flightNumber: string, date: string | undefined, site: string): RepeatableAnswer {
    const now = (flight: ShownFlight): Prepared => this.flightAt(flight, site);
    return new RepeatableAnswer(() => whenThere(this.flights.get(flightNumber, date), now), 0);
  }

  quote(meant: MeantFlight, budget: number): RepeatableAnswer {
    const { flightNumber, date, passengers } = meant;
    let last: { readonly flight: ShownFlight; readonly prepared: Prepared } | null = null;
    const now = (flight: ShownFlight): Prepared => {
      if (last?.flight !== flight) last = { flight, prepared: prepared(quoteFares(flight, budget, passengers)) };
      return last.prepared;
    };
    return new RepeatableAnswer(() => whenThere(this.flights.get(flightNumber, date), now), QUOTE);
  }

  search(search: FlightSearch, page: FlightPage, site: string): RepeatableAnswer {
    let found: { readonly of: object; readonly page: FoundFlights<string> } | null = null;
    const pageOf = (known: KnownFlights): FoundFlights<string> => {
      // Which flights are found changes hardly ever; what is shown of them changes with every order.
      const of = known.foundFor(search);
      if (found?.of !== of) found = { of, page: known.find(search, page) };
      return found.page;
    };
    const now = (known: KnownFlights): Prepared => {
      const { version } = known.onSale;
      const last = this.joined.get(pageOf);
      if (last?.version === version) return last.prepared;
      const joined = this.join(known, pageOf(known), site, last);
      this.joined.set(pageOf, { version, ...joined });
      return joined.prepared;
    };
    return new RepeatableAnswer(() => whenThere(this.flights.now(), now), FLIGHT * page.limit);
  }

  private join(
    known: KnownFlights,
    { count, nextCursor, items, suggestions }: FoundFlights<string>,
    site: string,
    last: Joined | undefined,
  ): Pick<Joined, 'shows' | 'prepared'> {
    const beside = suggestions ? `"suggestions":${JSON.stringify(suggestions)},` : '';
    const head = `{"count":${count},"nextCursor":${JSON.stringify(nextCursor)},${beside}"items":[`;
    const written = items.map((flightId) => this.flightAt(known.onSale.get(flightId), site));
    // The tags of the flights say what the page shows: it is joined, and gets a tag of its own, only if one is another.
    const shows = written.reduce((text, { etag }) => text + etag, head);
    if (last?.shows === shows) return last;
    const bodies = written.flatMap(({ body }, place) => (place === 0 ? [body] : [COMMA, body]));
    return { shows, prepared: { body: Buffer.concat([Buffer.from(head), ...bodies, END]), etag: etagOf(shows) } };
  }

  private flightAt(flight: ShownFlight, site: string): Prepared {
    const written = this.written.get(flight);
    if (written?.site === site) return written.prepared;
    const made = prepared(flightView(flight, site));
    this.written.set(flight, { site, prepared: made });
    return made;
  }
}

/** An answer as bytes. They are kept for long, so they do not share their memory with those that come and go. */
const prepared = (answer: object): Prepared => {
  const text = JSON.stringify(answer);
  const body = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  body.write(text);
  return { body, etag: etagOf(body) };
};
