import { cityNamed } from '#catalog';
import type { Line } from '#events';
import { hashOf } from '#identity';
import { type Instant, plus } from '#kernel';
import { refusalReason } from '#mandate';
import { clockText, shortDayText, html, type Html, moneyText, nextLink, type Page } from '#site';
import { part } from '../../page-parts.js';
import { ACCOUNT, accountPage, type Viewer } from '../layout/account-page.js';
import { type AgentName, uncheckedText } from '../layout/agent-names.js';
import { pathTo } from '../layout/return-targets.js';
import { failureWords } from '../orders/order.page.js';
import type { HappeningsPage, NamedHappening } from './happenings.js';
import { TO_PAUSE } from './pause-all.js';

/** What happened for a traveller, some days of it. */
export interface FeedContent {
  readonly now: Instant;
  readonly happened: HappeningsPage;
  readonly nameOf: (clientId: string) => AgentName;
}

export type Outcome = 'bought' | 'refused' | 'returned' | 'changed';

/** One thing that happened. */
export interface FeedItem {
  readonly at: Instant;
  readonly outcome: Outcome;
  readonly title: string;
  /** Why, or what came of it; '': the title says all. */
  readonly note: string;
  /** Who did it, or what is to be known of the one in the title; '': nothing. */
  readonly by: string;
  readonly path: string;
}

const TITLE = 'O que aconteceu';
/** Where the days before are. */
const FEED_PATH = pathTo({ kind: 'account', id: 'happened' });

/** "O que aconteceu": by day, the newest first. A script shows it anew once it has changed. */
export const feedPart = (content: FeedContent): Html | false => {
  const shown = feedDays(content, (day) => html`<h3 class="day">${day}</h3>`);
  return (
    content.happened.items.length > 0 &&
    html`<div id="acontecimentos" data-live="${hashOf(shown.text)}">${part('aconteceu', TITLE, shown)}</div>`
  );
};

/** The same on a page of its own, for the days before. */
export const feedPage = ({ session, urls, ...content }: FeedContent & Viewer): Page =>
  accountPage({
    title: TITLE,
    session,
    urls,
    isBroad: true,
    trail: [ACCOUNT],
    content: html`<h1>${TITLE}</h1>
      ${content.happened.items.length === 0 ? NOTHING : feedDays(content, (day) => html`<h2 class="day">${day}</h2>`)}`,
  });

const NOTHING = html`<p class="lead">Nada aconteceu ainda.</p>`;

const feedDays = ({ now, happened, nameOf }: FeedContent, heading: (day: string) => Html): Html => {
  const days = new Map<string, FeedItem[]>();
  for (const item of feedItems(happened.items, nameOf))
    days.set(shortDayText(item.at), [...(days.get(shortDayText(item.at)) ?? []), item]);
  return html`${[...days].map(
    ([day, ofDay]) =>
      html`${heading(dayName(day, now))}
        <ol class="feed" role="list">
          ${gathered(ofDay).map(row)}
        </ol>`,
  )}
  ${nextLink(FEED_PATH, happened.nextCursor, happened.isWithinDay ? 'Mostrar mais desse dia' : 'Mostrar dias anteriores')}`;
};

/** What an agent tries again and again in vain is one line. */
const gathered = (items: readonly FeedItem[]): readonly (readonly [item: FeedItem, times: number])[] => {
  const lines: [item: FeedItem, times: number][] = [];
  for (const item of items) {
    const line = lines.at(-1);
    if (line && item.outcome === 'refused' && wordsOf(item) === wordsOf(line[0])) line[1] += 1;
    else lines.push([item, 1]);
  }
  return lines;
};

const wordsOf = ({ title, note, by, path }: FeedItem): string => [title, note, by, path].join('\n');

const row = ([{ at, outcome, title, note, by, path }, times]: readonly [FeedItem, number]): Html =>
  html`<li class="feed-${outcome}">
    <p class="feed-what"><a href="${path}">${title}</a></p>
    ${note !== '' && html`<p>${note}</p>`}
    <p class="small">
      ${by !== '' && `${by} · `}<time datetime="${at}">${clockText(at)}</time>${times > 1 && ` · ${times}\u00a0vezes`}
    </p>
  </li>`;

const DAY = -24 * 60 * 60 * 1_000;

const dayName = (day: string, now: Instant): string => {
  if (day === shortDayText(now)) return 'Hoje';
  return day === shortDayText(plus(now, DAY)) ? 'Ontem' : day;
};

/** As a page words what happened; nothing of an order that its list does not show as it became. */
export const feedItems = (happened: readonly NamedHappening[], nameOf: FeedContent['nameOf']): readonly FeedItem[] =>
  happened.flatMap((happening) => {
    const agent = nameOf(happening.clientId);
    return 'order' in happening ? ofOrder(happening, agent) : ofMandate(happening, agent);
  });

const routeOf = ({ from, to }: Pick<Line, 'from' | 'to'>): string => `${cityNamed(from)} → ${cityNamed(to)}`;

type OrderHappening = Extract<NamedHappening, { readonly order: unknown }>;
type MandateHappening = Extract<NamedHappening, { readonly mandate: unknown }>;

/** What became of an order: one that was bought and then cancelled appears twice. */
const ofOrder = ({ type, at, order }: OrderHappening, agent: AgentName): readonly FeedItem[] => {
  const { orderId, line, total } = order.checkout;
  const about = { at, by: shortName(agent), path: pathTo({ kind: 'order', id: orderId }) };
  const title = `${routeOf(line)}, ${moneyText(total)}`;
  if (type === 'OrderPaid') return [{ ...about, outcome: 'bought', title, note: '' }];
  if (order.kind === 'failed')
    return [{ ...about, outcome: 'refused', title, note: `Não comprada. ${failureWords(order)}` }];
  if (order.kind !== 'cancelled') return [];
  const { refund } = order.cancellation;
  const note = refund.amount > 0 ? `Compra cancelada: ${moneyText(refund)} devolvidos` : NOTHING_BACK;
  return [{ ...about, outcome: 'returned', title: routeOf(line), note }];
};

const NOTHING_BACK = 'Compra cancelada, sem nada a devolver';

/** Without the hosts behind it, which its own page has. */
const shortName = (agent: AgentName): string =>
  [agent.title ?? agent.name, uncheckedText(agent)].filter((text) => text !== '').join(', ');

const ofMandate = (happening: MandateHappening, agent: AgentName): readonly FeedItem[] => {
  const { at, mandate, refused, isOfAll } = happening;
  const path = pathTo(isOfAll ? TO_PAUSE : { kind: 'mandate', id: mandate.mandateId });
  if (!refused) {
    const title = changeText(happening, agent.title ?? agent.name);
    return [{ at, path, outcome: 'changed', title, note: '', by: isOfAll ? '' : uncheckedText(agent) }];
  }
  const { amount, from, to } = refused;
  const what = from === undefined || to === undefined ? 'Compra' : routeOf({ from, to });
  const note = `Recusada. ${refusalReason(refused)}`;
  return [{ at, path, outcome: 'refused', title: `${what}, ${moneyText(amount)}`, note, by: shortName(agent) }];
};

/** What an agent may spend since then, in a sentence. */
const changeText = ({ type, mandate, limit, isByAgent, isOfAll }: MandateHappening, name: string): string => {
  const sum = moneyText(limit ?? mandate.limit);
  const all = moneyText(mandate.limit);
  const isAsked = mandate.pending !== undefined;
  switch (type) {
    case 'MandateCreated':
      return `${name} pode gastar até ${sum}`;
    case 'MandateRequested':
      return `${name} pediu para gastar até ${sum}`;
    case 'MandateApproved':
      return `Você permitiu: ${name} pode gastar até ${sum}`;
    case 'MandateNarrowed':
      return `Você reduziu: ${name} pode gastar até ${sum}`;
    case 'MandatePaused':
      return isOfAll ? 'Você pausou todos os agentes' : `Você pausou o mandato de ${name}, de até ${all}`;
    case 'MandateResumed':
      return isOfAll ? 'Você retomou todos os agentes' : `Você retomou o mandato de ${name}, de até ${all}`;
    case 'MandateRevoked': {
      if (isAsked)
        return isByAgent ? `${name} retirou o pedido de até ${all}` : `Você recusou o pedido de ${name}, de até ${all}`;
      return isByAgent
        ? `${name} encerrou o mandato de até ${all}`
        : `Você encerrou o mandato de ${name}, de até ${all}`;
    }
    case 'MandateExpired':
      return isAsked
        ? `Sem resposta a tempo: o pedido de ${name}, de até ${all}`
        : `Encerrado por prazo: o mandato de ${name}, de até ${all}`;
    default:
      throw new Error(`a page has no words for ${type}`);
  }
};
