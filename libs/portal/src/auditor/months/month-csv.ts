import type { Money } from '#kernel';
import type { Movement } from '../movements/movements.js';
import type { MonthSums } from './month-sums.js';

type Cell = string | number | null;

/** What a spreadsheet takes for a formula, and what has to be quoted. */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

/** A line of RFC 4180. Numbers are integers; a text that would be a formula begins with an apostrophe. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(written).join(',')}\r\n`;

const written = (cell: Cell): string => {
  if (typeof cell === 'number') return String(cell);
  const text = cell ?? '';
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const COLUMNS = [
  ...['quando', 'tipo', 'valor_centavos', 'moeda', 'devolvido_centavos', 'motivo', 'pedido', 'mandato', 'evento'],
  ...['viajante', 'agente', 'voo', 'origem', 'destino', 'data_do_voo', 'bandeira', 'final'],
];

/** Lines that are sent at once. */
const AT_ONCE = 200;

/** A line for each charge and refusal, the newest first, made as they are read. */
export async function* movementLines(movements: AsyncIterable<Movement>): AsyncGenerator<string> {
  let lines = [csvLine(COLUMNS)];
  for await (const one of movements) {
    lines.push(csvLine(cellsOf(one)));
    if (lines.length < AT_ONCE) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

const WORDS: Readonly<Record<Movement['kind'], string>> = {
  paid: 'cobrada',
  cancelled: 'cancelada',
  failed: 'recusada',
  refused: 'recusada pelo mandato',
};

const cellsOf = (one: Movement): readonly Cell[] => {
  const { amount, flight, card } = one;
  return [
    ...[one.at, WORDS[one.kind], amount.amount, amount.currency, one.refund?.amount ?? 0, one.reason],
    ...[one.orderId, one.mandateId, one.step, one.holder, one.clientId],
    ...[flight?.number ?? null, flight?.from ?? null, flight?.to ?? null, one.departs],
    ...[card?.brand ?? null, card?.last4 ?? null],
  ];
};

/** A line for each sum of a month. */
export const sumsCsv = ({ month, charged, refunded, refused }: MonthSums): string => {
  const line = (what: string, why: string, { sum, count }: { readonly sum: Money; readonly count: number }): string =>
    csvLine([month, what, why, count, sum.amount, sum.currency]);
  return [
    csvLine(['mes', 'tipo', 'motivo', 'quantidade', 'soma_centavos', 'moeda']),
    ...charged.map((one) => line('cobrado', '', one)),
    ...refunded.map((one) => line('devolvido', '', one)),
    ...refused.map((one) => line('recusado', one.reason, one)),
  ].join('');
};
