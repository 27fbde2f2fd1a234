import { html, type Html } from '#site';
import type { TrafficReport } from '../query/traffic-report.js';
import { changeText, numberText, shareText } from './texts.js';

/** A figure with its definition and its change against the period before. */
interface Figure {
  readonly name: string;
  readonly definition: string;
  readonly valueOf: (view: TrafficReport) => number;
  /** A text beside the number. */
  readonly beside?: (view: TrafficReport) => string;
}

const refusedCharges = ({ mandates }: TrafficReport): number =>
  Object.values(mandates.chargesRefusedByReason).reduce((sum, count) => sum + count, 0);

const FIGURES: readonly Figure[] = [
  {
    name: 'Chamadas',
    definition: 'Requisições de agentes respondidas pela API, por WebMCP e por MCP.',
    valueOf: ({ totals }) => totals.requests,
  },
  {
    name: 'Erros',
    definition: 'Chamadas respondidas com status 400 ou maior, recusas de negócio incluídas.',
    valueOf: ({ totals }) => totals.errors,
    beside: ({ totals }) =>
      totals.requests === 0 ? 'sem chamadas' : `${shareText(totals.errors, totals.requests)} das chamadas`,
  },
  {
    name: 'Agentes',
    definition:
      'Agentes distintos: um por cliente registrado; sem token, um por site cuja assinatura confere; senão, por endereço e família a cada dia.',
    valueOf: ({ totals }) => totals.agents,
  },
  {
    name: 'Cobranças aprovadas',
    definition: 'Cobranças que couberam em um mandato e foram capturadas.',
    valueOf: ({ mandates }) => mandates.chargesApproved,
  },
  {
    name: 'Cobranças recusadas',
    definition: 'Compras que um mandato recusou, ou para as quais faltou um mandato.',
    valueOf: refusedCharges,
  },
  {
    name: 'Pagamentos recusados',
    definition: 'Pedidos que falharam no processador de pagamentos.',
    valueOf: ({ payments }) => payments.declined,
    beside: ({ payments }) => `${numberText(payments.challenged)} com desafio ao viajante`,
  },
];

/** The figures at a glance. */
export const figureCards = (now: TrafficReport, before: TrafficReport | null): Html =>
  html`<dl class="figures">
    ${FIGURES.map(
      ({ name, definition, valueOf, beside }) =>
        html`<div>
          <dt>${name}</dt>
          <dd class="amount">${numberText(valueOf(now))}</dd>
          ${beside !== undefined && html`<dd class="small">${beside(now)}</dd>`}
          <dd class="small">${changeText(valueOf(now), before && valueOf(before))}</dd>
          <dd class="small definition">${definition}</dd>
        </div>`,
    )}
  </dl>`;
