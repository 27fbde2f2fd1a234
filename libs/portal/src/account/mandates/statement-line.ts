import { cityNamed } from '#catalog';
import type { Actor } from '#kernel';
import { type HistoryLine, type HistoryPage, refusalReason } from '#mandate';
import type { PlacedOrder } from '#order';
import { clockText, html, type Html, moneyText, shortDayText } from '#site';
import type { AgentName } from '../layout/agent-names.js';
import { pathTo } from '../layout/return-targets.js';
import { dayText } from '../orders/order-rows.js';
import { failureWords } from '../orders/order.page.js';

/** Who acts in a statement. */
export interface Actors {
  readonly nameOf: (clientId: string) => AgentName;
  /** Who cancelled an order, by its id. */
  readonly cancellers: ReadonlyMap<string, Actor>;
  /** Who decided that there is a mandate, not who wrote it down. */
  readonly grantedBy: 'agent' | 'traveller';
  /** The orders that are named, by their id; one that is not placed is missing. */
  readonly orders: ReadonlyMap<string, PlacedOrder>;
}

/** What is shown of an order beside its last event. */
const ALSO: readonly HistoryLine['type'][] = ['MandateConsumed', 'MandateChargeRefused'];

/** The lines as a bank prints them, the newest first: each purchase, what came back, what was refused, what was decided. */
export const statementLines = ({ entries, nextCursor }: HistoryPage): readonly HistoryLine[] => {
  // What is older than the last entry belongs between those of the next page.
  const oldest = nextCursor === null ? 0 : (entries.at(-1)?.[0].revision ?? 0);
  return entries
    .flatMap(([last, ...before]) => {
      const shown = before.filter(({ type, revision }) => ALSO.includes(type) && revision >= oldest);
      return isFence(last) && shown.length > 0 ? shown : [last, ...shown];
    })
    .toSorted((one, other) => other.revision - one.revision);
};

/** The end of an order that had set nothing aside. */
const isFence = ({ type, amount }: HistoryLine): boolean => type === 'MandateReleased' && !amount?.amount;

interface Availability {
  /** Whether anything was ever available. */
  readonly isGranted?: boolean;
  /** Whether it admits no further purchase since the newest one here, whatever is left. */
  readonly isUsedUp?: boolean;
}

export const statementRows = (
  history: HistoryPage,
  actors: Actors,
  { isGranted = true, isUsedUp = false }: Availability = {},
): Html => {
  const lines = statementLines(history);
  const usedUpBy = isUsedUp ? lines.find(({ type }) => USES.has(type)) : undefined;
  const isAvailable = ({ type, revision }: HistoryLine) =>
    !ENDS.has(type) && (usedUpBy === undefined || revision < usedUpBy.revision);
  const balanceOf = (line: HistoryLine): string => (isAvailable(line) ? 'disponível' : 'não gasto');
  return html`${byDay(lines).map(
    ([day, ofDay]) =>
      html`<h3 class="day">${day}</h3>
        <ol class="statement" role="list">
          ${ofDay.map((line) => row(line, actors, isGranted ? balanceOf(line) : null))}
        </ol>`,
  )}`;
};

const USES: ReadonlySet<HistoryLine['type']> = new Set(['MandateReserved', 'MandateConsumed']);
const ENDS: ReadonlySet<HistoryLine['type']> = new Set(['MandateRevoked', 'MandateExpired']);

const byDay = (lines: readonly HistoryLine[]): readonly (readonly [string, readonly HistoryLine[]])[] => {
  const days = new Map<string, HistoryLine[]>();
  for (const line of lines) {
    const day = shortDayText(line.occurredAt);
    days.set(day, [...(days.get(day) ?? []), line]);
  }
  return [...days];
};

/** Before it is open nothing is available, whatever it came to later. */
const ASKING: ReadonlySet<HistoryLine['type']> = new Set(['MandateRequested', 'MandateApproved']);

/** `balance`: what the rest is called; null: it was never granted. */
const row = (line: HistoryLine, actors: Actors, balance: string | null): Html => {
  const { type, orderId, remaining, refused } = line;
  const { title, note, sum = '', kind = 'changed' } = entryOf(line, actors, balance !== null);
  return html`<li class="${kind}">
    <p class="what">
      ${orderId === null ? title : html`<a href="${pathTo({ kind: 'order', id: orderId })}">${title}</a>`}
    </p>
    ${sum !== '' && html`<p class="amount-of">${sum}</p>`} ${note !== '' && html`<p class="note">${note}</p>`}
    <p class="small">${whoAndWhen(line, actors)}</p>
    ${balance !== null && !refused && !ASKING.has(type) && html`<p class="small balance">${balance} ${moneyText(remaining)}</p>`}
  </li>`;
};

interface Entry {
  readonly title: string;
  readonly note: string;
  /** What was charged or came back, with its sign. */
  readonly sum?: string;
  readonly kind?: 'spent' | 'returned' | 'refused' | 'held';
}

const entryOf = (line: HistoryLine, { orders }: Actors, isGranted: boolean): Entry => {
  const { type, orderId, amount, refused } = line;
  const order = orderId === null ? undefined : orders.get(orderId);
  const flight = order?.checkout.line ?? refused ?? {};
  const title = routeOf(flight);
  const sum = amount ? moneyText(amount) : '';
  switch (type) {
    case 'MandateConsumed':
      return { title, note: flightText(order), sum: `\u2212${sum}`, kind: 'spent' };
    case 'MandateReserved':
      return { title, note: 'Separado para esta compra, que está em andamento.', sum, kind: 'held' };
    case 'MandateRefunded':
      return amount?.amount
        ? { title, note: 'Devolvido: compra cancelada.', sum: `+${sum}`, kind: 'returned' }
        : { title, note: 'Compra cancelada, sem nada a devolver.', kind: 'returned' };
    case 'MandateReleased':
      return {
        title,
        note: `Não comprada. ${order?.kind === 'failed' ? failureWords(order) : 'Nada foi gasto.'}`,
        ...(!isFence(line) && { sum }),
        kind: 'refused',
      };
    case 'MandateChargeRefused':
      return { title, note: `Recusada. ${refused ? refusalReason(refused) : ''}`, sum, kind: 'refused' };
    default:
      return { title: (isGranted ? undefined : askedEnd(line)) ?? whatOf(line), note: '' };
  }
};

type Ends = Partial<Readonly<Record<'from' | 'to', string>>>;

const routeOf = ({ from, to }: Ends): string =>
  from === undefined || to === undefined ? 'Compra' : `${cityNamed(from)} → ${cityNamed(to)}`;

const flightText = (order: PlacedOrder | undefined): string => {
  if (!order) return '';
  const { flightNumber, departureDate } = order.checkout.line;
  return `Voo ${flightNumber}${departureDate === null ? '' : `, ${dayText(departureDate)}`}`;
};

/** How a request ended that nobody granted; undefined where this is not its end. */
const askedEnd = ({ type, clientId }: HistoryLine): string | undefined => {
  if (type === 'MandateExpired') return 'Sem resposta: o prazo para decidir acabou';
  if (type !== 'MandateRevoked') return undefined;
  return clientId === null ? 'Recusado por você' : 'Retirado pelo agente';
};

const whoAndWhen = (line: HistoryLine, actors: Actors): Html =>
  html`${whoOf(line, actors)} · <time datetime="${line.occurredAt}">${clockText(line.occurredAt)}</time>`;

/** What was decided about a mandate, or became of it, in words; of what belongs to an order, its type. */
export const whatOf = ({ type, amount, isOfAll }: HistoryLine): string => {
  const sum = amount ? moneyText(amount) : '';
  const words: Readonly<Partial<Record<HistoryLine['type'], string>>> = {
    MandateCreated: `Mandato criado, com teto de ${sum}`,
    MandateRequested: `Mandato solicitado, com teto de ${sum}`,
    MandateApproved: `Mandato permitido, com teto de ${sum}`,
    MandateNarrowed: `Mandato reduzido, com teto de ${sum}`,
    MandatePaused: isOfAll ? PAUSED_WITH_ALL : 'Mandato em pausa: nada é gasto até você retomar',
    MandateResumed: isOfAll ? 'Retomado com todos os agentes' : 'Mandato retomado',
    MandateRevoked: 'Mandato encerrado: nada mais pode ser gasto',
    MandateExpired: 'Mandato encerrado por prazo: nada mais pode ser gasto',
  };
  return words[type] ?? type;
};

const PAUSED_WITH_ALL = 'Em pausa com todos os agentes: nada é gasto até você retomar tudo';

/** What is always somebody's own decision: of the traveller, where no agent took part in it. */
const DECISIONS: readonly HistoryLine['type'][] = [
  'MandateApproved',
  'MandateNarrowed',
  'MandatePaused',
  'MandateResumed',
  'MandateRevoked',
];

/** Without an agent it was the service itself, but for a decision. A refund is attributed to who cancelled: anybody may carry it out. */
const whoOf = ({ type, clientId, orderId }: HistoryLine, { nameOf, cancellers, grantedBy }: Actors): string => {
  if (type === 'MandateCreated' && grantedBy === 'traveller') return 'Você';
  const canceller = type === 'MandateRefunded' ? cancellers.get(orderId ?? '') : undefined;
  const agent = canceller ? canceller.clientId : clientId;
  if (agent !== null) return nameOf(agent).name;
  return DECISIONS.includes(type) || (canceller && canceller.holder !== null) ? 'Você' : 'Alçada';
};
