import { type Clock, Unavailable } from '#kernel';
import type { Place } from '#outbox';
import type { RemotePosts } from '#remote';
import type { EventBodies } from './event-bodies.js';
import { signedHeaders, type SigningKey } from './signing.js';

export interface AttemptParts {
  readonly posts: RemotePosts;
  readonly bodies: EventBodies;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** Resolves when one more may be sent. */
  readonly turn: () => Promise<void>;
  /** Ends what is still under way a moment after all sending has: it counts as failed. */
  readonly cut: AbortSignal;
}

/** What became of a try; `status` null: nothing was answered; `isOurs`: it was never sent, for a reason of ours. */
export interface Outcome {
  readonly status: number | null;
  readonly retryAfter: number | null;
  readonly isOurs?: true;
}

const NO_ANSWER: Outcome = { status: null, retryAfter: null };

/** Whether whoever was sent something took it; null: nothing was answered. */
export const hasArrived = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** Sends an event once, signed by each key. @throws Unavailable where the log does not answer */
export const attempt = async (
  { bodies, posts, clock, turn, cut, onError }: AttemptParts,
  place: Place,
  url: string,
  keys: readonly SigningKey[],
): Promise<Outcome> => {
  try {
    const body = await bodies.of(place);
    await turn();
    const headers = signedHeaders({ id: place.id, body }, keys, clock.now());
    return await posts.post(url, { headers, body }, cut).catch(() => NO_ANSWER);
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    onError(error);
    return { ...NO_ANSWER, isOurs: true };
  }
};
