import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { BAGGAGE, DURATION, minutesIn } from '#events';
import { CURRENCIES, fileTrouble } from '#kernel';
import { type Flight, normalFlightNumber } from './flight.decider.js';
import { arrivalAndBaggage } from './flight.view.js';
import { isTimeZone } from './local-time.rule.js';
import type { TimetableTerms } from './timetable.decider.js';

const name = z.string().trim().min(1).max(80);
const localTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a local time HH:mm');
const airport = z.string().regex(/^[A-Z]{3}$/, 'must be an IATA code, three capital letters');
/** May be left out, since it follows from another field; given, it must agree. */
const derived = z.boolean().optional();
const agrees = (given: boolean | undefined, right: boolean): boolean => given === undefined || given === right;

/** The places of values that stand earlier in the list already. */
export const repeats = (values: readonly string[]): readonly number[] =>
  values.flatMap((value, place) => (values.indexOf(value) < place ? [place] : []));

const code = z.string().regex(/^\S{1,40}$/, 'must be 1 to 40 characters without white space');

/** Rows of a cancellation, the longest time before departure first: the first that applies counts. */
const conditionsEntry = z.strictObject({
  cancellation: z
    .array(
      z.strictObject({
        until: z.string().regex(DURATION, 'must be an ISO 8601 duration of days, hours and minutes'),
        fee: z.union([
          z.strictObject({ percent: z.int().min(0).max(100) }),
          z.strictObject({ amount: z.int().min(0), currency: z.enum(CURRENCIES) }),
        ]),
      }),
    )
    .max(10)
    .refine(
      (rows) =>
        rows.every(({ until }, place) => place === 0 || minutesIn(until) < minutesIn(rows[place - 1]?.until ?? '')),
      'must have the longest time before departure first',
    ),
  taxesRefundable: z.boolean().default(true),
  withdrawal: z.boolean().default(true),
});

const fareEntry = z
  .strictObject({
    code,
    name,
    // Nine passengers stay below the largest mandate, 10^12 cents.
    price: z.int().min(1).max(100_000_000_000),
    taxes: z.int().min(0).optional(),
    arrivalTime: localTime,
    arrivalDayOffset: z.int().min(0).max(3),
    baggage: z.enum(BAGGAGE),
    conditions: conditionsEntry.optional(),
    arrivesSameDay: derived,
    hasCheckedBag: derived,
  })
  .refine((fare) => agrees(fare.arrivesSameDay, arrivalAndBaggage(fare).arrivesSameDay), {
    path: ['arrivesSameDay'],
    error: 'must be true exactly where arrivalDayOffset is 0',
  })
  .refine((fare) => agrees(fare.hasCheckedBag, arrivalAndBaggage(fare).hasCheckedBag), {
    path: ['hasCheckedBag'],
    error: 'must be false exactly where baggage is none',
  })
  .refine(({ price, taxes = 0 }) => taxes <= price, { path: ['taxes'], error: 'must be a part of the price' })
  .transform(({ arrivesSameDay: _sameDay, hasCheckedBag: _bag, ...fare }) => fare);

const fareEntries = z
  .array(fareEntry)
  .min(1)
  .superRefine((fares, context) => {
    for (const place of repeats(fares.map(({ code }) => code))) {
      context.addIssue({
        code: 'custom',
        path: [place, 'code'],
        message: 'is the code of an earlier fare of this flight',
      });
    }
  });

/** One flight of a catalogue file: the Flight of the interface without what follows from it (docs/decisions.md, Flights). */
export const flightEntry = z
  .strictObject({
    flightNumber: z
      .string()
      .transform(normalFlightNumber)
      .pipe(z.string().regex(/^[A-Z0-9]{2}[A-Z]?\d{1,4}[A-Z]?$/, 'must be an airline code and 1 to 4 digits')),
    slug: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters and digits joined by hyphens'),
    from: airport,
    fromCity: name.nullable().default(null),
    to: airport,
    toCity: name,
    departureTime: localTime,
    departureDate: z.iso.date().nullable().default(null),
    /** Of a timetable: the days of the week on which it goes; `12345` is Monday to Friday. */
    days: z
      .string()
      .regex(/^(?=.)1?2?3?4?5?6?7?$/, 'must be days of the week in order, 1 (Monday) to 7')
      .optional(),
    /** Of a timetable: flights of its number that have no date are sold no more. */
    replacesUndated: z.boolean().default(false),
    timeZone: z.string().refine(isTimeZone, 'must be an IANA time zone').nullable().default(null),
    durationMin: z.int().min(1),
    seats: z.int().min(0),
    currency: z.enum(CURRENCIES).default('BRL'),
    prices: fareEntries,
  })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: 'must differ from "from"' })
  .refine(({ departureDate, days, timeZone }) => (departureDate === null && !days) || timeZone !== null, {
    path: ['timeZone'],
    error: 'is required where departureDate or days is set',
  })
  .refine(({ departureDate, days }) => departureDate === null || !days, {
    path: ['days'],
    error: 'is of a timetable, which has no departureDate',
  })
  .refine(({ days, replacesUndated }) => days !== undefined || !replacesUndated, {
    path: ['replacesUndated'],
    error: 'is of a timetable, which has days',
  })
  .transform(({ prices, days, replacesUndated, departureDate, timeZone, ...terms }): CatalogEntry => {
    if (!days || timeZone === null) return { ...terms, departureDate, timeZone, fares: prices };
    return { ...terms, timeZone, days, fares: prices, replacesUndated };
  });

/** What a catalogue puts on sale: a flight with a date or without one, or a timetable. */
export type CatalogEntry = Flight | TimetableEntry;
export type TimetableEntry = TimetableTerms & { readonly replacesUndated: boolean };

export const isTimetable = (entry: CatalogEntry): entry is TimetableEntry => 'days' in entry;

/** The catalogue that ships with the service; the build copies it beside the compiled sources. */
const DEFAULT_CATALOG = fileURLToPath(new URL('../default-catalog.json', import.meta.url));

/** A catalogue file that cannot be imported. The message names the entry and the field for an operator. */
export class InvalidCatalog extends Error {
  override readonly name = 'InvalidCatalog';
}

type ByCode = Readonly<Record<string, z.infer<typeof conditionsEntry>>>;

/** A flight whose fares have their own conditions, else those of their code. */
const withConditions = (entry: CatalogEntry, byCode: ByCode): CatalogEntry => ({
  ...entry,
  fares: entry.fares.map((fare) => ({
    ...(Object.hasOwn(byCode, fare.code) && { conditions: byCode[fare.code] }),
    ...fare,
  })),
});

const isOfCurrency = ({ fares, currency }: CatalogEntry): boolean =>
  fares.every(({ conditions }) =>
    (conditions?.cancellation ?? []).every(({ fee }) => 'percent' in fee || fee.currency === currency),
  );

const catalogSchema = z
  .strictObject({
    /** By fare code, for the fares that have none of their own. */
    conditions: z.record(code, conditionsEntry).default({}),
    flights: z.array(flightEntry).min(1),
  })
  .transform(({ conditions, flights }) => flights.map((flight) => withConditions(flight, conditions)))
  .superRefine((flights, context) => {
    const refuse = (place: number, field: string, message: string): void =>
      context.addIssue({ code: 'custom', path: ['flights', place, field], message });
    for (const field of ['flightNumber', 'slug'] as const) {
      for (const place of repeats(flights.map((flight) => flight[field])))
        refuse(place, field, 'is that of an earlier flight');
    }
    for (const [place, flight] of flights.entries())
      if (!isOfCurrency(flight)) refuse(place, 'prices', 'must have fees in the currency of the flight');
  });

const labelSchema = z.object({ flights: z.array(z.unknown()) });
const numberedSchema = z.object({ flightNumber: z.string() });

/** `flights[3] "AL4012" prices[0].price: Too small: …`: the entry by place and, where it has one, by number. */
const lineOf = ({ path, message }: z.core.$ZodIssue, content: unknown): string => {
  const [list, place, ...field] = path;
  if (list === undefined) return `it is not { "flights": [ … ] }: ${message}`;
  if (list !== 'flights' || typeof place !== 'number') return `${z.core.toDotPath(path)} ${message}`;
  const labelled = labelSchema.safeParse(content);
  const numbered = numberedSchema.safeParse(labelled.data?.flights[place]);
  const label = numbered.success ? ` "${numbered.data.flightNumber}"` : '';
  return `flights[${place}]${label}${field.length > 0 ? ` ${z.core.toDotPath(field)}` : ''}: ${message}`;
};

/** The flights and timetables of a catalogue's parsed JSON, `{ "flights": [ … ] }`: all or none. @throws InvalidCatalog with a line a fault */
export const catalogOf = (content: unknown): readonly CatalogEntry[] => {
  const parsed = catalogSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new InvalidCatalog(parsed.error.issues.map((issue) => lineOf(issue, content)).join('\n'));
};

/** What a catalogue file puts on sale. @throws InvalidCatalog naming the file and what is wrong with it. */
export const readCatalogFile = async (path = DEFAULT_CATALOG): Promise<readonly CatalogEntry[]> => {
  try {
    return catalogOf(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new InvalidCatalog(`the flight catalogue ${path} cannot be imported:\n${reasonOf(error)}`, { cause: error });
  }
};

const reasonOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  return fileTrouble(error) ?? (error instanceof SyntaxError ? `it is not JSON: ${message}` : message);
};
