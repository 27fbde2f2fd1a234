import { answerOf, asDomainError, type BaseUrls, type ErrorFormat, jsonErrors, prefersHtml } from '#http';
import type { DomainError } from '#kernel';
import { asset, assetLink, html, type Html, type Page, publicPage, scriptAt, sendPage } from '#site';
import type { AgentTraffic } from '../query/agent-traffic.reader.js';
import { OPERATIONS, OTHER } from '../figures/names.rule.js';
import { isFiltered, MIN_AGENTS, type TrafficFilter } from '../query/public-figures.js';
import type { TrafficReport } from '../query/traffic-report.js';
import { addressOf, type Asked, askedIn, FIELDS, LABELS, PERIODS } from './asked.js';
import { figureCards } from './figure-cards.js';
import { funnelTable, seriesTable, tables } from './tables.js';
import { familyText, numberText, operationText, startText, timeText } from './texts.js';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** uPlot from its package, served by ourselves: no page loads anything from another host. */
const UPLOT = dirname(createRequire(import.meta.url).resolve('uplot'));
const readUplot = (name: string): string => readFileSync(join(UPLOT, name), 'utf8');
const readOwn = (name: string): string => readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8');

export const SCRIPT_NAME = 'observability.js';
export const STYLESHEET_NAME = 'observability.css';

/** The charting library and the page's own scripts, in one file. */
export const SCRIPT_ASSET = asset(
  'text/javascript; charset=utf-8',
  [readUplot('uPlot.iife.min.js'), readOwn('charts.js'), readOwn(SCRIPT_NAME)].join('\n'),
);
export const STYLESHEET_ASSET = asset(
  'text/css; charset=utf-8',
  `${readUplot('uPlot.min.css')}\n${readOwn(STYLESHEET_NAME)}`,
);

export const SCRIPT = scriptAt(assetLink(SCRIPT_NAME, SCRIPT_ASSET), SCRIPT_ASSET);
const STYLESHEET_PATH = assetLink(STYLESHEET_NAME, STYLESHEET_ASSET);

const TITLE = 'Tráfego de agentes · Alçada';
const DESCRIPTION =
  'O que agentes autônomos fazem aqui, em contagens: chamadas, recusas, limites, falhas e tempos, da busca ao recibo.';

interface Dashboard {
  readonly asked: Asked;
  /** The labels of what the address asks for and there is not. */
  readonly unknown: readonly string[];
  readonly now: AgentTraffic;
  readonly before: TrafficReport | null;
  readonly families: readonly string[];
}

/** The dashboard of agent traffic. It is complete without its script, which adds charts and live updates. */
export const dashboardPage = (dashboard: Dashboard, urls: BaseUrls): Page => ({
  status: 200,
  isPublic: true,
  scriptTargets: [new URL(urls.base).origin],
  html: publicPage({
    title: TITLE,
    description: DESCRIPTION,
    path: '/observability',
    siteUrl: urls.site,
    script: SCRIPT,
    stylesheet: STYLESHEET_PATH,
    content: html`<article
      class="within band traffic"
      aria-labelledby="trafego-titulo"
      data-stream="${urls.base}/observability/agent-traffic/stream"
    >
      <h1 id="trafego-titulo">Tráfego de agentes</h1>
      <p class="lead">
        O que agentes autônomos fazem aqui. Só contagens: nenhum viajante, pedido, endereço ou valor de alguém.
      </p>
      ${picker(dashboard.asked, dashboard.families)}
      ${
        dashboard.unknown.length > 0 &&
        html`<p class="outcome none" role="alert">
          O endereço pede o que não existe, e isso não foi considerado: ${dashboard.unknown.join(', ').toLowerCase()}.
          Escolha acima.
        </p>`
      }
      <p class="said" role="status" data-part="status"></p>
      <div data-part="figures">${figures(dashboard, urls)}</div>
    </article>`,
  }),
});

const failedPage = (error: DomainError, asked: Asked, urls: BaseUrls, requestId: string): Page => {
  const { status, body } = answerOf(error, { id: requestId, urls });
  return {
    status,
    html: publicPage({
      title: TITLE,
      description: DESCRIPTION,
      path: null,
      siteUrl: urls.site,
      stylesheet: STYLESHEET_PATH,
      content: html`<article class="within band traffic" aria-labelledby="trafego-titulo">
        <h1 id="trafego-titulo">Tráfego de agentes</h1>
        <p class="outcome none" role="alert"><strong>Os números não puderam ser lidos.</strong> ${body.message}</p>
        <p class="small">Código <strong>${body.error}</strong> · requisição <strong>${requestId}</strong></p>
        <p class="actions"><a class="button" href="${addressOf(asked)}">Tentar de novo</a></p>
      </article>`,
    }),
  };
};

/** Errors of the dashboard, those of a limit before it included: a page for browsers, JSON for programs. */
export const dashboardErrors: ErrorFormat = (error, request) => {
  const answer = jsonErrors(error, request);
  const { id, url, urls } = request;
  return {
    ...answer,
    send: (reply) => {
      void reply.header('vary', 'Accept');
      if (prefersHtml(request)) sendPage(reply, failedPage(asDomainError(error), askedIn(url, urls), urls, id));
      else answer.send(reply);
    },
  };
};

/** A window that is not over reaches until now. */
const untilText = ({ window: { to }, generatedAt }: AgentTraffic): Html =>
  to > generatedAt ? html`até agora` : html`a <time datetime="${to}">${startText(to)}</time>`;

const definedIn = ({ operation, agent }: TrafficFilter): Readonly<Record<string, string>> => ({
  ...(operation !== undefined && { operation }),
  ...(agent !== undefined && { agent }),
});

const noCalls = (asked: Asked): Html =>
  isFiltered(asked.filter)
    ? html`<p class="outcome none">
        <strong>Nenhuma chamada assim neste período.</strong> Uma família com menos de ${MIN_AGENTS} agentes no dia
        conta em “outras”, e pelo nome é como se nunca tivesse chamado.
      </p>`
    : html`<p class="outcome none">
        <strong>Nenhuma chamada neste período.</strong> Escolha outro período, ou faça a primeira: o
        <a href="/docs/agents">guia para agentes</a> mostra como.
      </p>`;

/** Why the choice of agents does not have all there are. */
const notOffered = (families: number): Html | false =>
  families > 0 &&
  html`<p class="small">
    Em “Agente” ${families === 1 ? 'falta uma família' : `faltam ${numberText(families)} famílias`} com menos de
    ${MIN_AGENTS} agentes no dia: as chamadas contam em “outras”, para que ninguém seja reconhecido.
  </p>`;

const LEFT_OUT = html`Intervalos em que a família teve menos de ${MIN_AGENTS} agentes ficam de fora.`;
const RUNNING = html`<span class="running">Na faixa à direita, o intervalo ainda em andamento.</span>`;

const figures = ({ asked, now, before }: Dashboard, { base }: BaseUrls): Html => {
  const { from, to, bucketSeconds } = now.window;
  const isRunning = to > now.generatedAt;
  const isOfFamily = asked.filter.agent !== undefined && asked.filter.agent !== OTHER;
  const bucket = { 60: 'minute', 3600: 'hour' }[bucketSeconds] ?? 'day';
  const query = { from, to, bucket, ...definedIn(asked.filter) };
  const address = `${base}/observability/agent-traffic?${new URLSearchParams(query).toString()}`;
  return html`<p class="small updated">
      De <time datetime="${from}">${startText(from)}</time> ${untilText(now)}, horário de Brasília.
      <span data-part="updated"
        >Atualizado às <time datetime="${now.generatedAt}">${timeText(now.generatedAt)}</time></span
      >. <a href="${address}&format=json">JSON</a> · <a href="${address}&format=csv">CSV</a>
    </p>
    ${filterNote(asked)} ${now.totals.requests === 0 && noCalls(asked)} ${funnelTable(now, asked)}
    ${figureCards(now, before, asked)} ${notOffered(now.familiesBelowMinimum)}
    <section class="panel plot" aria-labelledby="chamadas" data-part="chart" hidden>
      <h2 id="chamadas">Chamadas, recusas, limites e falhas</h2>
      <p class="small">
        Quantas por intervalo; os números estão na tabela abaixo. ${isOfFamily && LEFT_OUT} ${isRunning && RUNNING}
      </p>
      <div data-chart="calls"></div>
    </section>
    <section class="panel plot" aria-labelledby="tempos" data-part="chart" hidden>
      <h2 id="tempos">Tempo de resposta</h2>
      <p class="small">
        Em milissegundos, em escala logarítmica: 50 %, 95 % e 99 % das chamadas de cada intervalo responderam em até
        este tempo (± 2 %). ${isRunning && RUNNING}
      </p>
      <div data-chart="latencies"></div>
    </section>
    ${seriesTable(now)}
    <div class="panels">${tables(now, asked)}</div>`;
};

type Option = readonly [value: string, text: string];

const field = (name: string, label: string, chosen: string, options: readonly Option[]): Html =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${options.map(
        ([value, text]) => html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`,
      )}
    </select>
  </div>`;

const byText = ([, one]: Option, [, other]: Option): number => one.localeCompare(other, 'pt-BR');

/** Chooses what the page is of, at once by script, else by button. Families that may not be named are not offered. */
const picker = ({ period, filter: { operation = '', agent = '' } }: Asked, families: readonly string[]): Html => {
  const offered = new Set(agent === '' ? families : [...families, agent]);
  return html`<form class="picker" method="get" action="/observability" data-part="picker">
    ${field(
      FIELDS.period,
      LABELS.period,
      period.name,
      PERIODS.map(({ name, text }) => [name, text]),
    )}
    ${field(FIELDS.agent, LABELS.agent, agent, [
      ['', 'Todos'],
      ...[...offered].map((family): Option => [family, familyText(family)]).sort(byText),
    ])}
    ${field(FIELDS.operation, LABELS.operation, operation, [
      ['', 'Todas'],
      ...OPERATIONS.map((name): Option => [name, operationText(name)]).sort(byText),
    ])}
    <button type="submit" data-part="apply">Mostrar</button>
    <button class="quiet" type="button" data-part="print" hidden>Imprimir</button>
  </form>`;
};

/** What of the calls the figures are of, and the way back to all of them; null: they are of all. */
const filterNote = (asked: Asked): Html | null => {
  if (!isFiltered(asked.filter)) return null;
  const { operation, agent } = asked.filter;
  return html`<p class="outcome filtered">
    Só
    chamadas${operation !== undefined && html` de <strong>${operationText(operation)}</strong>`}${
      agent !== undefined && html` da família <strong>${familyText(agent)}</strong>`
    }.
    <a href="${addressOf(asked, { operation: undefined, agent: undefined })}" data-filter>Mostrar todas</a>
  </p>`;
};
