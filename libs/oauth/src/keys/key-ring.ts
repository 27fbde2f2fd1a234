import type { KeyObject, KeyPairKeyObjectResult } from 'node:crypto';
import { Collection, type Document, Documents, resealed, type SealingKeys } from '#documents';
import { Clock, type Instant, lazily, millisecondsOf, plus } from '#kernel';
import {
  inForce,
  KEYS_MAX_AGE,
  newSigningKey,
  openSigningKey,
  PUBLISHED_BEFORE,
  signerAt,
  type SigningKey,
  storedSigningKey,
  type StoredSigningKey,
  verifiesUntil,
} from './signing-key.js';

/** The pause (ms) between reloads because of an unknown `kid`, since strangers can send any. */
const RELOAD_PAUSE = 250;
/** How long (ms) a key that verifies nothing any more stays stored, for processes whose clocks are behind. */
const KEPT = 86_400_000;

/** What the keys of a ring are, and where they are stored. */
export interface KeyKind {
  readonly collection: string;
  readonly newPair: () => Promise<KeyPairKeyObjectResult>;
  /** How long (ms) after its successor began to sign a key verifies what it signed. */
  readonly verifies: number;
}

/** Signing keys by `kid`, at most ten seconds old. Each process judges a key's time itself. Methods throw Unavailable. */
export class KeyRing {
  private readonly stored: Collection<StoredSigningKey>;
  private keys: ReadonlyMap<string, SigningKey> = new Map();
  private loadedAt = 0;
  private loading: Promise<void> | null = null;
  /** Creates the first key, where this process is one that serves; undefined: it only looks. */
  private createFirst: (() => Promise<void>) | undefined;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
    private readonly sealing: SealingKeys,
    private readonly kind: KeyKind,
  ) {
    const spec = { name: kind.collection, indexes: [{ fields: ['number'] }] };
    this.stored = new Collection(documents, spec, storedSigningKey);
  }

  /** Loads the existing keys. @throws SealBroken where they cannot be opened */
  async open(): Promise<void> {
    await this.stored.prepare();
    await this.load();
  }

  /** Loads the keys, encrypting those in clear. The first is made when it is needed, since making it is slow. @throws SealBroken */
  async start(): Promise<void> {
    await this.open();
    this.createFirst = lazily(() => this.createIfNone());
    await this.reseal(({ privateKey }) => privateKey.cipher === 'none');
    await this.sweep(plus(this.clock.now(), -KEPT));
  }

  /** Creates a new key, which signs once it is known everywhere. The others verify until their tokens have expired. */
  async rotate(): Promise<void> {
    await this.createFirst?.();
    await this.create(plus(this.clock.now(), PUBLISHED_BEFORE));
    await this.sweep(plus(this.clock.now(), -KEPT));
  }

  /** Until when a key verifies, given its successor. */
  verifiesUntil(successor: Pick<SigningKey, 'signsFrom'>): Instant {
    return verifiesUntil(successor, this.kind.verifies);
  }

  async has(kid: string): Promise<boolean> {
    return (await this.newestFirst()).some(({ body }) => body.kid === kid);
  }

  /** Withdraws a key, and makes one that signs at once where it signed. Repeatable: the key is deleted last. */
  async withdraw(kid: string): Promise<void> {
    await this.load();
    const now = this.clock.now();
    if (signerAt(now, [...this.keys.values()])?.kid === kid) await this.create(now);
    // A key that was retired before this one would otherwise come before the new one, and verify again.
    await this.sweep(now);
    for (const { id, body } of await this.newestFirst()) if (body.kid === kid) await this.stored.delete(id);
    await this.load();
  }

  /** Encrypts every key under the present key-encryption key; returns how many were not yet. @throws SealBroken */
  async reencrypt(): Promise<number> {
    return this.reseal(() => true);
  }

  async current(): Promise<SigningKey> {
    const signer = signerAt(this.clock.now(), await this.all());
    if (!signer) throw new Error('the signing keys were asked for before they were loaded');
    return signer;
  }

  async publicKey(kid: string): Promise<KeyObject | null> {
    await this.loadIfOlderThan(this.keys.has(kid) ? KEYS_MAX_AGE : RELOAD_PAUSE);
    return this.keys.get(kid)?.publicKey ?? null;
  }

  /** Whether this is the public key of this name, as far as this process has read the keys. */
  isInForce(kid: string, key: KeyObject): boolean {
    return this.keys.get(kid)?.publicKey === key;
  }

  /** Deletes all keys: whatever they signed is refused, and who signs next makes another. Returns how many there were. */
  async deleteEvery(): Promise<number> {
    const deleted = await this.stored.clear();
    await this.load();
    return deleted;
  }

  async all(): Promise<readonly SigningKey[]> {
    await this.loadIfOlderThan(KEYS_MAX_AGE);
    if (this.keys.size === 0) await this.createFirst?.();
    return [...this.keys.values()];
  }

  private async create(signsFrom: Instant): Promise<void> {
    const [newest] = await this.newestFirst();
    await this.createNumber((newest?.body.number ?? 0) + 1, signsFrom);
  }

  /** The very first. One that another process has made since this one looked is the first, and no second is made beside it. */
  private async createIfNone(): Promise<void> {
    await this.load();
    if (this.keys.size === 0) await this.createNumber(1, this.clock.now());
  }

  private async createNumber(number: number, signsFrom: Instant): Promise<void> {
    const key = await newSigningKey(
      { number, createdAt: this.clock.now(), signsFrom },
      this.sealing,
      this.kind.newPair,
    );
    // Another process may create one at the same moment. The stored key counts.
    await this.stored.insertIfAbsent(`key-${number}`, key);
    await this.load();
  }

  private async loadIfOlderThan(age: number): Promise<void> {
    if (millisecondsOf(this.clock.now()) - this.loadedAt < age) return;
    this.loading ??= this.load().finally(() => (this.loading = null));
    await this.loading;
  }

  private async load(): Promise<void> {
    const now = this.clock.now();
    const documents = await this.newestFirst();
    const good = this.inForceOf(documents, now);
    this.keys = new Map(good.map((one) => [one.kid, this.keys.get(one.kid) ?? openSigningKey(one, this.sealing)]));
    this.loadedAt = millisecondsOf(now);
  }

  private inForceOf(newestFirst: readonly Document<StoredSigningKey>[], at: Instant): readonly StoredSigningKey[] {
    const keys = newestFirst.map(({ body }) => body);
    return inForce(at, keys, this.kind.verifies);
  }

  /** Deletes the keys that verified nothing any more at `then`, with their private parts. */
  private async sweep(then: Instant): Promise<void> {
    const documents = await this.newestFirst();
    const kept = this.inForceOf(documents, then);
    for (const { id, version } of documents.slice(kept.length)) await this.stored.delete(id, version);
  }

  /** Each is replaced in one step, so it can be opened at any moment, and after a crash the rest is done by repeating this. */
  private async reseal(isDue: (key: StoredSigningKey) => boolean): Promise<number> {
    let changed = 0;
    for (const { id } of await this.newestFirst()) {
      const written = await this.stored.update(id, (key) => {
        const privateKey = key && isDue(key) ? resealed(key.privateKey, this.sealing, key.kid) : null;
        return key && privateKey && { ...key, privateKey };
      });
      if (written) changed += 1;
    }
    return changed;
  }

  private newestFirst(): Promise<readonly Document<StoredSigningKey>[]> {
    return this.stored.find({ where: [], sort: { field: 'number', direction: 'descending' }, limit: 100 });
  }
}
