import { ERROR_CATALOGUE } from '#http';
import { type Instant, plus } from '#kernel';
import { html, type Html } from '#site';
import { endingOf, type Endings } from '../figures/endings.rule.js';
import type { AgentTraffic } from '../query/agent-traffic.reader.js';
import { FUNNEL, type FunnelStep, OTHER } from '../figures/names.rule.js';
import { isFiltered, MIN_AGENTS, type TrafficFilter } from '../query/public-figures.js';
import { addressOf, type Asked } from './asked.js';
import { channelText, familyText, latencyText, numberText, operationText, shareText, startText } from './texts.js';

interface Table {
  readonly id: string;
  readonly title: string;
  readonly definition: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly [head: string | Html, ...cells: (string | Html)[]])[];
  readonly empty: string;
  /** `wide`: it has too many columns for half the page. */
  readonly look?: 'wide' | 'wide funnel';
}

/** A count as programs read it too. */
const counted = (count: number): Html => html`<data value="${count}">${numberText(count)}</data>`;

/** The columns of what calls came to that did not succeed. */
const ENDING_COLUMNS = ['Recusas', 'Limites', 'Falhas'] as const;
const endingCells = ({ refused, limited, failed }: Endings): readonly Html[] => [refused, limited, failed].map(counted);

const cell = (content: string | Html, column: string): Html => html`<td data-name="${column}">${content}</td>`;

const table = ({ id, title, definition, columns, rows, empty, look }: Table): Html =>
  html`<section class="panel ${look ?? ''}" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    <p class="small">${definition}</p>
    ${
      rows.length === 0
        ? html`<p class="none">${empty}</p>`
        : html`<div class="scrolls" tabindex="0" role="region" aria-label="Tabela: ${title}">
            <table>
              <thead>
                <tr>
                  ${columns.map((column) => html`<th scope="col">${column}</th>`)}
                </tr>
              </thead>
              <tbody>
                ${rows.map(
                  ([head, ...cells]) =>
                    html`<tr>
                      <th scope="row">${head}</th>
                      ${cells.map((content, place) => cell(content, columns[place + 1] ?? ''))}
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
    }
  </section>`;

const STEPS: Readonly<Record<FunnelStep, string>> = {
  search: 'Busca',
  quote: 'Cotação',
  booking: 'Reserva',
  mandate: 'Mandato',
  order: 'Compra',
  receipt: 'Recibo',
};

const bar = (share: number): Html =>
  html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <rect width="${Math.max(0, Math.min(100, share * 100)).toFixed(1)}" height="8" />
  </svg>`;

/** How many families are among the others for want of agents; null: none. */
const smallFamiliesText = (count: number): Html | null =>
  count === 0
    ? null
    : html`<span class="small"
        >inclui ${numberText(count)} ${count === 1 ? 'família' : 'famílias'} abaixo do mínimo</span
      >`;

/** From the search to the receipt, in calls and in agents: the first thing on the page, as wide as it is. */
export const funnelTable = ({ funnel, agentFunnel: { steps, notFollowed } }: AgentTraffic, asked: Asked): Html => {
  const widest = Math.max(...FUNNEL.map((step) => funnel[step]));
  const agentsAt = new Map(steps.map((one) => [one.step, one]));
  const searchers = agentsAt.get('search')?.agents ?? 0;
  return table({
    id: 'funil',
    look: 'wide funnel',
    title: 'Da busca ao recibo',
    definition: `Chamadas bem-sucedidas e agentes distintos em cada etapa; também buscaram: quantos deles buscaram no período.${
      notFollowed === 0
        ? ''
        : ` De ${numberText(notFollowed)} chamadas, contadas antes que se seguisse cada agente, só se sabe o número.`
    }${asked.filter.operation === undefined ? '' : ' De todas as operações.'}`,
    columns: ['Etapa', 'Chamadas', 'Da etapa anterior', 'Agentes', 'Também buscaram', 'Em relação à busca'],
    rows:
      widest === 0 && steps.every(({ agents }) => agents === 0)
        ? []
        : FUNNEL.map((step, place) => {
            const before = FUNNEL[place - 1];
            const { agents = 0, searched = 0 } = agentsAt.get(step) ?? {};
            return [
              STEPS[step],
              html`<span class="taken"
                >${bar(widest === 0 ? 0 : funnel[step] / widest)} ${counted(funnel[step])}</span
              >`,
              before ? shareText(funnel[step], funnel[before]) : '–',
              counted(agents),
              counted(searched),
              shareText(searched, searchers),
            ];
          }),
    empty: 'Nenhuma etapa concluída neste período.',
  });
};

const filterLink = (asked: Asked, filter: TrafficFilter, text: string): Html => {
  const { operation, agent } = { ...asked.filter, ...filter };
  const isChosen = operation === asked.filter.operation && agent === asked.filter.agent;
  return html`<a href="${addressOf(asked, filter)}" data-filter ${isChosen && html`aria-current="true"`}>${text}</a>`;
};

const SIGNATURES = [
  ['verified', 'Confere'],
  ['unverified', 'Não pôde ser conferida'],
  ['wrong', 'Não confere'],
] as const;

/** What the catalogue says of an error code; undefined: it no longer has it. */
const entryOf = (code: string) => Object.entries(ERROR_CATALOGUE).find(([known]) => known === code)?.[1];

const kindOf = (code: string): string => {
  const { status } = entryOf(code) ?? {};
  const ending = status === undefined ? null : endingOf(status);
  return ending === null ? '–' : { refused: 'Recusa', limited: 'Limite', failed: 'Falha', abandoned: '–' }[ending];
};

/** An error code with its text; a code that the catalogue no longer has stands alone. */
const reason = (code: string): Html => {
  const text = entryOf(code)?.message;
  return html`<code>${code}</code>${text !== undefined && html` <span class="small">${text}</span>`}`;
};

export const tables = (view: AgentTraffic, asked: Asked): Html => {
  const ofAll = isFiltered(asked.filter) ? ' De todos os agentes e operações: o filtro não vale aqui.' : '';
  const { requests } = view.totals;
  return html`${table({
    id: 'recusas',
    title: 'Recusadas pelo mandato, por motivo',
    definition: `Por que um mandato recusou a compra. Nada foi cobrado.${ofAll}`,
    columns: ['Motivo', 'Recusas'],
    rows: Object.entries(view.mandates.chargesRefusedByReason).map(([code, count]) => [reason(code), counted(count)]),
    empty: 'Nenhuma compra recusada pelo mandato neste período.',
  })}
  ${table({
    id: 'canais',
    title: 'Canais',
    definition: 'Por onde os agentes chegaram.',
    columns: ['Canal', 'Chamadas', 'Das chamadas'],
    rows: view.byChannel.map((one) => [channelText(one.channel), counted(one.calls), shareText(one.calls, requests)]),
    empty: 'Nenhuma chamada neste período.',
  })}
  ${table({
    id: 'operacoes',
    look: 'wide',
    title: 'Operações',
    definition:
      'Chamadas por operação. p50, p95 e p99: 50 %, 95 % e 99 % das chamadas responderam em até este tempo (± 2 %).',
    columns: ['Operação', 'Chamadas', ...ENDING_COLUMNS, 'p50', 'p95', 'p99'],
    rows: view.byOperation.map((one) => [
      filterLink(asked, { operation: one.operation }, operationText(one.operation)),
      counted(one.calls),
      ...endingCells(one),
      latencyText(one.p50Ms),
      latencyText(one.p95Ms),
      latencyText(one.p99Ms),
    ]),
    empty: 'Nenhuma chamada neste período.',
  })}
  ${table({
    id: 'familias',
    look: 'wide',
    title: 'Agentes, por família',
    definition: `Famílias com menos de ${MIN_AGENTS} agentes no dia contam em “outras”, para que nenhuma linha fale de um só.${
      asked.filter.operation === undefined ? '' : ' Os agentes são os de todas as operações.'
    }`,
    columns: ['Família', 'Agentes', 'Chamadas', ...ENDING_COLUMNS],
    rows: view.byAgentFamily.map((one) => [
      html`${filterLink(asked, { agent: one.family }, familyText(one.family))}${
        one.family === OTHER && smallFamiliesText(view.familiesBelowMinimum)
      }`,
      counted(one.agents),
      counted(one.calls),
      ...endingCells(one),
    ]),
    empty: 'Nenhum agente neste período.',
  })}
  ${table({
    id: 'assinaturas',
    look: 'wide',
    title: 'Agentes que assinam',
    definition: `Chamadas que o agente assinou (Web Bot Auth). Confere: foi assinada com uma chave que o site do agente publica.${ofAll}`,
    columns: ['Assinatura', 'Chamadas'],
    rows: SIGNATURES.flatMap(([outcome, text]) =>
      view.signatures[outcome] === 0 ? [] : [[text, counted(view.signatures[outcome])] as const],
    ),
    empty: 'Nenhuma chamada assinada neste período.',
  })}
  ${table({
    id: 'codigos',
    look: 'wide',
    title: 'Recusas, limites e falhas, por código',
    definition: 'O código estável que a API respondeu.',
    columns: ['Código', 'O que é', 'Chamadas', 'Das chamadas'],
    rows: view.byErrorCode.map((one) => [
      reason(one.error),
      kindOf(one.error),
      counted(one.calls),
      shareText(one.calls, requests),
    ]),
    empty: 'Nenhuma recusa, nenhum limite e nenhuma falha neste período.',
  })}`;
};

/** The series as a table: the charts are drawn from it, and it is read without them. */
export const seriesTable = ({ series, window: { from, to, bucketSeconds }, generatedAt }: AgentTraffic): Html => {
  const isRunning = (start: Instant): boolean => plus(start, bucketSeconds * 1_000) > generatedAt;
  return html`<details class="panel series">
    <summary>A série em números</summary>
    <div class="scrolls" tabindex="0" role="region" aria-label="A série em números">
      <table
        data-part="series"
        data-from="${from}"
        data-to="${to}"
        data-seconds="${bucketSeconds}"
        data-now="${generatedAt}"
      >
        <thead>
          <tr>
            <th scope="col">Início (horário de Brasília)</th>
            <th scope="col">Chamadas</th>
            ${ENDING_COLUMNS.map((column) => html`<th scope="col">${column}</th>`)}
            <th scope="col">p50</th>
            <th scope="col">p95</th>
            <th scope="col">p99</th>
          </tr>
        </thead>
        <tbody>
          ${series.map(
            (point) =>
              html`<tr>
                <th scope="row">
                  <time datetime="${point.start}">${startText(point.start)}</time>
                  ${isRunning(point.start) && html`<span class="small">ainda em andamento</span>`}
                </th>
                ${[counted(point.requests), ...endingCells(point)].map((count) => html`<td>${count}</td>`)}
                ${[point.p50Ms, point.p95Ms, point.p99Ms].map(
                  (latency) => html`<td><data value="${latency ?? ''}">${latencyText(latency)}</data></td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
};
