import type { CommandBus } from '@nestjs/cqrs';
import { OrderInTheWay, peopleIn } from '#booking';
import { type BaseUrls, BegunBefore, changed, type IdempotentOperation, type RequestContext } from '#http';
import { DomainError, type Party } from '#kernel';
import { type Mandates, mandateView, POLL_AFTER_SECONDS } from '#mandate';
import { type ChallengedOrder, isCharged, type PlacedOrder } from '../order.decider.js';
import {
  challengeUrl,
  type OrderStatus,
  orderUrl,
  type OrderView,
  orderView,
  type PlaceOrderDto,
} from '../order.dto.js';
import type { Orders } from '../orders/orders.js';
import type { OrderRequest } from './check-order.js';
import { ChallengeRequired, OrderOutcomeUnknown, PlaceOrder } from './place-order.js';

interface OrderDesk {
  readonly commands: Pick<CommandBus, 'execute'>;
  readonly orders: Pick<Orders, 'get' | 'ended' | 'toComplete' | 'beside' | 'locators'>;
  readonly mandates: Pick<Mandates, 'get'>;
}

/** How an order is placed, whichever channel its agent uses (docs/interface.md, endpoint 10). `more`: what only those within say. */
export const orderOperation = (
  { commands, orders, mandates }: OrderDesk,
  { bookingId, mandateId, buyer, payment, expectedTotal, acceptUpTo, metadata: given = {}, ...named }: PlaceOrderDto,
  { caller, context, urls }: RequestContext,
  more: Pick<OrderRequest, 'ap2' | 'shown'> = {},
): IdempotentOperation<OrderView> => {
  const metadata = changed({}, given);
  const people = peopleIn(named);
  const terms = { bookingId, mandateId, buyer, card: payment, expectedTotal, acceptUpTo };
  const request = { ...terms, metadata, people, ...more };
  const shown = async (order: PlacedOrder) => orderView(order, urls, await orders.beside(order, caller));
  const read = (orderId: string) => orders.get(orderId, caller.holder);
  /** A refusal until a traveller has decided on a mandate says where they do, unless they have meanwhile. */
  const withApproval = async (error: unknown): Promise<unknown> => {
    if (!(error instanceof DomainError && error.code === 'mandate_pending' && mandateId !== undefined)) return error;
    const { id, status, revocation, approval } = mandateView(await mandates.get(mandateId, caller.holder), urls);
    const members = approval && { mandate: { id, status, url: revocation.url }, approval };
    return new DomainError(error.code, error.details, { members, cause: error });
  };
  return {
    begin: async (id) => {
      try {
        const { people: kept, ...order } = await commands.execute(new PlaceOrder(id, caller, request, context));
        if (kept) return orderView(order, urls, { locators: orders.locators, metadata, people: kept });
        return await shown(order).catch((error: unknown) => {
          throw new OrderOutcomeUnknown(order.checkout.orderId, error);
        });
      } catch (error) {
        throw await withOrder(id, await withApproval(error), urls, read);
      }
    },
    outcomeOf: async (id) => {
      const order = await orders.ended(id, caller.holder, context);
      if (isCharged(order)) return shown(order);
      return order.kind === 'failed' ? new DomainError(order.failure) : null;
    },
    completes: () => orders.toComplete(caller, request),
  };
};

export const readOrder = async (
  orders: OrderDesk['orders'],
  id: string,
  caller: Party,
  urls: BaseUrls,
): Promise<OrderView> => {
  const order = await orders.get(id, caller.holder);
  return orderView(order, urls, await orders.beside(order, caller));
};

/** What refuses order `id`, where it is about one order: with the id, status and address of that one (docs/decisions.md, Order). */
const withOrder = async (
  id: string,
  error: unknown,
  urls: BaseUrls,
  read: (orderId: string) => Promise<PlacedOrder>,
): Promise<unknown> => {
  if (error instanceof ChallengeRequired) {
    const { orderId } = error.order.checkout;
    const members = { challenge: challengeOf(error.order, urls), order: linkTo(orderId, 'pending', urls) };
    return new DomainError(error.code, undefined, { members });
  }
  if (error instanceof OrderOutcomeUnknown) {
    const members = { order: linkTo(error.orderId, 'pending', urls) };
    return new DomainError('service_unavailable', undefined, { members, cause: error });
  }
  if (error instanceof OrderInTheWay) {
    const members = { order: linkTo(error.orderId, await statusOf(error.orderId, read), urls) };
    return new (error.orderId === id ? BegunBefore : DomainError)(error.code, undefined, { members, cause: error });
  }
  return error;
};

const linkTo = (id: string, status: OrderStatus, urls: BaseUrls) => ({ id, status, url: orderUrl(id, urls) });

/** An order whose checkout is open and that is not placed yet is pending. */
const statusOf = async (orderId: string, read: (orderId: string) => Promise<PlacedOrder>): Promise<OrderStatus> => {
  try {
    return (await read(orderId)).kind;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'order_not_found') return 'pending';
    throw error;
  }
};

const challengeOf = ({ checkout: { orderId }, challenge: { expiresAt } }: ChallengedOrder, urls: BaseUrls) => ({
  id: orderId,
  url: challengeUrl(orderId, urls),
  expiresAt,
  pollAfterSeconds: POLL_AFTER_SECONDS,
});
