import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Collection, Documents, seal, unseal } from '#documents';
import { Clock, millisecondsOf } from '#kernel';
import { OAuthSettings } from '../oauth-settings.js';
import {
  inForce,
  newSigningKey,
  openSigningKey,
  signerAt,
  type SigningKey,
  storedSigningKey,
  type StoredSigningKey,
} from './signing-key.js';

/** How old (ms) the keys in memory may be. Every process knows of a rotation after that time. */
const MAX_AGE = 10_000;
/** The pause (ms) between reloads because of an unknown `kid`, since strangers can send any. */
const RELOAD_PAUSE = 250;

/**
 * The keys that sign access tokens, by `kid`. Any process may create a new one. The others reload their keys before these
 * are ten seconds old, and sooner where a token names an unknown `kid`.
 *
 * Every method throws Unavailable where the store does not answer.
 */
@Injectable()
export class SigningKeys {
  private readonly stored: Collection<StoredSigningKey>;
  private keys: ReadonlyMap<string, SigningKey> = new Map();
  private loadedAt = 0;
  private loading: Promise<void> | null = null;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
    private readonly settings: OAuthSettings,
  ) {
    const spec = { name: 'signing-keys', indexes: [{ fields: ['number'] }] };
    this.stored = new Collection(documents, spec, storedSigningKey);
  }

  /** Loads the existing keys. @throws SealBroken where they cannot be opened */
  async open(): Promise<void> {
    await this.stored.prepare();
    await this.load();
  }

  /** Loads the keys, creates the first if there is none, and encrypts those still in clear. @throws SealBroken */
  async start(): Promise<void> {
    await this.open();
    if (this.keys.size === 0) await this.rotate();
    await this.encryptPlain();
  }

  /** Creates a new key, which signs from now on. The others verify until their tokens have expired. */
  async rotate(): Promise<void> {
    const [newest] = await this.newestFirst();
    const number = (newest?.body.number ?? 0) + 1;
    const key = await newSigningKey(number, this.clock.now(), this.settings.keyEncryptionKey);
    // Another process may create one at the same moment. The stored key counts.
    await this.stored.insertIfAbsent(`key-${number}`, key);
    await this.load();
  }

  /** The key that signs. */
  async current(): Promise<SigningKey> {
    const signer = signerAt(this.clock.now(), await this.all());
    if (!signer) throw new Error('the signing keys were asked for before they were loaded');
    return signer;
  }

  /** The public key of this name, or null. */
  async publicKey(kid: string): Promise<KeyObject | null> {
    await this.loadIfOlderThan(this.keys.has(kid) ? MAX_AGE : RELOAD_PAUSE);
    return this.keys.get(kid)?.publicKey ?? null;
  }

  /** All keys in force, newest first. */
  async all(): Promise<readonly SigningKey[]> {
    await this.loadIfOlderThan(MAX_AGE);
    return [...this.keys.values()];
  }

  private async loadIfOlderThan(age: number): Promise<void> {
    if (millisecondsOf(this.clock.now()) - this.loadedAt < age) return;
    this.loading ??= this.load().finally(() => (this.loading = null));
    await this.loading;
  }

  /** Loads the keys in force, and deletes the others with their private parts. */
  private async load(): Promise<void> {
    const now = this.clock.now();
    const documents = await this.newestFirst();
    const good = inForce(
      now,
      documents.map(({ body }) => body),
    );
    this.keys = new Map(
      good.map((one) => [one.kid, this.keys.get(one.kid) ?? openSigningKey(one, this.settings.keyEncryptionKey)]),
    );
    this.loadedAt = millisecondsOf(now);
    for (const { id } of documents.slice(good.length)) await this.stored.delete(id);
  }

  private async encryptPlain(): Promise<void> {
    const { keyEncryptionKey } = this.settings;
    if (!keyEncryptionKey) return;
    for (const document of await this.newestFirst()) {
      const { kid, privateKey } = document.body;
      if (privateKey.cipher !== 'none') continue;
      const sealed = seal(unseal(privateKey, null, kid), keyEncryptionKey, kid);
      await this.stored.replace(document, { ...document.body, privateKey: sealed });
    }
  }

  private newestFirst() {
    return this.stored.find({ where: [], sort: { field: 'number', direction: 'descending' }, limit: 100 });
  }
}
