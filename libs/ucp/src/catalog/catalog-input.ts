import { z } from 'zod';
import { isDate } from '#catalog';

const text = z.string().max(200);
const date = z.string().refine(isDate, 'deve ser uma data AAAA-MM-DD').optional();
const amount = z.int().min(0).optional();

/** What products are narrowed by: the filters of UCP (`types/search_filters.json`), then ours. Others are ignored. */
const filters = z
  .object({
    /** Cents a passenger, taxes included, in `context.currency`; without it, in each flight's own currency. */
    price: z.object({ min: amount, max: amount }).optional(),
    /** Any of them: a route, as `GRU-REC`, or a city. */
    categories: z.array(text).max(50).optional(),
    /** Airport by code or name, or city. */
    from: text.optional(),
    to: text.optional(),
    /** Local date of departure; left out, a search finds the next departure of each number. */
    date,
    /** In its place the first and the last of up to 31 dates. */
    dateFrom: date,
    dateTo: date,
    passengers: z.int().min(1).max(9).optional(),
  })
  .default({});

const context = z.object({ currency: z.string().optional() }).default({});

/** Products of a page: without a limit, and at most. */
const [PRODUCTS, MOST_PRODUCTS] = [10, 50];

export const searchInput = z.object({
  query: text.default(''),
  filters,
  context,
  pagination: z
    .object({
      cursor: z.string().max(1_000).optional(),
      // What is more than the most is no error (UCP, Catalog Search, Page Size).
      limit: z
        .int()
        .min(1)
        .default(PRODUCTS)
        .transform((limit) => Math.min(limit, MOST_PRODUCTS)),
    })
    .default({ limit: PRODUCTS }),
  /** Where the public conformance suite has it. */
  cursor: z.string().max(1_000).optional(),
});

export const lookupInput = z.object({ ids: z.array(z.string()).min(1), filters, context });

export const productInput = z.object({
  id: z.string(),
  selected: z
    .array(z.object({ name: z.string(), id: z.string().optional(), label: z.string() }))
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'deve ter cada opção uma só vez')
    .optional(),
  /** A flight has one option: there is nothing to prefer. */
  preferences: z.array(z.string()).optional(),
  filters,
  context,
});

export type Filters = z.infer<typeof filters>;
export type Context = z.infer<typeof context>;
