import type { Notice } from '#mail';
import { html, type Html } from '#site';
import { part } from '../../page-parts.js';
import { NOTICES, versionOf } from '../notices/notice-rows.js';
import { type Waiting, waitingCards } from './waiting.js';

export interface News extends Waiting {
  /** The unread first. */
  readonly notices: readonly Notice[];
}

/** What waits for the traveller, and how many notices they have not read: a script shows it anew once it is another. */
export const newsPart = (news: News): Html => {
  const { payments, asked, notices } = news;
  const unread = notices.filter(({ isRead }) => !isRead).length;
  const waiting = [
    ...payments.map(({ challenge }) => challenge.orderId),
    ...asked.map(({ mandate }) => mandate.mandateId),
  ];
  return html`<div id="novidades" data-live="${versionOf(notices, waiting)}" aria-live="polite">
    ${waiting.length > 0 && part('desafios', 'Aguardando sua decisão', waitingCards(news))}
    ${
      notices.length > 0 &&
      html`<p class="more" id="avisos">
        <a href="${NOTICES.path}">${NOTICES.name}</a>
        ${unread > 0 && html`<span class="mark-on">${unread === 1 ? '1 novo' : `${unread} novos`}</span>`}
      </p>`
    }
  </div>`;
};
