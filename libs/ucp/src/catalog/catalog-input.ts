import { z } from 'zod';
import { isDate } from '#catalog';

const text = z.string().max(200);
const date = z.string().refine(isDate, 'deve ser uma data AAAA-MM-DD').optional();
const amount = z.int().min(0).optional();

/** What products are narrowed by: the filters of UCP (`types/search_filters.json`), then ours. Others are ignored. */
const filters = z
  .object({
    price: z
      .object({ min: amount, max: amount })
      .optional()
      .describe('Por passageiro, com taxas, em centavos de context.currency; sem ela, da moeda de cada voo.'),
    categories: z
      .array(text)
      .max(50)
      .optional()
      .describe('Qualquer uma destas: uma rota, como GRU-REC, ou uma cidade de origem ou destino.'),
    from: text.optional().describe('Só na busca. Origem: código IATA, nome do aeroporto ou cidade.'),
    to: text.optional().describe('Só na busca. Destino: código IATA, nome do aeroporto ou cidade.'),
    date: date.describe('Só na busca. Data local da partida; sem ela, a próxima partida de cada voo.'),
    dateFrom: date.describe('Só na busca. Com dateTo, em vez de date: a primeira de até 31 datas, com from ou to.'),
    dateTo: date.describe('Só na busca. Com dateFrom: a última data.'),
    passengers: z
      .int()
      .min(1)
      .max(9)
      .optional()
      .describe(
        'Quantos assentos são precisos: a busca deixa de fora o voo que não os tem; os outros dizem que não há.',
      ),
  })
  .default({});

const context = z
  .object({ currency: z.string().optional().describe('Moeda do filtro de preço; nada é convertido.') })
  .default({});

/** Products of a page: without a limit, and at most. */
const [PRODUCTS, MOST_PRODUCTS] = [10, 50];

export const searchInput = z.object({
  query: text
    .default('')
    .describe(
      'Cidade ou aeroporto de destino, código, número de voo, ou de onde para onde ("São Paulo para Recife", "GRU REC"); também um dia ("2026-12-03", "03/12", "3 de dezembro", "hoje", "amanhã"; sem ano, o próximo). "*" sozinho: tudo que está à venda.',
    ),
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

export const lookupInput = z.object({
  ids: z.array(z.string()).min(1).describe('Até 50 ids de produtos ou de variantes.'),
  filters,
  context,
});

export const productInput = z.object({
  id: z.string().describe('De um produto ou de uma variante.'),
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
