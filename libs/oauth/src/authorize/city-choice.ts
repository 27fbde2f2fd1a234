import { type Airport, cityNamed, type FlightDocuments } from '#catalog';
import type { Constraints } from '#events';
import { Unavailable } from '#kernel';
import { html, type Html } from '#site';

/** The ends of a flight, each with the word for it in a sentence and over its field. */
export const ENDS = [
  { end: 'from', word: 'de', label: 'Saindo de' },
  { end: 'to', word: 'para', label: 'Para' },
] as const;
export type End = (typeof ENDS)[number]['end'];

/** The cities chosen at either end, by name; '' or absent: as the agent asks. */
export type Cities = Readonly<Partial<Record<End, string>>>;

/** Airports by the name of their city. */
type CityAirports = ReadonlyMap<string, readonly string[]>;

/** The cities of these airports, in the middle of a sentence. */
export const citiesText = (codes: readonly string[]): string =>
  new Intl.ListFormat('pt-BR', { type: 'disjunction' }).format([...new Set(codes.map(cityNamed))]);

/** The airports on sale, for mandates that do not name both ends; none while nobody knows them: then none is offered. */
export const airportsOnSale = async (
  flights: FlightDocuments,
  asked: readonly { readonly constraints?: Constraints | undefined }[],
): Promise<readonly Airport[]> => {
  if (asked.every(({ constraints }) => constraints?.from && constraints.to)) return [];
  try {
    return await flights.airports();
  } catch (error) {
    if (error instanceof Unavailable) return [];
    throw error;
  }
};

/** The cities to choose one of: those that are asked for, where they are several, or else all on sale. */
export const citiesFor = (end: End, constraints: Constraints, onSale: readonly Airport[]): CityAirports => {
  const asked = constraints[end];
  const isOnSale = ({ isOrigin, isDestination }: Airport) => (end === 'from' ? isOrigin : isDestination);
  const among = asked?.map((code) => ({ code, city: cityNamed(code) })) ?? onSale.filter(isOnSale);
  const cities = new Map<string, readonly string[]>();
  for (const { city, code } of among) cities.set(city, [...(cities.get(city) ?? []), code]);
  return asked && cities.size === 1 ? new Map() : cities;
};

/** The constraints with the ends narrowed to the cities chosen; null: one is none of those to choose from. */
export const narrowedTo = (
  constraints: Constraints,
  chosen: Cities,
  onSale: readonly Airport[],
): Constraints | null => {
  const ends: { [At in End]?: readonly string[] } = {};
  for (const { end } of ENDS) {
    const city = chosen[end] ?? '';
    if (city === '') continue;
    const airports = citiesFor(end, constraints, onSale).get(city);
    if (!airports) return null;
    ends[end] = airports;
  }
  return { ...constraints, ...ends };
};

/** For which flights, in a few words; the script beside the button keeps them to what is chosen. */
export const flightsText = (constraints: Constraints, chosen: Cities, place: number): Html => {
  const asked = ({ end }: { readonly end: End }): string => citiesText(constraints[end] ?? []);
  const ends = ENDS.flatMap(({ end, word }) => {
    const city = chosen[end] || asked({ end });
    return city === '' ? [] : [html` ${word} <strong>${city}</strong>`];
  });
  return html`<span data-flights="${place + 1}" data-from="${asked({ end: 'from' })}" data-to="${asked({ end: 'to' })}"
    >${ends.length > 0 ? html`voos${ends}` : html`em <strong>qualquer voo</strong>`}</span
  >`;
};

interface CityFields {
  readonly constraints: Constraints;
  readonly chosen: Cities;
  readonly onSale: readonly Airport[];
  readonly nameOf: (end: End) => string;
}

/** The ends at which there is something to choose, with their fields. */
export const cityFields = ({ constraints, chosen, onSale, nameOf }: CityFields): ReadonlyMap<End, Html> =>
  new Map(
    ENDS.flatMap(({ end, label }) => {
      const cities = citiesFor(end, constraints, onSale);
      const asked = constraints[end];
      const all = asked ? `${citiesText(asked)}, como pediu` : 'Qualquer cidade';
      return cities.size === 0
        ? []
        : [[end, cityField(nameOf(end), label, { cities, all, chosen: chosen[end] ?? '' })]];
    }),
  );

interface CityOptions {
  readonly cities: CityAirports;
  readonly all: string;
  readonly chosen: string;
}

/** All as it is asked for, or one city with its airports. */
const cityField = (name: string, label: string, { cities, all, chosen }: CityOptions): Html => {
  const option = (value: string, text: string): Html =>
    html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${option('', all)} ${[...cities].map(([city, codes]) => option(city, `${city} (${codes.join(', ')})`))}
    </select>
  </div>`;
};
