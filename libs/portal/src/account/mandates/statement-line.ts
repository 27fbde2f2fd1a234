import type { Actor } from '#kernel';
import { type HistoryEntry, type HistoryLine, refusalWords } from '#mandate';
import { html, type Html, moneyText } from '#site';
import { timeOf } from '../layout/account-page.js';
import type { AgentName } from '../layout/agent-names.js';
import { pathTo } from '../layout/return-targets.js';

/** Who acts in a statement. */
export interface Actors {
  readonly nameOf: (clientId: string) => AgentName;
  /** Who cancelled an order, by its id. */
  readonly cancellers: ReadonlyMap<string, Actor>;
  /** Who decided that there is a mandate, whoever wrote it down. */
  readonly grantedBy: 'agent' | 'traveller';
}

/** One order's events, or one event of none, the last first. `isGranted` false: nothing was ever available. */
export const statementEntry = ([last, ...before]: HistoryEntry, actors: Actors, isGranted = true): Html => {
  const { type, orderId, remaining } = last;
  const left = type === 'MandateRevoked' || type === 'MandateExpired' ? 'não usado' : 'disponível';
  const order = orderId === null ? null : pathTo({ kind: 'order', id: orderId });
  return html`<li>
    <p class="row-head">${(isGranted ? undefined : askedEnd(last)) ?? whatOf(last)}</p>
    <p class="small">
      ${whoAndWhen(last, actors)}${isGranted && html` · ${left}: ${moneyText(remaining)}`}
      ${order !== null && html` · <a class="whole" href="${order}">ver o pedido</a>`}
    </p>
    ${
      before.length > 0 &&
      html`<ul class="small before" role="list">
        ${before.map((line) => html`<li>${whatOf(line)} · ${whoAndWhen(line, actors)}</li>`)}
      </ul>`
    }
  </li>`;
};

/** How a request ended that nobody granted; undefined where this is not its end. */
const askedEnd = ({ type, clientId }: HistoryLine): string | undefined => {
  if (type === 'MandateExpired') return 'Pedido sem resposta: o prazo para decidir acabou';
  if (type !== 'MandateRevoked') return undefined;
  return clientId === null ? 'Pedido recusado' : 'Pedido retirado';
};

const whoAndWhen = (line: HistoryLine, actors: Actors): Html =>
  html`${whoOf(line, actors)} · ${timeOf(line.occurredAt)}`;

/** What one event did, in words. */
export const whatOf = ({ type, amount, refused, isOfAll }: HistoryLine): string => {
  const sum = amount ? moneyText(amount) : '';
  const words: Readonly<Record<HistoryLine['type'], string>> = {
    MandateCreated: `Mandato criado, com teto de ${sum}`,
    MandateRequested: `Mandato pedido, com teto de ${sum}`,
    MandateApproved: `Mandato permitido, com teto de ${sum}`,
    MandateReserved: `${sum} reservados para um pedido, antes da cobrança`,
    MandateConsumed: `${sum} cobrados`,
    MandateRefunded: amount?.amount
      ? `${sum} devolvidos: o pedido foi cancelado`
      : 'Pedido cancelado, sem nada a devolver',
    MandateReleased: amount?.amount
      ? `${sum} liberados: o pedido não foi cobrado`
      : 'Pedido encerrado sem nada reservado',
    MandateChargeRefused: refused ? refusalWords(refused) : type,
    MandateNarrowed: `Mandato reduzido, com teto de ${sum}`,
    MandatePaused: isOfAll ? PAUSED_WITH_ALL : 'Mandato em pausa: nada é cobrado até você retomar',
    MandateResumed: isOfAll ? 'Retomado com todos os agentes' : 'Mandato retomado',
    MandateRevoked: 'Mandato revogado: nada mais pode ser cobrado',
    MandateExpired: 'Mandato vencido: nada mais pode ser cobrado',
    MandateAbandoned: type,
  };
  return words[type];
};

const PAUSED_WITH_ALL = 'Em pausa com todos os agentes: nada é cobrado até você retomar tudo';

/** What is always somebody's own decision: of the traveller, where no agent took part in it. */
const DECISIONS: readonly HistoryLine['type'][] = [
  'MandateApproved',
  'MandateNarrowed',
  'MandatePaused',
  'MandateResumed',
  'MandateRevoked',
];

/** Without an agent it was the service itself, but for a decision. A refund is of whoever cancelled: anybody may carry it out. */
const whoOf = ({ type, clientId, orderId }: HistoryLine, { nameOf, cancellers, grantedBy }: Actors): string => {
  if (type === 'MandateCreated' && grantedBy === 'traveller') return 'Você';
  const canceller = type === 'MandateRefunded' ? cancellers.get(orderId ?? '') : undefined;
  const agent = canceller ? canceller.clientId : clientId;
  if (agent !== null) return nameOf(agent).name;
  return DECISIONS.includes(type) || (canceller && canceller.holder !== null) ? 'Você' : 'Alçada';
};
