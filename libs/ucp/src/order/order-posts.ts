import type { Travellers } from '#booking';
import type { Locators } from '#checkout';
import type { Aggregates } from '#event-store';
import { idOf } from '#events';
import type { BaseUrls } from '#http';
import { millisecondsOf } from '#kernel';
import { isCharged, orders } from '#order/pure';
import type { Place, PlatformPosts, PostTo } from '#outbox';
import { offeredBy } from '../capabilities.js';
import { derivedId } from '../ids.js';
import { inCommon } from '../platform/negotiation.rule.js';
import type { Platforms } from '../platform/platforms.js';
import type { MessageSigner } from '../signing/message-signer.js';
import { UcpError } from '../ucp-error.js';
import type { UcpSettings } from '../ucp-settings.js';
import { shownOrder } from './ucp-orders.js';

/** How old (ms) a profile may be to take the address of messages from it. */
const AGE = 60_000;

interface OrderPostsParts {
  readonly platforms: Pick<Platforms, 'at'>;
  readonly signer: Pick<MessageSigner, 'ofPost'>;
  readonly aggregates: Aggregates;
  readonly locators: Locators;
  readonly travellers: Travellers;
  readonly settings: UcpSettings;
  readonly urls: BaseUrls;
}

/** Sends platforms their orders: each as it is now, whole, to the address that the profile names (UCP, Order, Events). */
export const orderPosts = ({ platforms, signer, settings, urls, ...parts }: OrderPostsParts): PlatformPosts => {
  const ours = offeredBy(settings);
  const agent = `profile="${urls.site}/.well-known/ucp"`;
  return async (profile, place) => {
    const found = await platforms.at(profile, AGE).catch((error: unknown) => {
      if (error instanceof UcpError) return null;
      throw error;
    });
    if (!found) return null;
    const { webhookUrl: url, capabilities } = found.platform;
    if (url === null) return [];
    const active = new Set(inCommon(ours, capabilities).keys());
    const posts: PostTo[] = [];
    for (const orderId of place.orderIds ?? [idOf(place.stream)]) {
      const order = await shown(parts, orderId, place, { active, urls });
      if (order === null) continue;
      const [id, body] = [idFor(place, orderId), JSON.stringify(order)];
      const head = { 'ucp-agent': agent, 'webhook-id': id, 'webhook-timestamp': secondsOf(place) };
      posts.push({ url, body, headers: await signer.ofPost(url, body, { ...head, 'idempotency-key': id }) });
    }
    return posts;
  };
};

const shown = async (
  { aggregates, locators, travellers }: Pick<OrderPostsParts, 'aggregates' | 'locators' | 'travellers'>,
  orderId: string,
  { holder, clientId }: Place,
  asking: Parameters<typeof shownOrder>[3],
): Promise<object | null> => {
  const { state: order } = await aggregates.load(orders, orderId);
  if (!isCharged(order)) return null;
  const people = await travellers.of({ id: orderId, named: order.checkout.named }, { holder, clientId });
  return shownOrder(aggregates, order, { locator: locators.of(order.ticketCode), people }, asking);
};

const secondsOf = ({ at }: Place): string => String(Math.floor(millisecondsOf(at) / 1_000));

/** What is sent of an order for an event always has the same id. */
const idFor = ({ id }: Place, orderId: string): string => derivedId(`${id} ${orderId}`);
