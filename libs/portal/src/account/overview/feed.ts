import { cityNamed } from '#catalog';
import type { Line } from '#events';
import { hashOf } from '#identity';
import { type Instant, millisecondsOf, plus } from '#kernel';
import { type GrantedMandate, type HistoryLine, type HistoryPage, refusalReason } from '#mandate';
import type { PlacedOrder } from '#order';
import type { ListPage } from '#read-models';
import { clockText, shortDayText, html, type Html, moneyText } from '#site';
import { part } from '../../page-parts.js';
import { MANDATES, ORDERS } from '../layout/account-page.js';
import type { AgentName } from '../layout/agent-names.js';
import { pathTo } from '../layout/return-targets.js';
import { whatOf } from '../mandates/statement-line.js';
import { failureWords } from '../orders/order.page.js';
import { TO_PAUSE } from './pause-all.js';

/** The newest of what a traveller's agents did, as the lists and the mandates' own histories have it. */
export interface FeedContent {
  readonly now: Instant;
  /** The newest orders first. */
  readonly orders: ListPage<PlacedOrder>;
  readonly histories: readonly { readonly mandate: GrantedMandate; readonly history: HistoryPage }[];
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
  readonly clientId: string;
  readonly path: string;
}

/** How many the page shows at most. */
const SHOWN = 25;

/** "O que aconteceu": by day, the newest first. A script shows it anew once it is another. */
export const feedPart = (content: FeedContent): Html | false => {
  const items = feedItems(content);
  if (items.length === 0) return false;
  const { now, nameOf } = content;
  const days = new Map<string, FeedItem[]>();
  for (const item of items) days.set(shortDayText(item.at), [...(days.get(shortDayText(item.at)) ?? []), item]);
  return html`<div id="acontecimentos" data-live="${hashOf(items.map(({ at, title }) => `${at} ${title}`).join())}">
    ${part(
      'aconteceu',
      'O que aconteceu',
      html`${[...days].map(
          ([day, ofDay]) =>
            html`<h3 class="day">${dayName(day, now)}</h3>
              <ol class="feed" role="list">
                ${ofDay.map((item) => row(item, nameOf(item.clientId)))}
              </ol>`,
        )}
        <p class="more">
          Mais antigos: <a href="${ORDERS.path}">todas as compras</a> ou
          <a href="${MANDATES.path}">todos os mandatos</a>
        </p>`,
    )}
  </div>`;
};

const row = ({ at, outcome, title, note, path }: FeedItem, { name }: AgentName): Html =>
  html`<li class="feed-${outcome}">
    <p class="feed-what"><a href="${path}">${title}</a></p>
    ${note !== '' && html`<p>${note}</p>`}
    <p class="small">${name} · <time datetime="${at}">${clockText(at)}</time></p>
  </li>`;

const DAY = -24 * 60 * 60 * 1_000;

const dayName = (day: string, now: Instant): string => {
  if (day === shortDayText(now)) return 'Hoje';
  return day === shortDayText(plus(now, DAY)) ? 'Ontem' : day;
};

/** The newest of all; nothing older than where a list was cut off, so that nothing is missing between what is shown. */
export const feedItems = ({ orders, histories }: Omit<FeedContent, 'nameOf' | 'now'>): readonly FeedItem[] => {
  const bought = orders.items.flatMap(ofOrder);
  const known = new Set(orders.items.map(({ checkout }) => checkout.orderId));
  const permitted = histories.flatMap(({ mandate, history }) =>
    history.entries.flatMap((lines) => lines.flatMap((line) => ofMandate(line, mandate, known))),
  );
  const cuts = [
    ...(orders.nextCursor === null ? [] : [orders.items.at(-1)?.placedAt ?? '']),
    ...histories.flatMap(({ history }) =>
      history.nextCursor === null ? [] : [history.entries.at(-1)?.[0].occurredAt ?? ''],
    ),
  ];
  const from = cuts.toSorted().at(-1) ?? '';
  const once = new Map([...bought, ...permitted].map((item) => [keyOf(item), item]));
  return [...once.values()]
    .filter(({ at }) => at >= from)
    .toSorted((one, other) => millisecondsOf(other.at) - millisecondsOf(one.at))
    .slice(0, SHOWN);
};

/** A pause of everything is written down for each mandate, and said once. */
const keyOf = ({ path, at, title }: FeedItem): string =>
  `${path} ${path === pathTo(TO_PAUSE) ? at.slice(0, 'yyyy-mm-ddThh:mm'.length) : at} ${title}`;

const routeOf = ({ from, to }: Pick<Line, 'from' | 'to'>): string => `${cityNamed(from)} → ${cityNamed(to)}`;

/** What became of an order: one that was bought and then cancelled is both. */
const ofOrder = (order: PlacedOrder): readonly FeedItem[] => {
  const { orderId, clientId, line, total } = order.checkout;
  const about = { clientId, path: pathTo({ kind: 'order', id: orderId }) };
  const title = `${routeOf(line)}, ${moneyText(total)}`;
  switch (order.kind) {
    case 'pending':
      return [];
    case 'failed':
      return [
        { ...about, at: order.failedAt, outcome: 'refused', title, note: `Não comprada: ${failureWords(order)}` },
      ];
    case 'paid':
    case 'cancelled': {
      const bought = { ...about, at: order.payment.capturedAt, outcome: 'bought', title, note: '' } as const;
      if (order.kind === 'paid') return [bought];
      const { refund } = order.cancellation;
      const note = refund.amount > 0 ? `Compra cancelada: ${moneyText(refund)} devolvidos` : NOTHING_BACK;
      return [{ ...about, at: order.cancelledAt, outcome: 'returned', title: routeOf(line), note }, bought];
    }
  }
};

const NOTHING_BACK = 'Compra cancelada, sem nada a devolver';

/** What belongs to an order is said by it, but a refusal of one that is not shown. */
const ofMandate = (line: HistoryLine, mandate: GrantedMandate, known: ReadonlySet<string>): readonly FeedItem[] => {
  const { orderId, occurredAt, refused } = line;
  if (orderId !== null && (!refused || known.has(orderId))) return [];
  const { clientId, mandateId } = mandate;
  const path = pathTo(line.isOfAll ? TO_PAUSE : { kind: 'mandate', id: mandateId });
  const about = { at: occurredAt, clientId, path };
  if (!refused) return [{ ...about, outcome: 'changed', title: whatOf(line), note: '' }];
  const { amount, from, to } = refused;
  const what = from === undefined || to === undefined ? 'Compra' : routeOf({ from, to });
  const note = `Recusada: ${refusalReason(refused)}`;
  return [{ ...about, outcome: 'refused', title: `${what}, ${moneyText(amount)}`, note }];
};
