import { html, type Html } from '#site';
import type { TrafficFilter } from '../query/public-figures.js';
import type { TrafficReport } from '../query/traffic-report.js';
import type { Ending } from '../figures/endings.rule.js';
import type { Asked } from './asked.js';
import { changeText, numberText, shareText } from './texts.js';

/** A figure with its definition and its change against the period before. */
interface Figure {
  readonly name: string;
  readonly definition: string;
  readonly valueOf: (view: TrafficReport) => number;
  /** What it is a part of the calls. */
  readonly ending?: Ending;
  readonly below?: (view: TrafficReport) => string | null;
  /** What it is of where less is asked for; null, or absent: of that alone. */
  readonly isOf?: (filter: TrafficFilter) => string | null;
}

const EVERYBODY = ({ operation, agent }: TrafficFilter): string | null =>
  operation === undefined && agent === undefined ? null : 'de todos, sem filtro';

const refusedCharges = ({ mandates }: TrafficReport): number =>
  Object.values(mandates.chargesRefusedByReason).reduce((sum, count) => sum + count, 0);

const FIGURES: readonly Figure[] = [
  {
    name: 'Chamadas',
    definition:
      'Requisições de agentes à API, por WebMCP e por MCP. Abandonada: o agente saiu antes da resposta; não é recusa, limite nem falha.',
    valueOf: ({ totals }) => totals.requests,
    below: ({ totals: { abandoned } }) =>
      abandoned === 0 ? null : `${numberText(abandoned)} ${abandoned === 1 ? 'abandonada' : 'abandonadas'}`,
  },
  {
    name: 'Recusas',
    definition: 'Chamadas recusadas por uma regra, com um motivo que o agente pode corrigir: status 4xx, exceto 429.',
    valueOf: ({ totals }) => totals.refused,
    ending: 'refused',
  },
  {
    name: 'Limites',
    definition: 'Chamadas acima do limite de frequência: status 429. O agente espera e tenta de novo.',
    valueOf: ({ totals }) => totals.limited,
    ending: 'limited',
  },
  {
    name: 'Falhas',
    definition: 'Chamadas em que o serviço falhou ou não pôde atender: status 5xx.',
    valueOf: ({ totals }) => totals.failed,
    ending: 'failed',
  },
  {
    name: 'Agentes',
    definition:
      'Agentes distintos: um por cliente registrado; sem token, um por site cuja assinatura confere; senão, por endereço e família a cada dia. Uma leitura pública conta para o cliente cujo token ela leva, se já é conhecido.',
    valueOf: ({ totals }) => totals.agents,
    isOf: ({ operation }) => (operation === undefined ? null : 'de todas as operações'),
  },
  {
    name: 'Cobranças aprovadas',
    definition: 'Cobranças que couberam em um mandato e foram capturadas.',
    valueOf: ({ mandates }) => mandates.chargesApproved,
    isOf: EVERYBODY,
  },
  {
    name: 'Recusadas pelo mandato',
    definition: 'Compras que um mandato recusou, ou para as quais faltou um mandato. Nada chegou ao cartão.',
    valueOf: refusedCharges,
    isOf: EVERYBODY,
  },
  {
    name: 'Recusadas pelo cartão',
    definition:
      'Compras que falharam no processador de pagamentos. Com desafio: o emissor pediu a confirmação do viajante; nem todos falharam.',
    valueOf: ({ payments }) => payments.declined,
    isOf: EVERYBODY,
    below: ({ payments }) => `${numberText(payments.challenged)} com desafio`,
  },
];

const ofCalls = ({ totals }: TrafficReport, ending: Ending): Html | false =>
  totals.requests > 0 &&
  html` <span class="small"
    >${shareText(totals[ending], totals.requests)}<span class="rest"> das chamadas</span></span
  >`;

const small = (text: string | null): Html | null => (text === null ? null : html`<dd class="small">${text}</dd>`);

const BEFORE = 'Antes: o período anterior, até o mesmo ponto.';
const NOT_KEPT = 'O período anterior já não é guardado.';
const NOBODY_BEFORE = 'Não houve chamadas no período anterior.';

/** The figures at a glance, each with its definition behind a question mark. */
export const figureCards = (now: TrafficReport, kept: TrafficReport | null, { filter }: Asked): Html => {
  const before = kept && kept.totals.requests > 0 ? kept : null;
  return html`<dl class="figures">
      ${FIGURES.map(
        ({ name, definition, valueOf, ending, below, isOf }) =>
          html`<div>
            <dt>${name}</dt>
            <dd class="amount">
              <data value="${valueOf(now)}">${numberText(valueOf(now))}</data>${
                ending !== undefined && ofCalls(now, ending)
              }
            </dd>
            ${small(below?.(now) ?? null)} ${small(before && changeText(valueOf(now), valueOf(before)))}
            ${small(isOf?.(filter) ?? null)}
            <dd class="what">
              <details>
                <summary aria-label="${name}: o que é">?</summary>
                <p class="small">${definition}</p>
              </details>
            </dd>
          </div>`,
      )}
    </dl>
    <p class="small compared">${before ? BEFORE : kept ? NOBODY_BEFORE : NOT_KEPT}</p>`;
};
