import type { Config } from '#config';
import { Endpoints, type Webhook, WEBHOOKS } from '#outbox';
import type { Ports } from '../ports.js';

/** @throws Error for the operator: there is none of this id */
export const webhookNamed = async (endpoints: Endpoints, id: string): Promise<Webhook> => {
  const webhook = await endpoints.stored.get(id);
  if (!webhook) throw new Error(`there is no webhook ${id}: \`alcada webhooks list\` shows them`);
  return webhook;
};

interface Stores {
  readonly config: Config;
  readonly ports: Ports;
}

/** Lets nothing be sent to an endpoint, or all that it missed. @throws Error for the operator: there is none, or it ends */
export const pauseWebhook = async (
  { config, ports: { documents, clock } }: Stores,
  id: string,
  isPaused: boolean,
): Promise<Webhook> => {
  await documents.prepare(WEBHOOKS);
  const endpoints = new Endpoints(documents, config.keyEncryptionKeys);
  const before = await webhookNamed(endpoints, id);
  if (before.body.isEnding) throw new Error(`${id} ends already: its agent was revoked`);
  const changedAt = clock.now();
  await endpoints.stored.update(id, (one) => {
    if (!one) return null;
    const { disabled: _, failingSince: __, ...body } = one;
    return { ...body, changedAt, turn: body.turn + 1, ...(isPaused && { disabled: 'operator' }) };
  });
  return webhookNamed(endpoints, id);
};
