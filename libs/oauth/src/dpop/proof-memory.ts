import { Collection, type Documents, SECRETS, storedSecret } from '#documents';
import { hmacOf, newSecret, sameSecret } from '#identity';
import { type Clock, instantOf, millisecondsOf } from '#kernel';
import { z } from 'zod';
import type { OAuthSettings } from '../oauth-settings.js';

/** How long (ms) a nonce is given out. */
const PERIOD = 60_000;
/** How long (ms) after its period began a proof may carry it, by the clock of the process that checks it. */
const NONCE_LIFE = 300_000;

/** What became of a proof: it counts, it came before, or its nonce is none that is good now. */
type Use = 'accepted' | 'replayed' | 'stale';

/** The nonces that proofs have to carry (RFC 9449 §8), and the proofs that used them: each is kept while its nonce is good. */
export abstract class ProofMemory {
  /** Call it once, before the others. */
  abstract prepare(): Promise<void>;

  abstract nonce(): string;

  /** Uses up a proof, by the hash of its key and its `jti`. @throws Unavailable: it counts as used, or not */
  abstract use(nonce: string, proof: string): Promise<Use>;
}

interface Epoch {
  readonly nonce: string;
  readonly begunAt: number;
  readonly used: Set<string>;
}

/** How many proofs are remembered in all, some 10 MB of them, and how many carry one nonce before there is another. */
const MOST = 100_000;
const MOST_OF_ONE = 20_000;

/** The memory of a single process. Nonces are random, and forgetting one takes its proofs along, so no proof counts twice. */
export class OwnProofMemory extends ProofMemory {
  /** By nonce, the oldest first. */
  private readonly epochs = new Map<string, Epoch>();
  private current: Epoch | null = null;
  private size = 0;

  constructor(
    private readonly clock: Clock,
    private readonly most = { all: MOST, ofOne: MOST_OF_ONE },
  ) {
    super();
  }

  prepare(): Promise<void> {
    return Promise.resolve();
  }

  nonce(): string {
    const now = millisecondsOf(this.clock.now());
    const { current } = this;
    if (current && now - current.begunAt < PERIOD && current.used.size < this.most.ofOne) return current.nonce;
    for (const epoch of this.epochs.values()) if (now - epoch.begunAt >= NONCE_LIFE) this.forget(epoch);
    this.current = { nonce: newSecret(16), begunAt: now, used: new Set() };
    this.epochs.set(this.current.nonce, this.current);
    return this.current.nonce;
  }

  use(nonce: string, proof: string): Promise<Use> {
    return Promise.resolve(this.useNow(nonce, proof));
  }

  private useNow(nonce: string, proof: string): Use {
    const epoch = this.epochs.get(nonce);
    if (!epoch || millisecondsOf(this.clock.now()) - epoch.begunAt >= NONCE_LIFE) return 'stale';
    if (epoch.used.has(proof)) return 'replayed';
    epoch.used.add(proof);
    this.size += 1;
    for (const oldest of this.epochs.values()) {
      if (this.size <= this.most.all) break;
      this.forget(oldest);
    }
    return 'accepted';
  }

  private forget({ nonce, used }: Epoch): void {
    this.epochs.delete(nonce);
    this.size -= used.size;
    if (this.current?.nonce === nonce) this.current = null;
  }
}

/** How much longer (ms) than its nonce a proof is remembered, since the clocks of two processes may differ. */
const SLACK = 120_000;

/** The memory that processes share: a proof is one insert under a unique key, a nonce the HMAC of its period. */
export class SharedProofMemory extends ProofMemory {
  private readonly used: Collection<object>;
  private secret = '';
  private current = { period: -1, nonce: '' };

  constructor(
    private readonly documents: Documents,
    private readonly clock: Clock,
    private readonly keys: OAuthSettings['keyEncryptionKeys'],
  ) {
    super();
    this.used = new Collection(documents, { name: 'dpop-proofs', indexes: [] }, z.object({}));
  }

  async prepare(): Promise<void> {
    await this.used.prepare();
    await this.documents.prepare(SECRETS);
    this.secret = (await storedSecret(this.documents, 'dpop-nonces', this.keys)).toString('base64url');
  }

  nonce(): string {
    const period = Math.floor(millisecondsOf(this.clock.now()) / PERIOD);
    if (this.current.period !== period) this.current = { period, nonce: this.nonceOf(period) };
    return this.current.nonce;
  }

  async use(nonce: string, proof: string): Promise<Use> {
    const period = Number(/^(\d{1,12})\./.exec(nonce)?.[1] ?? Number.NaN);
    const end = period * PERIOD + NONCE_LIFE;
    // One that another process gave out whose clock is ahead is good as well.
    if (!(millisecondsOf(this.clock.now()) < end) || !sameSecret(nonce, this.nonceOf(period))) return 'stale';
    const isFirst = await this.used.insertIfAbsent(proof, {}, { expiresAt: instantOf(end + SLACK) });
    return isFirst ? 'accepted' : 'replayed';
  }

  private nonceOf(period: number): string {
    return `${period}.${hmacOf(this.secret, `dpop-nonce ${period}`)}`;
  }
}
