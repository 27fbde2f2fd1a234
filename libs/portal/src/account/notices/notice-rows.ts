import { hashOf } from '#identity';
import { type Notice, NOTICE_WORDS, NOTICES_PATH } from '#outbox';
import { html, type Html, type Place } from '#site';
import { timeOf } from '../layout/account-page.js';
import type { AgentName } from '../layout/agent-names.js';
import { pathTo, type ReturnTarget } from '../layout/return-targets.js';

export const NOTICES: Place = { path: NOTICES_PATH, name: 'Avisos' };

/** The page of what a notice is about. */
export const toMatter = ({ type, subject }: Notice): ReturnTarget => {
  switch (type) {
    case 'challenge.requested':
      return { kind: 'challenge', id: subject };
    case 'mandate.requested':
      return { kind: 'mandate_approval', id: subject };
    case 'agent.revoked':
      return { kind: 'agent', id: subject };
    case 'flight.cancelled':
      return subject === '' ? { kind: 'account', id: 'orders' } : { kind: 'order', id: subject };
    default:
      return { kind: 'mandate', id: subject };
  }
};

/** Changes whenever what is shown does: the ids of what waits, and these notices, read or not. */
export const versionOf = (notices: readonly Notice[], waiting: readonly string[] = []): string =>
  hashOf([...waiting, ...notices.map(({ id, isRead }) => `${id} ${isRead ? 'read' : 'unread'}`)].join());

/** Notices as a list; each leads to what it is about, and is read from then on. */
export const noticeRows = (notices: readonly Notice[], nameOf: (clientId: string) => AgentName): Html =>
  html`<ul class="rows" role="list">
    ${notices.map(
      ({ id, type, clientId, at, isRead }) =>
        html`<li>
          <p class="row-head">
            <a href="${pathTo({ kind: 'notice', id })}">${NOTICE_WORDS[type].title}</a>
            ${!isRead && html`<span class="mark-on">novo</span>`}
          </p>
          <p class="small">${nameOf(clientId).name} · ${timeOf(at)}</p>
        </li>`,
    )}
  </ul>`;
