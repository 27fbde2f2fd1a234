import { isIP } from 'node:net';
import { type Clock, DomainError, instantOf, millisecondsOf, upTo } from '#kernel';
import { LRUCache } from 'lru-cache';

/** How often something may happen in a minute, for one address that keeps on; 0 = unbounded (docs/decisions.md, Limits). */
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
  readonly tokenRequests: number;
  /** Purchases that a visitor watches in a test environment. Each is a real one. */
  readonly demonstrations: number;
  /** Wrong client credentials, for one client. */
  readonly clientFailures: number;
  readonly logIns: number;
}
export type RateName = keyof RateLimits;

const MINUTE = 60_000;
/** Keys remembered of each rate, about 4 MB: whatever addresses callers invent, the longest silent is forgotten. */
const KEYS = 20_000;
/** How long (ms) a bucket takes to fill: of a high limit five seconds, of a lower one as long as sixty take. */
const [SHORTEST, ENOUGH] = [5_000, 60];

/** What sums of fractions may be off by. */
const ROUNDING = 1e-6;

export interface Quota {
  /** The limit as answers name it, such as `public-reads`. */
  readonly name: string;
  /** What may be taken at once, and in how many seconds as much is there again. */
  readonly burst: number;
  readonly window: number;
  readonly remaining: number;
  /** Seconds until all of it is there again, rounded up. */
  readonly seconds: number;
}

/** What a key has taken, by when all of it is there again (ms). Writing dates takes longer than counting. */
interface Bucket {
  fullAt: number;
}

/** A limit, and the buckets under it. Times are in milliseconds. */
interface Rate {
  readonly name: string;
  /** How long an empty bucket takes to fill, and how long to get one more. */
  readonly window: number;
  readonly interval: number;
  readonly buckets: LRUCache<string, Bucket>;
}

interface Filling {
  readonly rate: Rate;
  readonly bucket: Bucket;
  readonly now: number;
}

/** A bucket per key that fills at the pace of its limit. In memory: it bounds load, so each process may have its own. */
export class RateLimiter {
  private readonly rates = new Map<RateName, Rate>();
  private latest = { instant: '', milliseconds: 0 };

  constructor(
    private readonly clock: Clock,
    private readonly limits: RateLimits,
  ) {}

  /** Takes `weight` from a bucket, if need be as a debt; null is unlimited. @throws DomainError `rate_limited`: empty */
  take(name: RateName, key: string | null, weight = 1, onQuota?: (quota: Quota) => void): void {
    const filling = this.filling(name, key);
    if (!filling) return;
    const isRefused = isEmpty(filling);
    if (!isRefused) draw(filling, weight);
    onQuota?.(quotaOf(filling));
    if (isRefused) throw refusal(filling);
  }

  /** @throws DomainError `rate_limited` where nothing is left, with the limit's name and end */
  check(name: RateName, key: string | null): void {
    const filling = this.filling(name, key);
    if (filling && isEmpty(filling)) throw refusal(filling);
  }

  /** Seconds until one more is not too many. */
  wait(name: RateName, key: string | null): number {
    const filling = this.filling(name, key);
    return filling && isEmpty(filling) ? Math.ceil(untilOne(filling) / 1_000) : 0;
  }

  /** Takes `weight` though there may be too little, as a debt; null is unlimited. */
  count(name: RateName, key: string | null, weight = 1, onQuota?: (quota: Quota) => void): void {
    const filling = this.filling(name, key);
    if (!filling) return;
    draw(filling, weight);
    onQuota?.(quotaOf(filling));
  }

  private filling(name: RateName, key: string | null): Filling | null {
    if (key === null || this.limits[name] === 0) return null;
    const rate = this.rateOf(name);
    const now = this.now();
    const known = rate.buckets.get(key);
    if (known) return { rate, bucket: known, now };
    const bucket = { fullAt: now };
    rate.buckets.set(key, bucket);
    return { rate, bucket, now };
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
    // In parts of a millisecond that add up without rounding, also to the times of today.
    const interval = Math.floor((MINUTE / this.limits[name]) * 1_024) / 1_024;
    const window = Math.min(MINUTE, Math.max(SHORTEST, Math.ceil((ENOUGH * interval) / 1_000) * 1_000));
    const rate = { name: shown(name), window, interval, buckets: new LRUCache<string, Bucket>(upTo(KEYS)) };
    this.rates.set(name, rate);
    return rate;
  }
}

/** How much of a bucket is left: less than nothing where something weighed more. */
const leftIn = ({ rate: { window, interval }, bucket, now }: Filling): number =>
  (window - Math.max(0, bucket.fullAt - now)) / interval + ROUNDING;

const isEmpty = (filling: Filling): boolean => leftIn(filling) < 1;

const draw = ({ rate, bucket, now }: Filling, weight: number): void => {
  bucket.fullAt = Math.max(now, bucket.fullAt) + weight * rate.interval;
};

/** How long (ms) until one more is there. */
const untilOne = (filling: Filling): number => Math.ceil((1 - leftIn(filling)) * filling.rate.interval);

const quotaOf = (filling: Filling): Quota => {
  const { rate, bucket, now } = filling;
  return {
    name: rate.name,
    burst: Math.floor(rate.window / rate.interval + ROUNDING),
    window: rate.window / 1_000,
    remaining: Math.max(0, Math.floor(leftIn(filling))),
    seconds: Math.max(0, Math.ceil((bucket.fullAt - now) / 1_000)),
  };
};

const refusal = (filling: Filling): DomainError => {
  const wait = untilOne(filling);
  const details = { limit: filling.rate.name, endsAt: instantOf(filling.now + wait) };
  return new DomainError('rate_limited', details, { retryAfter: Math.ceil(wait / 1_000) });
};

const shown = (name: RateName): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1)$/;

/** Where a request comes from: `ip` by the trusted proxies, the socket's other end as it is. */
interface Origin {
  readonly ip: string;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** The address a request counts under, IPv6 as its /64; null: loopback without a trusted proxy (docs/decisions.md, Limits). */
export const rateLimitKey = ({ ip, socket }: Origin, isProxyTrusted: boolean): string | null => {
  // What a trusted proxy says is no address at all counts as the proxy's own.
  const given = isIP(ip) ? ip : (socket.remoteAddress ?? '');
  const address = MAPPED.exec(given)?.[1] ?? given;
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

/** The block of an address that counts for a request: of IPv6 a /48, which would else be 65,536 callers. */
export const blockOf = (address: string): string =>
  address.endsWith('::/64') ? `${address.split(':', 3).join(':')}::/48` : address;
