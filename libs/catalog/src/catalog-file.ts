import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { flightEntry, repeats } from './catalog-entry.schema.js';
import type { Flight } from './flight.decider.js';

/** The catalogue that ships with the service; the build copies it beside the compiled sources. */
const DEFAULT_CATALOG = fileURLToPath(new URL('../default-catalog.json', import.meta.url));

/** A catalogue file that cannot be imported. The message tells an operator which entry and field is wrong. */
export class InvalidCatalog extends Error {
  override readonly name = 'InvalidCatalog';
}

const catalogSchema = z.strictObject({ flights: z.array(flightEntry).min(1) }).superRefine(({ flights }, context) => {
  for (const field of ['flightNumber', 'slug'] as const) {
    for (const place of repeats(flights.map((flight) => flight[field]))) {
      context.addIssue({ code: 'custom', path: ['flights', place, field], message: 'is that of an earlier flight' });
    }
  }
});

const labelSchema = z.object({ flights: z.array(z.unknown()) });
const numberedSchema = z.object({ flightNumber: z.string() });

/** `flights[3] "AL4012" prices[0].price: Too small: …`: the entry by place and, where it has one, by number. */
const lineOf = ({ path, message }: z.core.$ZodIssue, content: unknown): string => {
  const [list, place, ...field] = path;
  if (list !== 'flights' || typeof place !== 'number') return `${z.core.toDotPath(path)} ${message}`.trim();
  const labelled = labelSchema.safeParse(content);
  const numbered = numberedSchema.safeParse(labelled.data?.flights[place]);
  const label = numbered.success ? ` "${numbered.data.flightNumber}"` : '';
  return `flights[${place}]${label}${field.length > 0 ? ` ${z.core.toDotPath(field)}` : ''}: ${message}`;
};

/**
 * The flights of a catalogue's parsed JSON, `{ "flights": [ … ] }`. Nothing is taken if anything is wrong.
 *
 * @throws InvalidCatalog with a line for each thing that is wrong.
 */
export const catalogOf = (content: unknown): readonly Flight[] => {
  const parsed = catalogSchema.safeParse(content);
  if (parsed.success) return parsed.data.flights;
  throw new InvalidCatalog(parsed.error.issues.map((issue) => lineOf(issue, content)).join('\n'));
};

/**
 * The flights of a catalogue file.
 *
 * @throws InvalidCatalog naming the file and what is wrong with it.
 */
export const readCatalogFile = async (path = DEFAULT_CATALOG): Promise<readonly Flight[]> => {
  try {
    return catalogOf(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidCatalog(`the flight catalogue ${path} cannot be imported:\n${reason}`, { cause: error });
  }
};
