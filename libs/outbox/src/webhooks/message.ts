import { cursorOf } from '../places.js';
import type { PublicEvent } from '../outbox.js';
import type { Message } from './signing.js';
import type { Webhook } from './stored-webhook.js';

/** How long (bytes) the body of an event of MCP Events may be. */
const LONGEST = 256 * 1_024;

/**
 * The id of the message that tells an event, which is the event's: as Standard Webhooks 1.0.0 and the receivers that there are
 * have it, though the newest text of SEP-3415 numbers messages (docs/adr/0112).
 */
const messageIdOf = ({ id }: PublicEvent): string => id;

/** The head that says which subscription something is sent for. */
export const subscriptionHead = (id: string): Readonly<Record<string, string>> => ({ 'x-mcp-subscription-id': id });

/** What tells an endpoint of an event. `safe`: from which key on its receiver may go on. null: it is longer than a receiver takes. */
export const messageOf = ({ body }: Webhook, event: PublicEvent, safe: string): Message | null => {
  if (!body.subscription) return { id: messageIdOf(event), body: JSON.stringify(event) };
  const { id: eventId, type: name, timestamp, data } = event;
  const text = JSON.stringify({ eventId, name, timestamp, data, cursor: cursorOf(safe) });
  return Buffer.byteLength(text) > LONGEST ? null : { id: messageIdOf(event), body: text };
};
