import { isWaiting, challengeUrl, type PlacedOrder } from '#order';
import type { Instant } from '#kernel';
import type { Asking } from '../asking.js';
import { envelopeOf, type Message } from '../envelope.js';
import { itemId } from '../ids.js';
import { permalinkOf } from '../order/order.view.js';
import type { FlightsOfCheckout } from '../flights/flights.view.js';
import type { Handlers } from '../payment/payment-tokens.js';
import { CHECKOUT } from '../versions.js';
import type { Session, SessionLine } from './stored-session.js';

export type Status =
  'incomplete' | 'requires_escalation' | 'ready_for_complete' | 'complete_in_progress' | 'completed' | 'canceled';

/** The order that a session's booking is in. `order` null: it has begun, and is not placed yet. */
export interface Purchase {
  readonly orderId: string;
  readonly order: PlacedOrder | null;
  /** Whether all of it stands: one that is paid may still be under way in its mandate (docs/consistency.md, rule 2). */
  readonly isTicketed: boolean;
}

/** What is known of a session beside its document. */
export interface Shown {
  readonly purchase: Purchase | null;
  /** What its platform is to know: first what is wrong with what it asks for. */
  readonly problems: readonly Message[];
  readonly messages: readonly Message[];
  readonly label: string | null;
  readonly handlers: Handlers;
  /** Absent, or null: the platform does not know our extension. */
  readonly flights?: FlightsOfCheckout | null;
  readonly now: Instant;
}

/** What a line costs for all. */
const lineTotals = ({ price, quantity }: SessionLine) => [
  { type: 'subtotal', display_text: 'Passagens', amount: price * quantity },
  { type: 'total', display_text: 'Total', amount: price * quantity },
];

/** The same of a whole checkout, with its parts, which add up to it (UCP, `types/totals.json`). */
const totalsOf = (line: SessionLine) => {
  const [subtotal, total] = lineTotals(line);
  const lines = [
    { display_text: 'Tarifa', amount: (line.price - line.taxes) * line.quantity },
    { display_text: 'Taxas de embarque', amount: line.taxes * line.quantity },
  ];
  return [{ ...subtotal, lines }, total];
};

export const statusOf = (
  session: Session,
  { purchase, problems, messages, now }: Omit<Shown, 'handlers' | 'label' | 'flights'>,
): Status => {
  const { canceledAt, expiresAt, purchases = [] } = session.body;
  const order = purchase?.order;
  if (purchase?.isTicketed) return 'completed';
  if (canceledAt !== undefined) return 'canceled';
  if (order && isWaiting(order)) return 'requires_escalation';
  if (purchase && order?.kind !== 'failed') return 'complete_in_progress';
  if (now >= expiresAt) return purchases.length > 0 ? 'complete_in_progress' : 'canceled';
  if (problems.length > 0) return 'incomplete';
  const asks = messages.some((one) => one.type === 'error' && one.severity.startsWith('requires_'));
  return asks ? 'requires_escalation' : 'ready_for_complete';
};

/** A session as its platform sees it (UCP, `checkout.json`). */
export const sessionView = (asking: Asking, session: Session, shown: Shown) => {
  const { id, body } = session;
  const { line, buyer, travellers, expiresAt } = body;
  const { purchase, problems, messages, label, handlers, flights } = shown;
  const { site } = asking.urls;
  const status = statusOf(session, shown);
  const item = { id: itemId(line), title: line.title, price: line.price };
  const order = purchase?.order;
  const isOver = status === 'completed' || status === 'canceled';
  const waits = order && isWaiting(order) ? challengeUrl(purchase.orderId, asking.urls) : continueUrl(id, site);
  return {
    ucp: { ...envelopeOf(asking, [CHECKOUT]), payment_handlers: handlers },
    id,
    status,
    currency: line.currency,
    line_items: [{ id: 'li_1', item, quantity: line.quantity, totals: lineTotals(line) }],
    totals: totalsOf(line),
    ...(buyer && !isOver && { buyer }),
    ...(flights && { flights: isOver ? flights : { ...flights, ...(travellers && { passengers: travellers }) } }),
    messages: [...problems, ...messages],
    links: linksOf(site),
    expires_at: expiresAt,
    ...(!isOver && { continue_url: waits }),
    ...(status === 'completed' &&
      purchase && {
        order: {
          id: purchase.orderId,
          ...(label !== null && { label }),
          permalink_url: permalinkOf(purchase.orderId, site),
        },
      }),
  };
};

export type SessionView = ReturnType<typeof sessionView>;

/** Where a traveller goes on with a session. */
export const continueUrl = (id: string, site: string): string => `${site}/comprar/${id}`;

export const linksOf = (site: string) => [
  { type: 'faq', url: `${site}/docs/agents`, title: 'Como agentes compram aqui' },
];
