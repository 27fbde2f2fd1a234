import { type Clock, instantOf, KeyedMutex, millisecondsOf, within, upTo } from '#kernel';
import { LRUCache } from 'lru-cache';
import { type Answer, guardedGet, LARGEST } from './guarded-get.js';
import { type Guard, isAskable } from './guarded-request.js';
import { DocumentUnread, type RemoteDocument, RemoteDocuments } from './remote-documents.port.js';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;

/** Milliseconds, and how many (docs/adr/0107-one-guarded-fetcher.md). */
const BOUNDS = {
  /** All of a fetch, with its name's resolution and its wait for another of its host. */
  time: 3 * SECOND,
  /** How long a document is fresh, whatever its headers say; and where they say nothing. */
  freshAtLeast: 60 * SECOND,
  freshAtMost: DAY,
  freshByDefault: 600 * SECOND,
  /** How long a failure counts for the next try too, and the youngest document that anybody has fetched again. */
  pause: 10 * SECOND,
  /** Fetches under way, waiting ones counted; and those of one host. */
  underWay: 64,
  underWayOfHost: 8,
} as const;

/** Which documents are fetched, and how many are kept. */
export interface DocumentBounds {
  /** Bytes of the longest document. */
  readonly largest: number;
  /** Documents kept, and failures remembered. */
  readonly kept: number;
  /** Whether http will do where loopback may be asked. */
  readonly allowsHttp: boolean;
}

/** Of clients and their keys. */
const OF_CLIENTS: DocumentBounds = { largest: LARGEST, kept: 1_000, allowsHttp: false };

/** A failure, and until when (ms) it counts. */
interface Failure {
  readonly error: DocumentUnread;
  readonly until: number;
}

/** Fetches one document at a time of a host, and keeps what came, in memory: forgetting it at a restart does no harm. */
export class GuardedDocuments extends RemoteDocuments {
  private readonly documents: LRUCache<string, RemoteDocument>;
  private readonly failures: LRUCache<string, Failure>;
  private readonly underWay = new Map<string, Promise<RemoteDocument>>();
  /** By host, how many of them are under way. */
  private readonly ofHost = new Map<string, number>();
  private readonly hosts = new KeyedMutex();

  constructor(
    private readonly clock: Clock,
    private readonly guard: Guard,
    private readonly bounds = OF_CLIENTS,
  ) {
    super();
    this.documents = new LRUCache(upTo(bounds.kept));
    this.failures = new LRUCache(upTo(bounds.kept));
  }

  kept(url: string): RemoteDocument | null {
    const known = this.documents.get(url);
    return known && known.freshUntil > this.clock.now() ? known : null;
  }

  async get(url: string, noOlderThan = Infinity): Promise<RemoteDocument> {
    const known = this.kept(url);
    const now = millisecondsOf(this.clock.now());
    if (known && now - millisecondsOf(known.fetchedAt) <= Math.max(noOlderThan, BOUNDS.pause)) return known;
    const failure = this.failures.get(url);
    if (failure && failure.until > now) throw failure.error;
    return this.underWay.get(url) ?? this.begin(url);
  }

  private begin(url: string): Promise<RemoteDocument> {
    const address = addressIn(url, this.bounds.allowsHttp && this.guard.allowsLoopback);
    const { host } = address;
    const others = this.ofHost.get(host) ?? 0;
    if (this.underWay.size >= BOUNDS.underWay || others >= BOUNDS.underWayOfHost) throw new DocumentUnread('busy');
    const mine = this.fetch(url, address).finally(() => {
      this.underWay.delete(url);
      const left = (this.ofHost.get(host) ?? 1) - 1;
      if (left === 0) this.ofHost.delete(host);
      else this.ofHost.set(host, left);
    });
    this.underWay.set(url, mine);
    this.ofHost.set(host, others + 1);
    return mine;
  }

  private async fetch(url: string, address: URL): Promise<RemoteDocument> {
    const abort = new AbortController();
    const turn = this.hosts.take(address.host, async () => {
      abort.signal.throwIfAborted();
      return guardedGet(address, this.guard, abort.signal, this.bounds.largest);
    });
    const tooSlow = () => {
      abort.abort();
      throw new DocumentUnread('too_slow');
    };
    try {
      const answer = await within(this.clock, BOUNDS.time, turn, tooSlow);
      return this.keep(url, answer);
    } catch (error) {
      const until = millisecondsOf(this.clock.now()) + BOUNDS.pause;
      if (error instanceof DocumentUnread) this.failures.set(url, { error, until });
      throw error;
    }
  }

  private keep(url: string, { body, mediaType, headers }: Answer): RemoteDocument {
    const fetchedAt = this.clock.now();
    const now = millisecondsOf(fetchedAt);
    const freshUntil = instantOf(now + freshFor(headers, now));
    const document = { body, mediaType, fetchedAt, freshUntil };
    this.failures.delete(url);
    this.documents.set(url, document);
    return document;
  }
}

const LONGEST_URL = 2_000;

/** @throws DocumentUnread `address_flawed` */
const addressIn = (url: string, allowsHttp: boolean): URL => {
  const address = url.length > LONGEST_URL || !URL.canParse(url) ? null : new URL(url);
  if (!address || url.includes('#') || !isAskable(address, allowsHttp)) throw new DocumentUnread('address_flawed');
  return address;
};

/** How long (ms) an answer of now is fresh: as its headers say (RFC 9111 §4.2), within bounds. */
const freshFor = (headers: Answer['headers'], now: number): number => {
  const { 'cache-control': control = '', age, expires, date } = headers;
  const directives = control.toLowerCase().split(/\s*,\s*/);
  const maxAge = directives.map((one) => /^max-age="?(\d{1,9})"?$/.exec(one)?.[1]).find((one) => one !== undefined);
  const said = directives.some((one) => /^no-(?:store|cache)/.test(one))
    ? 0
    : maxAge !== undefined
      ? Number(maxAge) * SECOND - (Number(age ?? 0) || 0) * SECOND
      : expires !== undefined
        ? (Date.parse(expires) || 0) - (Date.parse(date ?? '') || now)
        : BOUNDS.freshByDefault;
  return Math.min(Math.max(said, BOUNDS.freshAtLeast), BOUNDS.freshAtMost);
};
