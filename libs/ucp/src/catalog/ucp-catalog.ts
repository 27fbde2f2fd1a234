import { Injectable } from '@nestjs/common';
import {
  dateAt,
  departureOf,
  FlightDocuments,
  type FlightPage,
  type FlightSearch,
  type FoundFlights,
  type KeepFlight,
  searchIn,
  type ShownFlight,
} from '#catalog';
import { Clock, DomainError, plus } from '#kernel';
import type { Asking } from '../asking.js';
import { envelopeOf, errorAnswer, type Message } from '../envelope.js';
import { invalidRequest, parsedAs } from '../invalid-request.js';
import { UcpError } from '../ucp-error.js';
import { CATALOG_LOOKUP, CATALOG_SEARCH } from '../versions.js';
import { type Filters, lookupInput, productInput, searchInput } from './catalog-input.js';
import { itemNamed } from '../ids.js';
import { categoryWanted, isNarrow, keptBy, priceMessages, priceWanted } from './narrowing.js';
import { FARE, type Product, productOf, type Selected, type Shown, type Variant } from './products.js';
import { journeyIn, type QueryText, queryTextIn } from './query-text.js';

/** Where a day begins that somebody calls today. */
const ZONE = 'America/Sao_Paulo';
const MOST_IDS = 50;
/** Who asks for everything is shown first what has so many seats, and leaves so late (ms) that it is sold for an hour yet. */
const [SEATS, TIME] = [9, 2 * 3_600_000];
/** Begins the cursor of what comes after that. */
const REST = '~';

/** Which request's id a variant was found by (UCP, `types/input_correlation.json`). */
interface FoundBy {
  readonly id: string;
  readonly match: 'exact' | 'featured';
}

interface Named {
  readonly flight: ShownFlight;
  readonly product: Product;
  /** null: the product is named. */
  readonly variant: Variant | null;
}

/** Departures as products and their fares as variants (UCP, Catalog), with the prices and seats of the public reads. */
@Injectable()
export class UcpCatalog {
  constructor(
    private readonly flights: FlightDocuments,
    private readonly clock: Clock,
  ) {}

  /** `search_catalog`: products by text and filters, page by page. @throws UcpError `invalid_request` */
  async search(asking: Asking, input: unknown) {
    const { query, filters, context, pagination, cursor = pagination.cursor } = parsedAs(searchInput, input);
    if (query.trim() === '' && !isNarrow(filters))
      throw invalidRequest({
        path: '$.query',
        content: 'Informe query ou um filtro: price, categories, from, to, date, dateFrom e dateTo, passengers.',
      });
    const said = queryTextIn(query, dateAt(this.clock.now(), ZONE));
    const page = { limit: pagination.limit, cursor };
    const keep = keptBy(filters, context);
    const { items, count, nextCursor } = await this.found(said, filters, page, keep);
    const isPriced = priceWanted(filters, context);
    const products = items.flatMap((flight) => {
      const product = productOf(flight, this.shown(asking, filters));
      return product ? [{ ...product, variants: product.variants.filter(({ price }) => isPriced(price)) }] : [];
    });
    return {
      ucp: envelopeOf(asking, [CATALOG_SEARCH]),
      products,
      pagination: {
        ...(nextCursor !== null && { cursor: nextCursor }),
        has_next_page: nextCursor !== null,
        total_count: count,
      },
      ...withMessages(priceMessages(filters, context, products)),
    };
  }

  /** `lookup_catalog`: products by their own or their variants' ids. @throws UcpError `invalid_request`, `request_too_large` */
  async lookup(asking: Asking, input: unknown) {
    const { ids, filters, context } = parsedAs(lookupInput, input);
    if (ids.length > MOST_IDS)
      throw new UcpError(400, 'request_too_large', `Informe até ${MOST_IDS} identificadores em ids.`);
    const [isPriced, isOfCategory] = [priceWanted(filters, context), categoryWanted(filters)];
    const found = new Map<string, { readonly product: Product; readonly inputs: Map<string, readonly FoundBy[]> }>();
    const unknown: Message[] = [];
    for (const id of new Set(ids)) {
      const named = await this.named(id, this.shown(asking, filters));
      if (!named) unknown.push({ type: 'info', code: 'not_found', content: id });
      if (!named || !isOfCategory(named.flight)) continue;
      const { product, variant } = named;
      const shown = (variant ? [variant] : product.variants).find(({ price }) => isPriced(price));
      if (!shown) continue;
      const { inputs } = found.get(product.id) ?? { inputs: new Map<string, readonly FoundBy[]>() };
      const foundBy = { id, match: variant ? 'exact' : 'featured' } as const;
      inputs.set(shown.id, [...(inputs.get(shown.id) ?? []), foundBy]);
      found.set(product.id, { product, inputs });
    }
    const products = [...found.values()].map(({ product, inputs }) => ({
      ...product,
      variants: product.variants.flatMap((variant) => {
        const foundBy = inputs.get(variant.id);
        return foundBy ? [{ ...variant, inputs: foundBy }] : [];
      }),
    }));
    return {
      ucp: envelopeOf(asking, [CATALOG_LOOKUP]),
      products,
      ...withMessages([...unknown, ...priceMessages(filters, context, products)]),
    };
  }

  /** `get_product`: one product with the fares that a choice leaves. @throws UcpError `invalid_request` */
  async product(asking: Asking, input: unknown) {
    const { id, selected = [], filters, context } = parsedAs(productInput, input);
    const named = await this.named(id, this.shown(asking, filters));
    const isPriced = priceWanted(filters, context);
    const chosen =
      named && (named.variant ?? named.product.variants.find(({ options }) => isChosen(options, selected)));
    const variants = (chosen ? [chosen] : (named?.product.variants ?? [])).filter(({ price }) => isPriced(price));
    const [featured] = variants;
    if (!named || !featured || !categoryWanted(filters)(named.flight)) {
      const content = named
        ? `O produto não tem tarifa que os filtros aceitem: ${id}`
        : `Produto não encontrado: ${id}`;
      const message = { type: 'error', code: 'not_found', content, severity: 'unrecoverable' } as const;
      return errorAnswer(asking, [CATALOG_LOOKUP], [message]);
    }
    const { product } = named;
    const values = product.variants.flatMap(({ options, availability: { available } }) =>
      options.map(({ id, label }) => ({ id, label, available, exists: true })),
    );
    return {
      ucp: envelopeOf(asking, [CATALOG_LOOKUP]),
      product: {
        ...product,
        options: [{ name: FARE, values }],
        // A choice that no fare has is dropped, and with it the only option (UCP, Effective Selections).
        selected: chosen || selected.length === 0 ? featured.options : [],
        variants,
      },
      ...withMessages(priceMessages(filters, context, [product])),
    };
  }

  private shown({ urls: { site } }: Asking, { passengers = 1 }: Filters): Shown {
    return { site, now: this.clock.now(), passengers };
  }

  /** null: the id names nothing. */
  private async named(id: string, shown: Shown): Promise<Named | null> {
    const item = itemNamed(id);
    const ofItem = item && (await this.flights.withId(item.flightId));
    const sold = ofItem && productOf(ofItem, shown);
    const variant = sold?.variants.find((one) => one.id === id);
    if (ofItem && sold && variant) return { flight: ofItem, product: sold, variant };
    const flight = await this.flights.withId(id);
    const product = flight && productOf(flight, shown);
    return product && { flight, product, variant: null };
  }

  private async found(said: QueryText, filters: Filters, page: FlightPage, keep: KeepFlight | undefined) {
    try {
      const search = searchIn(await this.meant(said, filters));
      return await (said.all ? this.all(search, page, keep) : this.flights.find(search, page, keep));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code === 'invalid_cursor')
        throw invalidRequest({ path: '$.pagination.cursor', content: 'O cursor não é desta busca.' });
      if (error.code !== 'invalid_query' || !Array.isArray(error.details)) throw error;
      const wrong = error.details as readonly { readonly field: string; readonly message: string }[];
      throw invalidRequest(...wrong.map(({ field, message }) => ({ path: `$.filters.${field}`, content: message })));
    }
  }

  /** The search that a text and filters mean: a journey where it is one, else as our own search reads it. */
  private async meant({ text, date }: QueryText, filters: Filters): Promise<FlightSearch> {
    const { from = '', to = '', dateFrom, dateTo } = filters;
    const day = filters.date ?? (dateFrom === undefined && dateTo === undefined ? date : undefined);
    const days = {
      ...(day !== undefined && { date: day }),
      ...(dateFrom !== undefined && { dateFrom }),
      ...(dateTo !== undefined && { dateTo }),
    };
    const asked = { ...(text !== '' && { q: text }), from, to };
    if (text === '' || `${from}${to}`.trim() !== '') return { ...asked, ...days };
    const one = { limit: 1, cursor: undefined };
    const journey = journeyIn(text);
    if (journey && (await this.flights.find(journey, one)).count > 0) return { ...journey, ...days };
    const { suggestions = [] } = await this.flights.find(asked, one);
    // Of a text without words between the places only this is meant: "recife são paulo".
    const parted = suggestions
      .map(({ query: { from, to } }) => ({ from, to }))
      .find(({ from, to }) => from !== undefined && to !== undefined);
    return { ...(parted ?? asked), ...days };
  }

  /** All of a search, what a group can buy for a while yet before the rest. */
  private async all(
    search: FlightSearch,
    { limit, cursor }: FlightPage,
    keep?: KeepFlight,
  ): Promise<FoundFlights<ShownFlight>> {
    const isKept = keep ?? (() => true);
    const from = plus(this.clock.now(), TIME);
    const isReady: KeepFlight = (flight) => flight.seatsLeft >= SEATS && (departureOf(flight) ?? from) >= from;
    const restAfter = (after: string | undefined, left: number) =>
      this.flights.find(search, { limit: left, cursor: after }, (flight) => !isReady(flight) && isKept(flight));
    const restOf = ({ nextCursor }: FoundFlights<ShownFlight>) => nextCursor && `${REST}${nextCursor}`;
    const { count } = await this.flights.find(search, { limit: 1, cursor: undefined }, keep);
    if (cursor?.startsWith(REST)) {
      const rest = await restAfter(cursor.slice(REST.length) || undefined, limit);
      return { count, items: rest.items, nextCursor: restOf(rest) };
    }
    const ready = await this.flights.find(search, { limit, cursor }, (flight) => isReady(flight) && isKept(flight));
    const { items, nextCursor } = ready;
    if (nextCursor !== null || ready.count === count) return { count, items, nextCursor };
    if (items.length === limit) return { count, items, nextCursor: REST };
    const rest = await restAfter(undefined, limit - items.length);
    return { count, items: [...items, ...rest.items], nextCursor: restOf(rest) };
  }
}

const withMessages = (messages: readonly Message[]) => (messages.length > 0 ? { messages } : {});

/** Whether a choice names the option of a fare, by its id where it has one. */
const isChosen = (options: readonly Selected[], selected: readonly Selected[]): boolean =>
  options.some(({ name, id, label }) =>
    selected.some((one) => one.name === name && (one.id === undefined ? one.label === label : one.id === id)),
  );
