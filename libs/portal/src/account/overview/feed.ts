import { cityNamed } from '#catalog';
import type { Line } from '#events';
import { hashOf } from '#identity';
import { type Instant, millisecondsOf, plus } from '#kernel';
import { type GrantedMandate, type HistoryLine, type HistoryPage, refusalReason } from '#mandate';
import type { PlacedOrder } from '#order';
import type { ListPage } from '#read-models';
import { clockText, shortDayText, html, type Html, moneyText } from '#site';
import { part } from '../../page-parts.js';
import { LIMITS, TRIPS } from '../layout/account-page.js';
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
  /** Whose deed it was, as a page names them; '': the title says it. */
  readonly by: string;
  readonly path: string;
}

/** How many the page shows at most. */
const SHOWN = 25;

/** "O que aconteceu": by day, the newest first. A script shows it anew once it has changed. */
export const feedPart = (content: FeedContent): Html | false => {
  const items = feedItems(content);
  if (items.length === 0) return false;
  const { now } = content;
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
                ${ofDay.map(row)}
              </ol>`,
        )}
        <p class="more">
          Antes disso: todas as compras em <a href="${TRIPS.path}">Viagens</a>, todos os mandatos em
          <a href="${LIMITS.path}">Limites</a>.
        </p>`,
    )}
  </div>`;
};

const row = ({ at, outcome, title, note, by, path }: FeedItem): Html =>
  html`<li class="feed-${outcome}">
    <p class="feed-what"><a href="${path}">${title}</a></p>
    ${note !== '' && html`<p>${note}</p>`}
    <p class="small">${by !== '' && `${by} · `}<time datetime="${at}">${clockText(at)}</time></p>
  </li>`;

const DAY = -24 * 60 * 60 * 1_000;

const dayName = (day: string, now: Instant): string => {
  if (day === shortDayText(now)) return 'Hoje';
  return day === shortDayText(plus(now, DAY)) ? 'Ontem' : day;
};

/** The newest of what was read; nothing older than where a list was cut off, so that of that nothing is missing in between. */
export const feedItems = ({ orders, histories, nameOf }: Omit<FeedContent, 'now'>): readonly FeedItem[] => {
  const bought = orders.items.flatMap((order) => ofOrder(order, nameOf(order.checkout.clientId)));
  const known = new Set(orders.items.map(({ checkout }) => checkout.orderId));
  const permitted = histories.flatMap(({ mandate, history }) =>
    saidOnce(history.entries.flat()).flatMap((line) =>
      ofMandate(line, { mandate, known, name: nameOf(mandate.clientId).name }),
    ),
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

/** What a traveller permitted is open at once: both are one thing to them. */
const saidOnce = (lines: readonly HistoryLine[]): readonly HistoryLine[] =>
  lines.some(({ type }) => type === 'MandateApproved') ? lines.filter(({ type }) => type !== 'MandateCreated') : lines;

/** A pause of everything is written down for each mandate, and said once. */
const keyOf = ({ path, at, title }: FeedItem): string =>
  `${path} ${path === pathTo(TO_PAUSE) ? at.slice(0, 'yyyy-mm-ddThh:mm'.length) : at} ${title}`;

const routeOf = ({ from, to }: Pick<Line, 'from' | 'to'>): string => `${cityNamed(from)} → ${cityNamed(to)}`;

/** What became of an order: one that was bought and then cancelled is both. */
const ofOrder = (order: PlacedOrder, { name: by }: AgentName): readonly FeedItem[] => {
  const { orderId, line, total } = order.checkout;
  const about = { by, path: pathTo({ kind: 'order', id: orderId }) };
  const title = `${routeOf(line)}, ${moneyText(total)}`;
  switch (order.kind) {
    case 'pending':
      return [];
    case 'failed':
      return [
        { ...about, at: order.failedAt, outcome: 'refused', title, note: `Não comprada. ${failureWords(order)}` },
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

interface OfMandate {
  readonly mandate: GrantedMandate;
  /** The orders that are shown. */
  readonly known: ReadonlySet<string>;
  /** Its agent's. */
  readonly name: string;
}

/** What belongs to an order is said by it, but a refusal of one that is not shown. */
const ofMandate = (line: HistoryLine, { mandate, known, name }: OfMandate): readonly FeedItem[] => {
  const { orderId, occurredAt: at, refused } = line;
  if (orderId !== null && (!refused || known.has(orderId))) return [];
  const path = pathTo(line.isOfAll ? TO_PAUSE : { kind: 'mandate', id: mandate.mandateId });
  if (!refused) return [{ at, path, outcome: 'changed', title: changeText(line, mandate, name), note: '', by: '' }];
  const { amount, from, to } = refused;
  const what = from === undefined || to === undefined ? 'Compra' : routeOf({ from, to });
  const note = `Recusada. ${refusalReason(refused)}`;
  return [{ at, path, outcome: 'refused', title: `${what}, ${moneyText(amount)}`, note, by: name }];
};

/** What an agent may spend since then, in a sentence. */
const changeText = (line: HistoryLine, mandate: GrantedMandate, name: string): string => {
  const { type, amount, clientId, isOfAll } = line;
  const sum = moneyText(amount ?? mandate.limit);
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
        return clientId === null
          ? `Você recusou o pedido de ${name}, de até ${all}`
          : `${name} retirou o pedido de até ${all}`;
      return clientId === null
        ? `Você encerrou o mandato de ${name}, de até ${all}`
        : `${name} encerrou o mandato de até ${all}`;
    }
    case 'MandateExpired':
      return isAsked
        ? `Sem resposta a tempo: o pedido de ${name}, de até ${all}`
        : `Encerrado por prazo: o mandato de ${name}, de até ${all}`;
    default:
      return whatOf(line);
  }
};
