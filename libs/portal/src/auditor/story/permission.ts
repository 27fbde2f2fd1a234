import { CHARGE_SCOPES, covers, type Instant, PAYMENT_SCOPES } from '#kernel';
import type { StoredEvent } from '#event-store';
import { type Checkout, type Constraints, orderEvents, UnreadableEvent } from '#events';
import { forbiddenBy, type GrantedMandate, isOrderedOut, mandates, remainingOf, statusOf } from '#mandate';
import { constraintWords } from '#oauth';
import { moneyText, shortInstantText } from '#site';
import { cardText } from '../../page-parts.js';
import { stepPath } from '../layout/return-targets.js';
import { reasonText, STATUS_WORDS } from '../replay/step-words.js';

/** The mandate as it stood when it was asked for an order's money, and the numbers of the events that made it so. */
export interface Moment {
  readonly checkout: Checkout;
  readonly mandate: GrantedMandate;
  readonly at: Instant;
  /** The event that decided; that granted it; that last changed whether and until when it is valid. The first is 1. */
  readonly decided: number;
  readonly granted: number;
  readonly changed: number;
}

/** A condition of a purchase: whether it held at its moment, why, and where the event is that says so. */
export interface Condition {
  readonly name: string;
  readonly holds: boolean;
  readonly text: string;
  readonly path: string;
}

const CHANGES: readonly string[] = [
  'MandateCreated',
  'MandateNarrowed',
  'MandatePaused',
  'MandateResumed',
  'MandateRevoked',
  'MandateExpired',
];

/** The checkout that an order froze; null: its events do not say so in a form that there is. */
export const checkoutIn = (events: readonly StoredEvent[]): Checkout | null =>
  orderEvents.OrderPlaced.safeParse(events.find(({ type }) => type === 'OrderPlaced')?.data).data ?? null;

/** Folds a mandate up to where it decided about an order, by the domain's own rules; null: it never did, or cannot be read. */
export const momentOf = async (checkout: Checkout, stream: AsyncIterable<StoredEvent>): Promise<Moment | null> => {
  let mandate = mandates.decider.initialState();
  let [granted, changed] = [1, 1];
  try {
    for await (const stored of stream) {
      const event = mandates.decode(stored);
      const number = stored.revision + 1;
      if (mandate.kind === 'granted' && 'orderId' in event.data && event.data.orderId === checkout.orderId)
        return { checkout, mandate, at: stored.metadata.occurredAt, decided: number, granted, changed };
      mandate = mandates.decider.evolve(mandate, event);
      if (event.type === 'MandateCreated') granted = number;
      if (CHANGES.includes(event.type)) changed = number;
    }
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error;
  }
  return null;
};

/** What the mandate had to allow, one condition after the other. */
export const mandateConditions = (moment: Moment): readonly Condition[] => {
  const { checkout, mandate, at, decided, granted, changed } = moment;
  const { holder, clientId, total, ap2 } = checkout;
  const path = (number: number) => stepPath(mandate.mandateId, number);
  const status = statusOf(mandate, at);
  const free = remainingOf(mandate);
  return [
    {
      name: 'Mandato em vigor',
      holds: status === 'valid' || status === 'exhausted',
      text: `${STATUS_WORDS[status === 'pending' ? 'requested' : status]} naquele momento; vale de ${shortInstantText(mandate.startsAt)} até ${shortInstantText(mandate.expiresAt)}`,
      path: path(changed),
    },
    {
      name: 'Disponível antes',
      holds: total.currency === free.currency && total.amount <= free.amount,
      text: `${moneyText(total)} pedidos; ${moneyText(free)} disponíveis, de um teto de ${moneyText(mandate.limit)}`,
      path: path(decided),
    },
    ...constraintConditions(moment).map((one) => ({ ...one, path: path(granted) })),
    {
      name: 'Agente',
      holds: mandate.holder === holder && mandate.clientId === clientId,
      text: 'o mandato é deste agente e deste viajante',
      path: path(granted),
    },
    {
      name: 'Escopo',
      holds: covers(mandate.scope, ap2 ? PAYMENT_SCOPES : CHARGE_SCOPES),
      text: ap2
        ? 'o mandato permite cobrar; o pedido foi autorizado por mandatos AP2'
        : 'o mandato permite fazer pedidos e cobrar',
      path: path(granted),
    },
    {
      name: 'Concessão',
      holds: !mandate.pending,
      text:
        mandate.grantedBy === 'traveller'
          ? 'o próprio viajante concedeu o mandato'
          : 'o agente o abriu, dentro do que o viajante permite a ele',
      path: path(granted),
    },
  ];
};

/** The name of each constraint, and what this purchase had: a new constraint needs a line here. */
const CONSTRAINTS: Readonly<
  Record<keyof Constraints, readonly [name: string, purchase: (checkout: Checkout, order: number) => string]>
> = {
  from: ['Origem', ({ line }) => `este sai de ${line.from}`],
  to: ['Destino', ({ line }) => `este chega a ${line.to}`],
  maxPricePerSeat: ['Preço por assento', ({ line }) => `este custa ${moneyText(line.unitPrice)}`],
  maxOrders: ['Número de pedidos', (_, order) => `este era o ${order}º`],
  orderTotal: ['Total do pedido', ({ total }) => `este custa ${moneyText(total)}`],
};

/** Each constraint by itself, beside what this purchase was. */
const constraintConditions = ({ checkout, mandate }: Moment): readonly Omit<Condition, 'path'>[] => {
  const order = mandate.paidOrders + mandate.reservations.length + 1;
  const asked = Object.entries(CONSTRAINTS).flatMap(([key, [name, purchase]]) => {
    // The keys are those of the constraints: the table has no other.
    const limit = mandate.constraints[key as keyof Constraints];
    if (limit === undefined) return [];
    const alone = { ...mandate, constraints: { [key]: limit } };
    const holds = forbiddenBy(alone, checkout.line, checkout.total) === null && !isOrderedOut(alone);
    return [{ name, holds, text: `${constraintWords(alone.constraints).join('')}; ${purchase(checkout, order)}` }];
  });
  const none = { name: 'Condições', holds: true, text: 'nenhuma além do teto e do prazo' };
  return asked.length === 0 ? [none] : asked;
};

/** What the traveller said where the card asked for it, and how the charge came out. */
export const orderConditions = (events: readonly StoredEvent[]): readonly Condition[] => {
  const of = (name: keyof typeof orderEvents) => {
    const event = events.find(({ type }) => type === name);
    return event && { path: `#evento-${event.revision + 1}`, at: event.metadata.occurredAt, data: event.data };
  };
  const [asked, approved, declined] = [of('PaymentChallenged'), of('PaymentApproved'), of('PaymentDeclined')];
  const [paid, failed] = [of('OrderPaid'), of('OrderFailed')];
  const end = paid ?? failed;
  const said = approved ?? declined ?? asked ?? end;
  if (!said || (asked && said === asked && !end)) return [];
  const words = approved
    ? `o viajante aprovou em ${shortInstantText(approved.at)}`
    : declined
      ? `o viajante recusou em ${shortInstantText(declined.at)}`
      : asked && 'pedida ao viajante, e a resposta não está no pedido';
  const challenge = { name: 'Confirmação', text: words ?? 'o cartão não a pediu', path: said.path };
  const payment = orderEvents.OrderPaid.safeParse(paid?.data).data?.payment;
  const reason = orderEvents.OrderFailed.safeParse(failed?.data).data?.failure;
  return [
    { ...challenge, holds: asked === undefined || approved !== undefined || (!declined && paid !== undefined) },
    ...(payment && paid ? [{ name: 'Cobrança', holds: true, text: `feita com ${cardText(payment)}`, ...paid }] : []),
    ...(reason && failed
      ? [{ name: 'Cobrança', holds: false, text: `nada foi cobrado. ${reasonText(reason)}`, ...failed }]
      : []),
  ].map(({ name, holds, text, path }) => ({ name, holds, text, path }));
};
