import { hashOf } from '#identity';
import type { AgentListItem } from '#mandate';
import { html, type Html, type Page } from '#site';
import type { Notice } from '#outbox';
import { ACCOUNT, accountPage, type Viewer } from '../layout/account-page.js';
import { type Available, availablePart } from './available.js';
import { type FeedContent, feedPart } from './feed.js';
import { pauseAllPart } from './pause-all.js';
import { part } from '../../page-parts.js';
import { NOTICES, versionOf } from '../notices/notice-rows.js';
import { type Waiting, waitingCards } from './waiting.js';

export interface Overview extends Viewer, Waiting, FeedContent, Available {
  /** The unread first. */
  readonly notices: readonly Notice[];
  /** The newest of the traveller's agents. */
  readonly agents: readonly AgentListItem[];
  /** Whether the traveller has just ended the pause of everything. */
  readonly isResumed: boolean;
}

/** "Sua conta": what agents may still spend, what waits for the traveller, and what happened. */
export const overviewPage = (overview: Overview): Page => {
  const { agents, payments, asked, isResumed, session, urls } = overview;
  const isNew = agents.length === 0;
  const pause = html`${pauseAllPart(overview)}`;
  return accountPage({
    title: ACCOUNT.name,
    session,
    urls,
    isBroad: true,
    isLive: !isNew || payments.length + asked.length > 0,
    tab: ACCOUNT,
    content: html`<div class="headline">
        <h1>${ACCOUNT.name}</h1>
        <div id="pausa" data-live="${hashOf(pause.text)}">${pause}</div>
      </div>
      ${isResumed && RESUMED} ${isNew ? FIRST_STEPS : availablePart(overview)} ${newsPart(overview)}
      ${!isNew && feedPart(overview)}`,
  });
};

const RESUMED = html`<p class="outcome" role="status">
  Pronto: seus agentes podem comprar de novo, dentro dos limites e dos mandatos que já tinham.
</p>`;

/** What somebody can do first whom no agent has asked yet. */
const FIRST_STEPS = html`<p class="lead">
    Você ainda não conectou nenhum agente. Quando um comprar para você, aparece aqui tudo o que ele fizer.
  </p>
  <ol class="steps-ahead">
    <li><strong>Conecte um agente.</strong> O guia mostra como, para os assistentes mais usados.</li>
    <li><strong>Decida o limite.</strong> O agente pede acesso, e você diz quanto ele pode gastar e até quando.</li>
    <li><strong>Acompanhe aqui.</strong> Você vê cada compra e pode pausar, reduzir ou revogar quando quiser.</li>
  </ol>
  <p class="actions">
    <a class="button" href="/docs/agents">Conectar um agente</a>
    <a class="button quiet" href="/oauth/playground">Experimentar no playground</a>
  </p>`;

/** What waits for the traveller, and how many notices they have not read: a script shows it anew once it is another. */
const newsPart = (overview: Overview): Html => {
  const { payments, asked, notices } = overview;
  const unread = notices.filter(({ isRead }) => !isRead).length;
  const waiting = [
    ...payments.map(({ challenge }) => challenge.orderId),
    ...asked.map(({ mandate }) => mandate.mandateId),
  ];
  return html`<div id="novidades" data-live="${versionOf(notices, waiting)}" aria-live="polite">
    ${waiting.length > 0 && part('desafios', 'Aguardando sua decisão', waitingCards(overview))}
    ${
      notices.length > 0 &&
      html`<p class="more" id="avisos">
        <a href="${NOTICES.path}">${NOTICES.name}</a>
        ${unread > 0 && html`<span class="mark-on">${unread === 1 ? '1 novo' : `${unread} novos`}</span>`}
      </p>`
    }
  </div>`;
};
