import type { IncomingMessage } from 'node:http';
import { type Clock, millisecondsOf, within } from '#kernel';
import { objectOf } from './guarded-get.js';
import { type Guard, guardedRequest, isAskable } from './guarded-request.js';
import { DocumentUnread } from './remote-documents.port.js';
import { type Posted, type PostedMessage, RemotePosts } from './remote-posts.port.js';

/** How long (ms) all of a message may take, with its name's resolution: as Standard Webhooks recommends, and for a first look. */
const [TIME, TIME_TO_ASK] = [15_000, 5_000];
const LONGEST_URL = 2_000;

/** Sends each message on a connection of its own, which ends with the head of the answer. */
export class GuardedPosts extends RemotePosts {
  constructor(
    private readonly clock: Clock,
    private readonly guard: Guard,
  ) {
    super();
  }

  takes(url: string): boolean {
    return url.length <= LONGEST_URL && URL.canParse(url) && isAskable(new URL(url), this.guard.allowsLoopback);
  }

  post(url: string, message: PostedMessage, signal?: AbortSignal): Promise<Posted> {
    const read = ({ statusCode = 0, headers }: IncomingMessage): Posted => ({
      status: statusCode,
      retryAfter: secondsIn(headers['retry-after'], millisecondsOf(this.clock.now())),
    });
    return this.send(url, message, TIME, read, signal);
  }

  ask(url: string, message: PostedMessage): Promise<Readonly<Record<string, unknown>>> {
    const read = (response: IncomingMessage) => {
      if (Math.trunc((response.statusCode ?? 0) / 100) !== 2) throw new DocumentUnread('status_not_200');
      return objectOf(response);
    };
    return this.send(url, message, TIME_TO_ASK, read);
  }

  private async send<Read>(
    url: string,
    { headers, body }: PostedMessage,
    time: number,
    read: (response: IncomingMessage) => Read | Promise<Read>,
    signal?: AbortSignal,
  ): Promise<Read> {
    if (!this.takes(url)) throw new DocumentUnread('address_flawed');
    const abort = new AbortController();
    // AbortSignal.any would leave something with a signal that lives as long as the process, for each message.
    const end = () => abort.abort();
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end);
    const length = String(Buffer.byteLength(body));
    const sent = { headers: { ...headers, 'content-type': 'application/json', 'content-length': length }, body };
    const tooSlow = () => {
      abort.abort();
      throw new DocumentUnread('too_slow');
    };
    try {
      const answer = guardedRequest(new URL(url), sent, this.guard, abort.signal, read);
      return await within(this.clock, time, answer, tooSlow);
    } finally {
      signal?.removeEventListener('abort', end);
    }
  }
}

/** A `Retry-After` in seconds from now (RFC 9110 §10.2.3). */
const secondsIn = (text: string | undefined, now: number): number | null => {
  if (text === undefined) return null;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1_000);
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
};
