import { Injectable } from '@nestjs/common';
import { ReadModelStore } from '#documents';
import type { ErrorCode, Instant, Money } from '#kernel';
import { type MonthOfHolder, type OrderListItem, ordersProjection } from '#order';
import { inOrder, type Projection, ReadModels } from '#read-models';
import { type Happening, happeningsProjection } from '../../happenings.projection.js';
import { type Filters, periodOf } from './filters.js';

/** A charge that was made or refused. */
export interface Movement {
  readonly at: Instant;
  readonly kind: 'paid' | 'cancelled' | 'failed' | 'refused';
  readonly amount: Money;
  /** What came back; null: nothing. */
  readonly refund: Money | null;
  readonly reason: ErrorCode | null;
  /** null: it was refused before an order began. */
  readonly orderId: string | null;
  readonly mandateId: string;
  /** The number of the mandate's event that refused it; null: the order has it. */
  readonly step: number | null;
  readonly holder: string | null;
  readonly clientId: string | null;
  readonly flight: { readonly number: string; readonly from: string; readonly to: string } | null;
  readonly departs: string | null;
  readonly card: { readonly brand: string; readonly last4: string } | null;
}

export interface MovementsPage {
  readonly items: readonly Movement[];
  /** Instant before which the next page begins; null: this is the last. */
  readonly next: Instant | null;
  /** How many were looked at, to find those that are asked for. */
  readonly looked: number;
}

const SHOWN = 20;
/** So many are looked at for a page: filters have no index, so a rare one is found in steps. */
export const LOOKED_AT = 5_000;
const END_OF_TIME: Instant = '9999-12-31T23:59:59.999Z';

/** The newest charges and refusals of everybody: orders and what mandates refused, by their time. */
@Injectable()
export class Movements {
  constructor(
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
  ) {}

  /** The newest before an instant; all of one instant are on one page. */
  async page(filters: Filters, before: Instant = END_OF_TIME, limit = SHOWN): Promise<MovementsPage> {
    const items: Movement[] = [];
    let looked = 0;
    let last: Instant | null = null;
    for await (const one of this.within(filters.day, before)) {
      if (last !== null && one.at < last && (items.length >= limit || looked >= LOOKED_AT))
        return { items, next: last, looked };
      last = one.at;
      looked += 1;
      if (isAsked(one, filters)) items.push(one);
    }
    return { items, next: null, looked };
  }

  /** Everything that is asked for, the newest first, however much that is. */
  async *all(filters: Filters): AsyncGenerator<Movement> {
    for await (const one of this.within(filters.day, END_OF_TIME)) if (isAsked(one, filters)) yield one;
  }

  private within(day: string | undefined, before: Instant): AsyncGenerator<Movement> {
    const { from, to = before } = periodOf(day);
    const period = { ...(from !== undefined && { atLeast: from }), below: to < before ? to : before };
    const orders = this.read(ordersProjection, 'placedAt', period, movementOfOrder);
    return merged(orders, this.read(happeningsProjection, 'refusedAt', period, movementOfRefusal));
  }

  private async *read<Body extends object>(
    projection: Projection<Body>,
    field: 'placedAt' | 'refusedAt',
    period: { readonly atLeast?: Instant; readonly below: Instant },
    movementOf: (body: Body) => Movement | null,
  ): AsyncGenerator<Movement> {
    const collection = await this.readModels.upToDate(projection);
    for await (const { body } of inOrder<Body>(this.store, collection, { field, ...period }, 'descending')) {
      const movement = movementOf(body);
      if (movement) yield movement;
    }
  }
}

/** Two lists, each the newest first, as one. */
async function* merged(one: AsyncGenerator<Movement>, other: AsyncGenerator<Movement>): AsyncGenerator<Movement> {
  let [first, second] = await Promise.all([one.next(), other.next()]);
  while (!first.done || !second.done) {
    const isFirst = !first.done && (second.done || first.value.at >= second.value.at);
    if (isFirst && !first.done) {
      yield first.value;
      first = await one.next();
    } else if (!second.done) {
      yield second.value;
      second = await other.next();
    }
  }
}

const isAsked = (one: Movement, filters: Filters): boolean => {
  const { kind, agent, reason, amount, last4, flight, departs } = filters;
  const isCharge = one.kind === 'paid' || one.kind === 'cancelled';
  return (
    (kind === undefined || (kind === 'cobrancas') === isCharge) &&
    (agent === undefined || one.clientId === agent) &&
    (reason === undefined || one.reason === reason) &&
    (amount === undefined || one.amount.amount === amount || one.refund?.amount === amount) &&
    (last4 === undefined || one.card?.last4 === last4) &&
    (flight === undefined || one.flight?.number === flight) &&
    (departs === undefined || one.departs === departs)
  );
};

/** null: it is under way, and nothing yet. */
const movementOfOrder = (order: OrderListItem | MonthOfHolder): Movement | null => {
  if (order.kind === 'pending' || order.kind === 'month') return null;
  const { orderId, mandateId, clientId, holder, line, total } = order.checkout;
  const isCharged = order.kind !== 'failed';
  return {
    at: order.placedAt,
    kind: order.kind,
    amount: isCharged ? order.payment.amount : total,
    refund: order.kind === 'cancelled' ? order.cancellation.refund : null,
    reason: order.kind === 'failed' ? order.failure : null,
    ...{ orderId, mandateId, step: null, holder, clientId },
    flight: { number: line.flightNumber, from: line.from, to: line.to },
    departs: line.departureDate,
    card: isCharged ? order.payment : order.challenge,
  };
};

const movementOfRefusal = ({ refused, subject, revision, holder, clientId }: Happening): Movement | null => {
  if (!refused) return null;
  const { refusedAt, amount, reason, flightNumber: number, from, to } = refused;
  return {
    at: refusedAt,
    kind: 'refused',
    ...{ amount, refund: null, reason, orderId: null, mandateId: subject, step: revision + 1, holder, clientId },
    flight: number !== undefined && from !== undefined && to !== undefined ? { number, from, to } : null,
    ...{ departs: null, card: null },
  };
};
