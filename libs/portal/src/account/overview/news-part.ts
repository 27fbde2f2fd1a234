import type { Notice } from '#mail';
import { html, type Html } from '#site';
import { part } from '../../page-parts.js';
import type { AgentName } from '../layout/agent-names.js';
import { noticeRows, NOTICES, versionOf } from '../notices/notice-rows.js';
import { type Waiting, waitingCards } from './waiting.js';

export interface News extends Waiting {
  /** The unread first. */
  readonly notices: readonly Notice[];
  readonly nameOf: (clientId: string) => AgentName;
}

/** What waits for the traveller, and what happened: a script shows it anew once it is another. */
export const newsPart = (news: News): Html => {
  const { payments, asked, notices, nameOf } = news;
  const unread = notices.filter(({ isRead }) => !isRead).length;
  const waiting = [
    ...payments.map(({ challenge }) => challenge.orderId),
    ...asked.map(({ mandate }) => mandate.mandateId),
  ];
  return html`<div id="novidades" data-live="${versionOf(notices, waiting)}" aria-live="polite">
    ${waiting.length > 0 && part('desafios', 'Aguardando sua decisão', waitingCards(news))}
    ${
      notices.length > 0 &&
      part(
        'avisos',
        html`Avisos ${unread > 0 && html`<span class="mark-on">${unread === 1 ? '1 novo' : `${unread} novos`}</span>`}`,
        html`${noticeRows(notices, nameOf)}
          <p class="more"><a href="${NOTICES.path}">Ver todos os avisos</a></p>`,
      )
    }
  </div>`;
};
