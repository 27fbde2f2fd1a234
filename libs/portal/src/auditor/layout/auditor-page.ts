import { readFileSync } from 'node:fs';
import type { BaseUrls } from '#http';
import { hiddenFields, loginPage, type LoginText, pageErrorsWith, type RefusedLogin, type Session } from '#identity';
import type { Instant, Party } from '#kernel';
import { asset, assetLink, html, type Html, instantText, page, type Page, trail } from '#site';
import type { Agents } from '#mandate';
import { type Clients, travellersName } from '#oauth';
import { type AuditTarget, pathTo } from './return-targets.js';

export const REPLAY_SCRIPT_NAME = 'auditoria.js';

/** The script that plays a mandate's events. the build copies it unchanged. */
export const REPLAY_ASSET = asset(
  'text/javascript; charset=utf-8',
  readFileSync(new URL('../browser/replay.js', import.meta.url), 'utf8'),
);

export const REPLAY_SCRIPT = assetLink(REPLAY_SCRIPT_NAME, REPLAY_ASSET);

/** Who looks at an auditor's page: a browser, and the auditor who is logged in there. */
export interface Audience {
  readonly session: Session;
  readonly urls: BaseUrls;
}

/** A page for an auditor: who is logged in, and the way out, stand below what it shows. */
export interface AuditorPage extends Audience {
  readonly status?: number;
  readonly title: string;
  readonly content: Html;
  readonly isPlayed?: boolean;
  /** Whether it is the first page, which leads nowhere back. */
  readonly isFirst?: boolean;
}

export const auditorPage = (content: AuditorPage): Page => {
  const { status = 200, title, session, urls, isPlayed = false, isFirst = false } = content;
  return {
    status,
    ...(isPlayed && { scriptTargets: [] }),
    html: page({
      title: `${title} · Auditoria`,
      isBroad: true,
      ...(isPlayed && { script: REPLAY_SCRIPT }),
      content: html`${!isFirst && trail([{ path: '/auditoria', name: 'Auditoria' }])}${content.content}${logoutForm(session)}`,
      host: new URL(urls.site).host,
    }),
  };
};

const logoutForm = ({ id, traveller }: Session): Html | null =>
  traveller &&
  html`<form class="who" method="post" action="/auditoria/sair">
    ${hiddenFields(id, null)}
    <p>Você entrou como <strong>${traveller.email}</strong>, na auditoria</p>
    <button class="link" type="submit">Sair</button>
  </form>`;

/** The auditors' login on the way to a page of theirs. `refused`: the attempt that failed. */
export const auditorLoginPage = (
  to: AuditTarget,
  { session, urls }: Audience,
  refused: RefusedLogin | null = null,
): Page =>
  loginPage({
    ...LOGIN_TEXT,
    action: '/auditoria/entrar',
    hidden: hiddenFields(session.id, to),
    host: new URL(urls.site).host,
    email: refused?.email ?? '',
    refused,
  });

const LOGIN_TEXT: LoginText = {
  heading: 'Entre na auditoria',
  lead: html`Para quem confere o que os agentes fizeram. A conta de auditoria é outra que a de viajante, e tudo o que
  você abre aqui fica registrado.`,
  isAgain: false,
};

export const auditorErrors = pageErrorsWith(
  html`<p class="actions"><a class="button" href="/auditoria">Ir para a auditoria</a></p>`,
);

export const nothingPage = (audience: Audience): Page =>
  auditorPage({
    ...audience,
    status: 404,
    title: 'Nada encontrado',
    content: html`<h1>Nada encontrado</h1>
      <p class="lead">Nenhum evento do registro fala do que está neste endereço. Confira se o copiou por inteiro.</p>`,
  });

export const timeOf = (instant: Instant): Html => html`<time datetime="${instant}">${instantText(instant)}</time>`;

export const linkTo = (to: AuditTarget): Html => html`<a href="${pathTo(to)}"><code>${to.id}</code></a>`;

/** What an agent of a traveller is called, as its traveller reads it; null: it is not registered any more. */
export const agentNameOf = async (
  { holder, clientId }: Party,
  clients: Clients,
  agents: Agents,
): Promise<string | null> => {
  const client = await clients.find(clientId);
  if (!client) return null;
  const delegation = await agents.delegation(holder, clientId);
  const { redirectHosts = [] } = delegation.status === 'unknown' ? {} : delegation;
  return travellersName(client, ...redirectHosts);
};
