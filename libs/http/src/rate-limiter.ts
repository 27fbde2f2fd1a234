import { isIP } from 'node:net';
import { type Clock, DomainError, instantOf, millisecondsOf } from '#kernel';
import { LRUCache } from 'lru-cache';

/** How often something may happen in a minute, for one address; 0 = unbounded (docs/decisions.md, Limits). */
export interface RateLimits {
  /** Reads that need no token, calls of tools, and whatever the router refuses. */
  readonly publicReads: number;
  /** Operations that need a token, whether a good one is sent or not. */
  readonly operations: number;
  /** Forms that are sent: logins, consents, decisions, changes of an account. */
  readonly formPosts: number;
  /** Authorizations that are begun. Each is stored, though nobody has logged in. */
  readonly authorizations: number;
  /** Clients that register themselves. Each is stored, though nobody has let it in. */
  readonly registrations: number;
  /** Requests of the token endpoint and its siblings. */
  readonly tokenRequests: number;
  /** Wrong client credentials, for one client. */
  readonly clientFailures: number;
  /** Passwords tried, whatever the account. */
  readonly logIns: number;
}
export type RateName = keyof RateLimits;

const MINUTE = 60_000;
/** Keys remembered of each rate, about 4 MB: whatever addresses callers invent, the longest silent is forgotten. */
const KEYS = 20_000;

/** How much of a limit is left for one key. */
export interface Quota {
  /** The limit as answers name it, such as `public-reads`. */
  readonly name: string;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until all of it is there again, rounded up. */
  readonly seconds: number;
}

/** A minute that began with the first count. Times are in milliseconds: writing dates takes longer than counting. */
interface Minute {
  readonly endsAt: number;
  count: number;
}

/** A limit, and the minutes that run under it. */
interface Rate {
  readonly name: string;
  readonly limit: number;
  readonly minutes: LRUCache<string, Minute>;
}

/**
 * Counts what may happen only so often. In memory, for this process alone: it bounds load, and forgetting it at a
 * restart or having it once a process does no harm.
 */
export class RateLimiter {
  private readonly rates = new Map<RateName, Rate>();
  private latest = { instant: '', milliseconds: 0 };

  constructor(
    private readonly clock: Clock,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Counts one more under `key`, which weighs as much as `weight` of the lightest; null is never limited. What is heavier
   * than what is left passes all the same, and leaves nothing. `tell`: is told what is left, also where it is refused.
   *
   * @throws DomainError `rate_limited` where nothing is left
   */
  take(name: RateName, key: string | null, weight = 1, tell?: (quota: Quota) => void): void {
    const running = this.running(name, key);
    if (!running) return;
    const { rate, minute, now } = running;
    const isRefused = minute.count >= rate.limit;
    if (!isRefused) minute.count += weight;
    tell?.(leftOf(rate, minute, now));
    if (isRefused) throw refusal(rate, minute, now);
  }

  /** @throws DomainError `rate_limited` where nothing is left, with the limit's name and end */
  check(name: RateName, key: string | null): void {
    const running = this.running(name, key);
    if (running && running.minute.count >= running.rate.limit) throw refusal(running.rate, running.minute, running.now);
  }

  /** Seconds until one more is not too many. */
  wait(name: RateName, key: string | null): number {
    const running = this.running(name, key);
    if (!running || running.minute.count < running.rate.limit) return 0;
    return leftOf(running.rate, running.minute, running.now).seconds;
  }

  count(name: RateName, key: string | null, weight = 1): void {
    const running = this.running(name, key);
    if (running) running.minute.count += weight;
  }

  /** The minute that runs for a key; null where it is not limited. */
  private running(name: RateName, key: string | null) {
    if (key === null || this.limits[name] === 0) return null;
    const rate = this.rateOf(name);
    const now = this.now();
    const known = rate.minutes.get(key);
    if (known && known.endsAt > now) return { rate, minute: known, now };
    const minute = { endsAt: now + MINUTE, count: 0 };
    rate.minutes.set(key, minute);
    return { rate, minute, now };
  }

  /** The clock's time in milliseconds. Many requests come in one of them, and reading an instant takes longer than the rest. */
  private now(): number {
    const instant = this.clock.now();
    if (instant !== this.latest.instant) this.latest = { instant, milliseconds: millisecondsOf(instant) };
    return this.latest.milliseconds;
  }

  private rateOf(name: RateName): Rate {
    const known = this.rates.get(name);
    if (known) return known;
    const rate = { name: shown(name), limit: this.limits[name], minutes: new LRUCache<string, Minute>({ max: KEYS }) };
    this.rates.set(name, rate);
    return rate;
  }
}

const leftOf = ({ name, limit }: Rate, { count, endsAt }: Minute, now: number): Quota => ({
  name,
  limit,
  remaining: Math.max(0, limit - count),
  seconds: Math.ceil((endsAt - now) / 1_000),
});

const refusal = (rate: Rate, minute: Minute, now: number): DomainError => {
  const { name: limit, seconds: retryAfter } = leftOf(rate, minute, now);
  return new DomainError('rate_limited', { limit, endsAt: instantOf(minute.endsAt) }, { retryAfter });
};

const shown = (name: RateName): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1)$/;

/** Where a request comes from: `ip` as the trusted proxies tell, the socket's other end as it is. */
interface Origin {
  readonly ip: string;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * The address a request counts under where something is limited by address; null: under none.
 *
 * An IPv6 address counts as its /64, since whoever has one has all of them. A loopback address counts as nobody's where
 * no proxy is trusted: everyone behind a proxy on this machine would share it, and each could lock out the others
 * (docs/decisions.md, Limits).
 */
export const rateLimitKey = ({ ip, socket }: Origin, isProxyTrusted: boolean): string | null => {
  // What a trusted proxy says is no address at all counts as the proxy's own.
  const told = isIP(ip) ? ip : (socket.remoteAddress ?? '');
  const address = MAPPED.exec(told)?.[1] ?? told;
  if (!isIP(address) || (!isProxyTrusted && LOOPBACK.test(address))) return null;
  return isIP(address) === 4 ? address : networkOf(address);
};

/** The /64 an IPv6 address lies in, in one spelling. */
const networkOf = (address: string): string => {
  const [withoutZone = ''] = address.split('%', 1);
  const { hostname } = new URL(`http://[${withoutZone}]`);
  const [left = [], right = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter(Boolean));
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
};
