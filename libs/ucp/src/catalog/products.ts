import { cityNamed, type FlightView, flightView, isClosed, saleEndOf, type ShownFlight } from '#catalog';
import { type Instant, money, type Money } from '#kernel';
import { baggageText, dateText, dayText, durationText, moneyText } from '#site';
import { itemId } from '../ids.js';

type FareView = FlightView['prices'][number];

/** The one option of a flight. */
export const FARE = 'Tarifa';

/** A choice of an option (UCP, `types/selected_option.json`). `id`: the fare's code. */
export interface Selected {
  readonly name: string;
  readonly id?: string | undefined;
  readonly label: string;
}

/** A fare of a departure, which is what a checkout buys (UCP, `types/variant.json`). */
export interface Variant {
  /** Of the item of a checkout. */
  readonly id: string;
  readonly title: string;
  readonly description: { readonly plain: string };
  readonly url: string;
  /** For one passenger, taxes included. */
  readonly price: Money;
  readonly availability: {
    readonly available: boolean;
    readonly status: 'in_stock' | 'out_of_stock' | 'discontinued';
  };
  readonly options: readonly Selected[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly seller: object;
}

/** A departure (UCP, `types/product.json`). */
export interface Product {
  /** Its flight's. */
  readonly id: string;
  readonly title: string;
  readonly description: { readonly plain: string };
  readonly url: string;
  readonly categories: readonly { readonly value: string; readonly taxonomy: 'merchant' }[];
  readonly price_range: { readonly min: Money; readonly max: Money };
  readonly options: readonly { readonly name: string; readonly values: readonly object[] }[];
  /** The cheapest first, which is the featured one. */
  readonly variants: readonly Variant[];
}

/** What a product is shown for. `passengers`: who are to have seats. */
export interface Shown {
  readonly site: string;
  readonly now: Instant;
  readonly passengers: number;
}

const place = (city: string | null, code: string): string => (city === null ? code : `${city} (${code})`);

/** Its route and both cities. */
export const categoriesOf = ({
  from,
  fromCity,
  to,
  toCity,
}: Pick<FlightView, 'from' | 'fromCity' | 'to' | 'toCity'>): readonly string[] => [
  ...new Set([`${from}-${to}`, fromCity ?? cityNamed(from), toCity]),
];

const addressOf = ({ url, departureDate, flightId, flightNumber }: FlightView): string =>
  departureDate === null || flightId === flightNumber ? url : `${url}?date=${departureDate}`;

const titleOf = ({ flightNumber, fromCity, from, toCity, to, departureDate, departureTime }: FlightView): string => {
  const day = departureDate === null ? '' : `${dateText(departureDate)}, `;
  return `${flightNumber} · ${place(fromCity, from)} → ${place(toCity, to)}, ${day}${departureTime}`;
};

const sentenceOf = (flight: FlightView, cheapest: Money): string => {
  const { flightNumber, fromCity, from, toCity, to, departureDate, departureTime, durationMin } = flight;
  const day = departureDate === null ? '' : ` em ${dateText(departureDate)},`;
  return `Voo ${flightNumber} de ${place(fromCity, from)} para ${place(toCity, to)}: parte${day} às ${departureTime}, ${durationText(durationMin)} de viagem, a partir de ${moneyText(cheapest)} por passageiro com taxas.`;
};

const variantOf = (
  flight: FlightView,
  fare: FareView,
  { availability, saleEndsAt }: Pick<Variant, 'availability'> & { readonly saleEndsAt: Instant | null },
): Variant => {
  const { code, name, price, ...rest } = fare;
  const { arrivalTime, arrivalDayOffset, baggage, base, taxes, conditions } = rest;
  const { flightNumber, from, to, departureDate, departureTime, departureAt, durationMin, seats } = flight;
  const arrives = `chega às ${arrivalTime} ${dayText(arrivalDayOffset)}`;
  const url = addressOf(flight);
  return {
    id: itemId({ flightId: flight.flightId, fareCode: code }),
    title: name,
    description: { plain: `${baggageText(baggage)}; ${arrives}. ${conditions.description}` },
    url,
    price: money(price, flight.currency),
    availability,
    options: [{ name: FARE, id: code, label: name }],
    metadata: {
      ...{ flightNumber, from, to, departureDate, departureTime, departureAt, saleEndsAt, durationMin, seats },
      ...{ fareCode: code, arrivalTime, arrivalDayOffset, baggage, hasCheckedBag: rest.hasCheckedBag },
      ...{ base, taxes, conditions },
    },
    seller: {
      name: 'Alçada',
      links: [{ type: 'refund_policy', url, title: 'Condições de cancelamento de cada tarifa' }],
    },
  };
};

/** A flight as a product with all of its fares; null: it has none. */
export const productOf = (shown: ShownFlight, { site, now, passengers }: Shown): Product | null => {
  const flight = flightView(shown, site);
  const { currency } = flight;
  const fares = flight.prices.toSorted((one, other) => one.price - other.price || (one.code < other.code ? -1 : 1));
  const [cheapest, dearest] = [fares[0], fares.at(-1)];
  if (!cheapest || !dearest) return null;
  const hasSeats = flight.seats >= passengers;
  const status = isClosed(shown, now) ? 'discontinued' : hasSeats ? 'in_stock' : 'out_of_stock';
  const state = { availability: { available: status === 'in_stock', status }, saleEndsAt: saleEndOf(shown) } as const;
  const min = money(cheapest.price, currency);
  return {
    id: flight.flightId,
    title: titleOf(flight),
    description: { plain: sentenceOf(flight, min) },
    url: addressOf(flight),
    categories: categoriesOf(flight).map((value) => ({ value, taxonomy: 'merchant' })),
    price_range: { min, max: money(dearest.price, currency) },
    options: [{ name: FARE, values: fares.map(({ code, name }) => ({ id: code, label: name })) }],
    variants: fares.map((fare) => variantOf(flight, fare, state)),
  };
};
