import type { BaseUrls } from '#http';
import { hiddenFields, logoutForm, type Session, type Visit } from '#identity';
import { type Instant, millisecondsOf } from '#kernel';
import {
  html,
  type Html,
  nextLink,
  page,
  type Page,
  PAGE_SCRIPT,
  type Place,
  shortInstantText,
  trail,
  ZONE_NOTE,
} from '#site';
import { pathTo, type ReturnTarget } from './return-targets.js';

export type Viewer = Pick<Visit, 'session' | 'now' | 'urls'>;

/** A page of a traveller's own: who is logged in, and the way out, stand below what it shows. */
export interface AccountPage extends Pick<Viewer, 'session' | 'urls'> {
  readonly status?: number;
  readonly title: string;
  readonly content: Html;
  /** What it is part of, the account's first page first. */
  readonly trail?: readonly Place[];
  /** Which of the account's four tabs it is; absent: none. */
  readonly tab?: Place;
  /** Whether it shows what needs more room than a form. */
  readonly isBroad?: boolean;
  /** Whether something is to be decided on it, and it leads nowhere else. */
  readonly isDecision?: boolean;
  /** Whether a script does more with what it shows: time that counts down, a button that prints. */
  readonly isScripted?: boolean;
  /** Whether its script hears of changes, and shows what is new. */
  readonly isLive?: boolean;
  readonly isFollowed?: boolean;
}

export const ACCOUNT: Place = { path: '/conta', name: 'Sua conta' };
export const MANDATES: Place = { path: '/conta/mandatos', name: 'Mandatos' };
export const TRIPS: Place = { path: '/conta/viagens', name: 'Viagens' };
export const AGENTS: Place = { path: '/conta/agentes', name: 'Agentes' };
export const LIMITS: Place = { path: '/conta/limites', name: 'Limites' };

export const accountPage = (content: AccountPage): Page => {
  const { status = 200, title, session, urls, trail: places = [], isBroad = false, isDecision = false } = content;
  const { isLive = false, isScripted = isLive, isFollowed = false, tab } = content;
  return {
    status,
    ...(isScripted && { scriptTargets: isLive ? [] : 'none' }),
    html: page({
      title,
      isBroad,
      isDecision,
      isFollowed,
      isLive,
      ...(isScripted && { script: PAGE_SCRIPT }),
      content: html`${tab !== undefined && tabs(tab)}${places.length > 0 && trail(places)}${content.content}${zoneOf(content.content)}${logoutForm(session, null)}`,
      host: new URL(urls.site).host,
    }),
  };
};

/** What stood on the first page before it had tabs, and where: an address of then leads to the tab. */
const TABS: readonly (readonly [place: Place, name: string, once: string | null])[] = [
  [ACCOUNT, 'Início', null],
  [TRIPS, TRIPS.name, 'viagens'],
  [AGENTS, AGENTS.name, 'agentes'],
  [LIMITS, LIMITS.name, 'mandatos'],
];

const tabs = (current: Place): Html =>
  html`<nav class="parts" aria-label="Partes da conta">
    <ul role="list">
      ${TABS.map(
        ([{ path }, name, once]) =>
          html`<li>
            <a
              href="${path}"
              ${current === ACCOUNT && once !== null && html`id="${once}"`}
              ${current.path === path && html`aria-current="page"`}
              >${name}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;

/** Said once for all times on a page that has any. */
const zoneOf = ({ text }: Html): Html | false =>
  text.includes('<time ') && html`<p class="small zone">${ZONE_NOTE}</p>`;

/** All there ever was of a kind, a page at a time; `one`: what each is called. */
export const listPage = (
  { path, name }: Place,
  one: string,
  { count, rows, nextCursor }: { readonly count: number; readonly rows: Html; readonly nextCursor: string | null },
  { session, urls }: Viewer,
): Page =>
  accountPage({
    title: name,
    session,
    urls,
    isBroad: true,
    trail: [ACCOUNT],
    content: html`<h1>${name}</h1>
      <p class="lead">${count === 0 ? `Nenhum ${one} ainda.` : `${count} no total, do mais novo ao mais antigo.`}</p>
      ${rows} ${nextLink(path, nextCursor, `Ver ${one}s mais antigos`)}`,
  });

/** What is unknown and what is another holder's: the same page to the byte. */
export const notFoundPage = (session: Session, urls: BaseUrls): Page =>
  accountPage({
    status: 404,
    title: 'Página não encontrada',
    session,
    urls,
    trail: [ACCOUNT],
    content: html`<h1>Página não encontrada</h1>
      <p class="lead">
        Não há nada neste endereço para a sua conta. Confira se o copiou por inteiro e se entrou com a conta certa.
      </p>`,
  });

/** An instant, for people and for programs; the page names its zone below. */
export const timeOf = (instant: Instant): Html =>
  html`<time class="whole" datetime="${instant}">${shortInstantText(instant)}</time>`;

/** Whole seconds from one instant to another; 0 where it is over. */
const secondsLeft = (from: Instant, to: Instant): number =>
  Math.max(0, Math.floor((millisecondsOf(to) - millisecondsOf(from)) / 1_000));

/** The time from one instant to another, rounded down, as a page shows it: `9 min 50 s`. */
export const timeLeft = (from: Instant, to: Instant): string => {
  const seconds = secondsLeft(from, to);
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
};

/** The same, with words before it; it counts down where the page is scripted, and is `over` at its end. */
export const countdown = (before: string, from: Instant, to: Instant, over = 'encerrado'): Html =>
  html`<span role="timer" data-seconds-left="${secondsLeft(from, to)}" data-before="${before}" data-over="${over}"
    >${before}${timeLeft(from, to)}</span
  >`;

/** The form of a page that asks before something is ended: a button that does it, and a way back that does not. */
export interface Question {
  readonly session: Session;
  readonly to: ReturnTarget;
  /** Where it goes; absent: to the page of what it is about. */
  readonly action?: string;
  readonly fields?: Html;
  readonly does: string;
  readonly back: { readonly path: string; readonly text: string };
}

export const questionForm = ({ session, to, action = pathTo(to), fields, does, back }: Question): Html =>
  html`<form method="post" action="${action}">
    ${hiddenFields(session.id, to)} ${fields ?? null}
    <div class="choices">
      <button class="danger" type="submit">${does}</button>
      <a class="button quiet" href="${back.path}">${back.text}</a>
    </div>
  </form>`;
