import { hiddenFields } from '#identity';
import { type AgentListItem, heldBy, type Pause } from '#mandate';
import { html, type Html, type Page } from '#site';
import { ACCOUNT, accountPage, questionForm, timeOf, type Viewer } from '../layout/account-page.js';
import { pathTo, type ReturnTarget } from '../layout/return-targets.js';

export interface PauseAll extends Pick<Viewer, 'session' | 'urls'> {
  readonly pause: Pause;
  /** Those that are shown of the traveller's agents. */
  readonly agents: readonly AgentListItem[];
  /** Whether the pause has just been ended: the list of agents may not show it yet. */
  readonly isResumed?: boolean;
}

/** The pause of everything as what a form is about; a login leads to its page. */
export const TO_PAUSE: ReturnTarget = { kind: 'pause_all', id: 'all' };
/** Its end, for which the login has to be a recent one. */
export const TO_RESUME: ReturnTarget = { kind: 'resume_all', id: 'all' };
export const RESUME_PATH = `${pathTo(TO_PAUSE)}/retomar`;

/** The way to pause everything, on the account's first page; where it is paused, that it is, and the way back. */
export const pauseAllPart = (content: PauseAll): Html | false => {
  const { pause, agents, session } = content;
  if (pause.phase === 'paused') return html`<div class="outcome">${pausedText(pause)} ${resumeForm(content)}</div>`;
  if (pause.phase === 'starting')
    return html`<div class="alert">
      <p role="status">A pausa não terminou: ainda há agentes que podem comprar. Pause de novo.</p>
      ${pauseForm(session, 'Pausar tudo')}
    </div>`;
  if (isHalfResumed(content))
    return html`<div class="outcome">
      <p role="status">A retomada não terminou: ainda há agentes em pausa.</p>
      ${resumeForm(content)}
    </div>`;
  const isAny = agents.some(({ revokedAt }) => revokedAt === null);
  return (
    isAny && html`<p class="on-screen"><a class="button quiet warn" href="${pathTo(TO_PAUSE)}">Pausar tudo…</a></p>`
  );
};

/** "Pausar tudo?": what it does, before it is done; where it is done, the way back. */
export const pauseAllPage = (content: PauseAll): Page => {
  const { pause, agents, session, urls } = content;
  const isHeld = pause.phase === 'paused' || isHalfResumed(content);
  const title = isHeld ? 'Tudo em pausa' : 'Pausar tudo?';
  return accountPage({
    title,
    session,
    urls,
    trail: [ACCOUNT],
    content: html`<h1>${title}</h1>
      ${
        isHeld
          ? html`${pauseAllPart(content)}`
          : html`<ul class="effects">
                <li>${agentsText(agents)} Vale também para os que você autorizar depois.</li>
                <li>Compras em andamento param sem cobrança, e as que esperam a sua confirmação também.</li>
                <li>O que já foi pago continua valendo. Nenhum mandato ou limite muda.</li>
                <li>Fica assim até você retomar. O que você pausou um a um continua em pausa depois disso.</li>
              </ul>
              ${questionForm({
                session,
                to: TO_PAUSE,
                does: 'Pausar tudo',
                back: { path: ACCOUNT.path, text: 'Voltar sem pausar' },
              })}`
      }`,
  });
};

const pausedText = ({ since }: Pause): Html =>
  html`<p role="status">
    <strong>Tudo em pausa</strong>${since !== null && html` desde ${timeOf(since)}`}: nenhum agente compra nem abre
    mandatos em seu nome, nem os que você autorizar agora.
  </p>`;

/** An agent that still stands still though nothing holds it. */
const isHalfResumed = ({ pause, agents, isResumed = false }: PauseAll): boolean =>
  !isResumed && heldBy(pause) === undefined && agents.some(({ delegation }) => delegation.pauseOfAll?.isOn === true);

const agentsText = (agents: readonly AgentListItem[]): string => {
  const active = agents.filter(({ revokedAt }) => revokedAt === null);
  const open = active.reduce((sum, { delegation }) => sum + Object.keys(delegation.openMandates).length, 0);
  const who =
    active.length === 1
      ? 'O seu agente não compra mais nada'
      : `Os seus ${active.length} agentes não compram mais nada`;
  if (active.length === 0) return 'Nenhum agente compra nada em seu nome.';
  if (open === 0) return `${who}, e nenhum mandato é aberto.`;
  return `${who}: ${open === 1 ? 'o mandato aberto fica parado' : `os ${open} mandatos abertos ficam parados`}, e nenhum outro é aberto.`;
};

const pauseForm = (session: PauseAll['session'], does: string): Html =>
  html`<form class="actions" method="post" action="${pathTo(TO_PAUSE)}">
    ${hiddenFields(session.id, TO_PAUSE)}
    <button class="danger" type="submit">${does}</button>
  </form>`;

const resumeForm = ({ session }: PauseAll): Html =>
  html`<form class="actions" method="post" action="${RESUME_PATH}">
    ${hiddenFields(session.id, TO_RESUME)}
    <button class="quiet" type="submit">Retomar tudo</button>
  </form>`;
