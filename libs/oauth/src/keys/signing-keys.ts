import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Documents, DuplicateDocument } from '#documents';
import { Clock, millisecondsOf } from '#kernel';
import { Collection } from '../collection.js';
import { OAuthSettings } from '../oauth-settings.js';
import { seal, unseal } from './key-seal.js';
import { newSigningKey, openSigningKey, type PublicJwk, type SigningKey, storedSigningKey } from './signing-key.js';

/** An unknown `kid` makes the keys load again at most this often (ms): kids come from strangers. */
const RELOAD_PAUSE = 5_000;

/** The keys that sign access tokens: loaded once, by `kid`, and again when another process has made a new one. */
@Injectable()
export class SigningKeys {
  private readonly stored: Collection<ReturnType<typeof storedSigningKey.parse>>;
  private keys: ReadonlyMap<string, SigningKey> = new Map();
  private loadedAt = 0;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
    private readonly settings: OAuthSettings,
  ) {
    const spec = { name: 'signing-keys', indexes: [{ fields: ['number'] }] };
    this.stored = new Collection(documents, spec, storedSigningKey);
  }

  /**
   * Makes the first key if there is none, encrypts what is still in clear, and loads all.
   *
   * @throws KeySealBroken where the stored keys cannot be opened.
   */
  async start(): Promise<void> {
    await this.stored.prepare();
    await this.load();
    if (this.keys.size === 0) {
      await this.add(1);
      await this.load();
    }
    await this.encryptPlain();
  }

  /** The key that signs. */
  current(): SigningKey {
    const [newest] = this.keys.values();
    if (!newest) throw new Error('the signing keys were asked for before they were loaded');
    return newest;
  }

  /** The public key of this name, or null. */
  async publicKey(kid: string): Promise<KeyObject | null> {
    if (!this.keys.has(kid) && millisecondsOf(this.clock.now()) - this.loadedAt >= RELOAD_PAUSE) await this.load();
    return this.keys.get(kid)?.publicKey ?? null;
  }

  /** Public halves of all keys, newest first. */
  jwks(): readonly PublicJwk[] {
    return [...this.keys.values()].map(({ jwk }) => jwk);
  }

  private async add(number: number): Promise<void> {
    const key = await newSigningKey(number, this.clock.now(), this.settings.keyEncryptionKey);
    try {
      await this.stored.insert(`key-${number}`, key);
    } catch (error) {
      // Another process starting at the same moment made it.
      if (!(error instanceof DuplicateDocument)) throw error;
    }
  }

  private async load(): Promise<void> {
    this.loadedAt = millisecondsOf(this.clock.now());
    const documents = await this.newestFirst();
    this.keys = new Map(
      documents.map(({ body }) => [body.kid, openSigningKey(body, this.settings.keyEncryptionKey)] as const),
    );
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
