import type { Instant } from '#kernel';
import type { Notice } from '#mail';
import type { GrantedMandate } from '#mandate';
import type { ChallengeDetails } from '#order';
import { html, type Html, moneyText } from '#site';
import { part } from '../../page-parts.js';
import { toChallenge } from '../challenge/challenge.page.js';
import { countdown } from '../layout/account-page.js';
import type { AgentName } from '../layout/agent-names.js';
import { pathTo, type ReturnTarget } from '../layout/return-targets.js';
import { toMandateApproval } from '../mandates/mandate-decision.pages.js';
import { noticeRows, NOTICES, versionOf } from '../notices/notice-rows.js';

export interface News {
  readonly now: Instant;
  readonly challenges: readonly ChallengeDetails[];
  readonly asked: readonly GrantedMandate[];
  /** The unread first. */
  readonly notices: readonly Notice[];
  readonly nameOf: (clientId: string) => AgentName;
}

/** What waits for the traveller, and what happened: a script shows it anew once it is another. */
export const newsPart = (news: News): Html => {
  const { challenges, asked, notices, nameOf } = news;
  const unread = notices.filter(({ isRead }) => !isRead).length;
  const waiting = [...challenges.map(({ orderId }) => orderId), ...asked.map(({ mandateId }) => mandateId)];
  return html`<div id="novidades" data-live="${versionOf(notices, waiting)}" aria-live="polite">
    ${waiting.length > 0 && part('desafios', 'Aguardando sua decisão', waitingRows(news))}
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

/** The payments and mandates that wait for the traveller, each as a list that leads to them. */
const waitingRows = ({ challenges, asked, nameOf, now }: News): Html =>
  html`${urgentRows(
    challenges.map(({ orderId, clientId, line, total, expiresAt }) => ({
      to: toChallenge(orderId),
      text: `Revisar pagamento de ${moneyText(total)}`,
      expiresAt,
      about: `${nameOf(clientId).name} · ${line.description}`,
    })),
    now,
  )}
  ${urgentRows(
    asked.map(({ mandateId, clientId, limit, expiresAt }) => ({
      to: toMandateApproval(mandateId),
      text: `Revisar mandato de ${moneyText(limit)}`,
      expiresAt,
      about: `${nameOf(clientId).name} pede para gastar em seu nome`,
    })),
    now,
  )}`;

interface Waiting {
  readonly to: ReturnTarget;
  readonly text: string;
  readonly expiresAt: Instant;
  readonly about: string;
}

const urgentRows = (waiting: readonly Waiting[], now: Instant): Html | false =>
  waiting.length > 0 &&
  html`<ul class="rows urgent" role="list">
    ${waiting.map(
      ({ to, text, expiresAt, about }) =>
        html`<li>
          <p class="row-head">
            <a href="${pathTo(to)}">${text}</a>
            <span class="mark-warn">${countdown('restam ', now, expiresAt, 'prazo encerrado')}</span>
          </p>
          <p class="small">${about}</p>
        </li>`,
    )}
  </ul>`;
