import { hiddenFields, type Session } from '#identity';
import type { Notice } from '#outbox';
import { html, type Html, type Page } from '#site';
import { part } from '../../page-parts.js';
import { ACCOUNT, accountPage, type Viewer } from '../layout/account-page.js';
import type { AgentName } from '../layout/agent-names.js';
import type { ReturnTarget } from '../layout/return-targets.js';
import { noticeRows, NOTICES, versionOf } from './notice-rows.js';

export interface NoticesPageContent extends Viewer {
  readonly notices: readonly Notice[];
  readonly nameOf: (clientId: string) => AgentName;
  /** Where they are mailed to, or would be; null: this service sends no mails. */
  readonly mail: { readonly address: string; readonly isOn: boolean } | null;
}

export const toNotices: ReturnTarget = { kind: 'notices', id: 'all' };
/** Whether notices are mailed, as what a form is about. */
export const toMails: ReturnTarget = { kind: 'notice_mails', id: 'switch' };

/** "Avisos": what happened for a traveller in the last thirty days, and whether it is mailed to them, too. */
export const noticesPage = ({ notices, nameOf, mail, session, urls }: NoticesPageContent): Page =>
  accountPage({
    title: NOTICES.name,
    session,
    urls,
    isBroad: true,
    isLive: true,
    isFollowed: true,
    trail: [ACCOUNT],
    content: html`<h1>${NOTICES.name}</h1>
      <p class="lead">
        ${notices.length === 0 ? 'Nenhum aviso nos últimos 30 dias.' : 'O que aconteceu nos últimos 30 dias.'} Esta
        página se atualiza sozinha.
      </p>
      <div id="avisos" data-live="${versionOf(notices)}" aria-live="polite">
        ${notices.length > 0 && noticeRows(notices, nameOf)}
        ${notices.some(({ isRead }) => !isRead) && readForm(session)}
      </div>
      ${part('emails', 'Por e-mail', mailPart(mail, session))}`,
  });

const readForm = (session: Session): Html =>
  html`<form method="post" action="${NOTICES.path}/lidos">
    ${hiddenFields(session.id, toNotices)}
    <p class="actions"><button class="quiet" type="submit" name="read" value="all">Marcar todos como lidos</button></p>
  </form>`;

const mailPart = (mail: NoticesPageContent['mail'], session: Session): Html => {
  if (!mail) return html`<p>Este serviço não envia e-mails: os avisos ficam só aqui, na sua conta.</p>`;
  const { address, isOn } = mail;
  return html`<form method="post" action="${NOTICES.path}/emails">
    ${hiddenFields(session.id, toMails)}
    <p>
      ${isOn ? 'Os avisos também chegam em' : 'Os avisos não são enviados por e-mail. Eles chegariam em'}
      <strong>${address}</strong>${isOn && ', sem valores nem nomes'}.
    </p>
    <p class="actions">
      <button class="quiet" type="submit" name="mails" value="${isOn ? 'off' : 'on'}">
        ${isOn ? 'Não receber por e-mail' : 'Receber por e-mail'}
      </button>
    </p>
  </form>`;
};
