import type { Aggregates } from '#event-store';
import { orderStream } from '#events';
import type { Links } from '#http';
import { Refusal } from '#kernel';
import { orderDecider } from './order.decider.js';
import { orderUrl } from './order.view.js';

/** Does `work`; where a booking is refused because of another order, its owner learns which (design.md §5, Order). */
export const withOrderLink = async <Result>(
  aggregates: Aggregates,
  links: Links,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    const orderId = error instanceof Refusal ? orderIdOf(error) : null;
    if (!(error instanceof Refusal) || orderId === null) throw error;
    const { state } = await aggregates.load(orderStream(orderId), orderDecider);
    const status = state.kind === 'none' ? 'pending' : state.kind;
    const order = { id: orderId, status, url: orderUrl(orderId, links) };
    throw new Refusal(error.code, undefined, { members: { order } });
  }
};

const orderIdOf = ({ details }: Refusal): string | null =>
  details && 'orderId' in details && typeof details.orderId === 'string' ? details.orderId : null;

/** Does `work` on an order; where its outcome cannot be known now, the 503 names the order (consistency.md, rule 7). */
export const namingOrder = async <Result>(
  orderId: string,
  links: Links,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'service_unavailable') throw error;
    throw outcomeUnknown(orderId, links, error);
  }
};

/** 503: the order may have been made and may be paid; its agent can look it up. */
export const outcomeUnknown = (orderId: string, links: Links, cause: unknown): Refusal => {
  const order = { id: orderId, status: 'pending', url: orderUrl(orderId, links) };
  return new Refusal('service_unavailable', undefined, { members: { order }, cause });
};
