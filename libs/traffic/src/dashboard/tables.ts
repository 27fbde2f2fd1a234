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
  /** Whether it has too many columns for half the page. */
  readonly isWide?: boolean;
}

/** A count as programs read it too. */
const counted = (count: number): Html => html`<data value="${count}">${numberText(count)}</data>`;

/** The columns of what calls came to that did not succeed. */
const ENDING_COLUMNS = ['Recusas', 'Limites', 'Falhas'] as const;
const endingCells = ({ refused, limited, failed }: Endings): readonly Html[] => [refused, limited, failed].map(counted);

const cell = (content: string | Html, column: string): Html => html`<td data-name="${column}">${content}</td>`;

const table = ({ id, title, definition, columns, rows, empty, isWide = false }: Table): Html =>
  html`<section class="${isWide ? 'panel wide' : 'panel'}" aria-labelledby="${id}">
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

const funnelTable = ({ funnel }: AgentTraffic, asked: Asked): Html => {
  const widest = Math.max(...FUNNEL.map((step) => funnel[step]));
  return table({
    id: 'funil',
    title: 'Da busca ao recibo',
    definition: `Chamadas bem-sucedidas de cada etapa e quantas restam em relação à etapa anterior.${
      asked.filter.operation === undefined ? '' : ' De todas as operações.'
    }`,
    columns: ['Etapa', 'Chamadas', 'Da etapa anterior', 'Da maior etapa'],
    rows:
      widest === 0
        ? []
        : FUNNEL.map((step, place) => {
            const before = FUNNEL[place - 1];
            return [
              STEPS[step],
              counted(funnel[step]),
              before ? shareText(funnel[step], funnel[before]) : '–',
              bar(funnel[step] / widest),
            ];
          }),
    empty: 'Nenhuma etapa concluída neste período.',
  });
};

/** How many families are among the others for want of agents; null: none. */
const smallFamiliesText = (count: number): Html | null =>
  count === 0
    ? null
    : html`<span class="small"
        >inclui ${numberText(count)} ${count === 1 ? 'família' : 'famílias'} abaixo do mínimo</span
      >`;

const agentFunnelTable = ({ agentFunnel: { steps, notFollowed } }: AgentTraffic, asked: Asked): Html => {
  const [search] = steps;
  const searchers = search?.agents ?? 0;
  return table({
    id: 'funil-agentes',
    title: 'Um agente, da busca ao recibo',
    definition: `Agentes distintos em cada etapa, e quantos deles também buscaram no período. Uma leitura pública conta para o cliente se o token que ela leva já é conhecido; se não, para o endereço.${
      notFollowed === 0
        ? ''
        : ` Chamadas do período contadas antes que se seguisse cada agente não entram aqui: ${numberText(notFollowed)}.`
    }${asked.filter.operation === undefined ? '' : ' De todas as operações.'}`,
    columns: ['Etapa', 'Agentes', 'Também buscaram', 'De quem buscou'],
    rows: steps.every(({ agents }) => agents === 0)
      ? []
      : FUNNEL.flatMap((name) =>
          steps
            .filter(({ step }) => step === name)
            .map(({ agents, searched }): Table['rows'][number] => [
              STEPS[name],
              counted(agents),
              counted(searched),
              html`<span class="share"
                >${shareText(searched, searchers)} ${searchers > 0 && bar(searched / searchers)}</span
              >`,
            ]),
        ),
    empty: 'Nenhum agente seguido neste período.',
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
  return html`${funnelTable(view, asked)} ${agentFunnelTable(view, asked)}
  ${table({
    id: 'recusas',
    title: 'Cobranças recusadas, por motivo',
    definition: `Por que um mandato recusou a compra. Nada foi cobrado.${ofAll}`,
    columns: ['Motivo', 'Recusas'],
    rows: Object.entries(view.mandates.chargesRefusedByReason).map(([code, count]) => [reason(code), counted(count)]),
    empty: 'Nenhuma cobrança recusada neste período.',
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
    isWide: true,
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
    isWide: true,
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
    isWide: true,
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
    isWide: true,
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
