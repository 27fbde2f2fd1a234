import { answerOf, asDomainError, type BaseUrls, type ErrorFormat, jsonErrors, prefersHtml } from '#http';
import { type DomainError, type Instant, plus } from '#kernel';
import { html, type Html, type Page, publicPage, sendPage } from '#site';
import type { Bucket } from '../figures/buckets.rule.js';
import type { AgentTraffic } from '../query/get-agent-traffic.query.js';
import type { TrafficReport } from '../query/traffic-report.js';
import type { WindowRequest } from '../query/traffic-window.js';
import { SCRIPT, STYLESHEET_PATH } from './assets.js';
import { figureCards } from './figure-cards.js';
import { seriesTable, tables } from './tables.js';
import { startText, timeText } from './texts.js';

const TITLE = 'Tráfego de agentes · Alçada';
const DESCRIPTION =
  'O que agentes autônomos fazem aqui, em contagens: chamadas, recusas, limites, falhas e tempos, da busca ao recibo.';

/** A span of time up to now that the page offers. */
export interface Period {
  readonly name: string;
  readonly text: string;
  readonly hours: number;
  readonly bucket: Bucket;
}

const DAY: Period = { name: '24h', text: 'Últimas 24 horas', hours: 24, bucket: 'hour' };

/** The shortest first; all but the last can be compared with the period before. */
const PERIODS: readonly Period[] = [
  { name: '1h', text: 'Última hora', hours: 1, bucket: 'minute' },
  { name: '6h', text: 'Últimas 6 horas', hours: 6, bucket: 'minute' },
  DAY,
  { name: '7d', text: 'Últimos 7 dias', hours: 168, bucket: 'hour' },
  { name: '30d', text: 'Últimos 30 dias', hours: 720, bucket: 'hour' },
  { name: '90d', text: 'Últimos 90 dias', hours: 2_160, bucket: 'day' },
];

/** The period that an address asks for. It is read leniently: an odd or repeated parameter is no reason to show nothing. */
export const periodOf = (address: string, { site }: BaseUrls): Period => {
  const asked = new URL(address, site).searchParams.get('periodo');
  return PERIODS.find(({ name }) => name === asked) ?? DAY;
};

/** The window of a period that ends at the instant `now`. */
export const windowOf = ({ hours, bucket }: Period, now: Instant): WindowRequest => ({
  from: plus(now, -hours * 3_600_000),
  to: now,
  bucket,
});

/** What the page shows. */
export interface Dashboard {
  readonly period: Period;
  readonly now: AgentTraffic;
  readonly before: TrafficReport | null;
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
      ${picker(dashboard.period)}
      <p class="said" role="status" data-part="status"></p>
      <div data-part="figures">${figures(dashboard, urls)}</div>
    </article>`,
  }),
});

/** The page if the figures could not be read. */
const failedPage = (error: DomainError, period: Period, urls: BaseUrls, requestId: string): Page => {
  const { status, body } = answerOf(error, requestId);
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
        <p class="actions"><a class="button" href="?periodo=${period.name}">Tentar de novo</a></p>
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
      if (prefersHtml(request)) sendPage(reply, failedPage(asDomainError(error), periodOf(url, urls), urls, id));
      else answer.send(reply);
    },
  };
};

const picker = ({ name: chosen }: Period): Html =>
  html`<form class="picker" method="get" action="/observability" data-part="picker">
    <div class="field">
      <label for="periodo">Período</label>
      <select id="periodo" name="periodo">
        ${PERIODS.map(
          ({ name, text }) => html`<option value="${name}" ${name === chosen && html`selected`}>${text}</option>`,
        )}
      </select>
    </div>
    <button type="submit">Mostrar</button>
    <button class="quiet" type="button" data-part="print" hidden>Imprimir</button>
  </form>`;

/** A window that is not over reaches until now. */
const untilText = ({ window: { to }, generatedAt }: AgentTraffic): Html =>
  to > generatedAt ? html`até agora` : html`a <time datetime="${to}">${startText(to)}</time>`;

const RUNNING = html`<span class="running">Na faixa à direita, o intervalo ainda em andamento.</span>`;

const figures = ({ now, before }: Dashboard, { base }: BaseUrls): Html => {
  const { from, to, bucketSeconds } = now.window;
  const isRunning = to > now.generatedAt;
  const bucket = { 60: 'minute', 3600: 'hour' }[bucketSeconds] ?? 'day';
  const address = `${base}/observability/agent-traffic?${new URLSearchParams({ from, to, bucket }).toString()}`;
  return html`<p class="small updated">
      De <time datetime="${from}">${startText(from)}</time> ${untilText(now)}, horário de Brasília.
      <span data-part="updated"
        >Atualizado às <time datetime="${now.generatedAt}">${timeText(now.generatedAt)}</time></span
      >. <a href="${address}&format=json">JSON</a> · <a href="${address}&format=csv">CSV</a>
    </p>
    ${
      now.totals.requests === 0 &&
      html`<p class="outcome none">
        <strong>Nenhuma chamada neste período.</strong> Escolha outro período, ou faça a primeira: o
        <a href="/docs/agents">guia para agentes</a> mostra como.
      </p>`
    }
    ${figureCards(now, before)}
    <section class="panel plot" aria-labelledby="chamadas" data-part="chart" hidden>
      <h2 id="chamadas">Chamadas, recusas, limites e falhas</h2>
      <p class="small">Quantas por intervalo. ${isRunning && RUNNING} Os números estão na tabela abaixo.</p>
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
    <div class="panels">${tables(now)}</div>`;
};
