import type { Aggregates } from '#event-store';
import type { BaseUrls } from '#http';
import { DomainError } from '#kernel';
import { orderUrl } from './order.view.js';
import { orders } from './order.decider.js';

/** Does `work`; where a booking is refused because of another order, its owner learns which (docs/decisions.md, Order). */
export const withOrderLink = async <Result>(
  aggregates: Aggregates,
  urls: BaseUrls,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    const orderId = error instanceof DomainError ? orderIdOf(error) : null;
    if (!(error instanceof DomainError) || orderId === null) throw error;
    const { state } = await aggregates.load(orders, orderId);
    const status = state.kind === 'none' ? 'pending' : state.kind;
    const order = { id: orderId, status, url: orderUrl(orderId, urls) };
    throw new DomainError(error.code, undefined, { members: { order } });
  }
};

const orderIdOf = ({ details }: DomainError): string | null =>
  details && 'orderId' in details && typeof details.orderId === 'string' ? details.orderId : null;

/** Does `work` on an order; where its outcome cannot be known now, the 503 names the order (docs/consistency.md, rule 7). */
export const namingOrder = async <Result>(
  orderId: string,
  urls: BaseUrls,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && error.code !== 'service_unavailable') throw error;
    throw outcomeUnknown(orderId, urls, error);
  }
};

/** 503: the order may have been made and may be paid; its agent can look it up. */
export const outcomeUnknown = (orderId: string, urls: BaseUrls, cause: unknown): DomainError => {
  const order = { id: orderId, status: 'pending', url: orderUrl(orderId, urls) };
  return new DomainError('service_unavailable', undefined, { members: { order }, cause });
};
