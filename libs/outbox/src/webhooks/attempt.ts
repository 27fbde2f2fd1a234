import { createHash } from 'node:crypto';
import { type Clock, Unavailable } from '#kernel';
import type { Place } from '../places.js';
import type { RemotePosts } from '#remote';
import { messageOf, type SentEvents, subscriptionHead } from './message.js';
import { signedHeaders, type SigningKey } from './signing.js';
import type { PlatformPosts } from './platform-endpoints.js';
import type { Webhook } from './stored-webhook.js';

export interface AttemptParts {
  readonly posts: RemotePosts;
  readonly events: SentEvents;
  /** Absent, or null: nothing is sent to platforms here. */
  readonly platformPosts?: PlatformPosts | null;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** Resolves when one more may be sent. */
  readonly turn: () => Promise<void>;
  /** Ends what is still under way a moment after all sending has: it counts as failed. */
  readonly cut: AbortSignal;
}

/** To whom an event is sent. */
export interface Addressee {
  readonly webhook: Webhook;
  readonly keys: readonly SigningKey[];
}

/** What became of a try; `status` null: nothing was answered; `isOurs`: it was never sent, for a reason of ours. */
export interface Outcome {
  readonly status: number | null;
  readonly retryAfter: number | null;
  readonly isOurs?: true;
  /** Nobody is to receive it: it was not sent, and never will be. */
  readonly isNothing?: true;
}

const NO_ANSWER: Outcome = { status: null, retryAfter: null };
/** What a receiver of MCP Events may answer to what is too long, which is then not sent again. */
export const TOO_LONG = 413;

/** Whether the receiver took a message; null: nothing was answered. */
export const hasArrived = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** Sends an event once, signed by each key. `safe`: from which key on its receiver may go on. @throws Unavailable where the log does not answer */
export const attempt = async (
  parts: AttemptParts,
  place: Place,
  { webhook, keys }: Addressee,
  safe: string,
): Promise<Outcome> => {
  const { events, posts, clock, turn, cut, onError } = parts;
  try {
    if (webhook.body.isPlatform) return await postToPlatform(parts, place, webhook.body.url);
    const message = messageOf(webhook, await events.at(place), safe);
    if (!message) return { ...NO_ANSWER, status: TOO_LONG };
    await turn();
    const more = webhook.body.subscription && subscriptionHead(webhook.id);
    const headers = { ...signedHeaders(message, keys, clock.now()), ...more };
    return await posts.post(webhook.body.url, { headers, body: message.body }, cut).catch(() => NO_ANSWER);
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    onError(error);
    return { ...NO_ANSWER, isOurs: true };
  }
};

/** Sends a platform its messages about an event, one after the other, up to the first that does not arrive. */
const postToPlatform = async (
  { platformPosts, posts, turn, cut }: AttemptParts,
  place: Place,
  profile: string,
): Promise<Outcome> => {
  const messages = await platformPosts?.(profile, place);
  if (!messages) return NO_ANSWER;
  let outcome: Outcome = { ...NO_ANSWER, isNothing: true };
  for (const { url, ...message } of messages) {
    await turn();
    outcome = await posts.post(url, message, cut).catch(() => NO_ANSWER);
    if (!hasArrived(outcome.status)) break;
  }
  return outcome;
};

/** Between 0 and 1, and always the same for a try. */
export const jitterOf = (name: string): number => createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;
