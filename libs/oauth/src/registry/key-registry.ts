import { type Documents, reencryptSecrets, type SealingKeys } from '#documents';
import type { SecurityLog } from '#identity';
import { type Clock, type Instant, systemContext } from '#kernel';
import type { KeyRing } from '../keys/key-ring.js';
import { signerAt } from '../keys/signing-key.js';
import { RegistrationRefused } from './client-registry.js';

/** What a key signs: access tokens, or messages to other services. */
export type Signs = 'tokens' | 'messages';

export interface ListedKey {
  readonly kid: string;
  readonly signs: Signs;
  readonly createdAt: Instant;
  /** `next`: published, and signs from `signsFrom` on; `retired`: verifies what it signed. */
  readonly state: 'next' | 'signs' | 'retired';
  readonly signsFrom: Instant;
  /** Until when what it signed is valid, where the key has a successor; null: there is none. */
  readonly verifiesUntil: Instant | null;
}

interface KeyStores {
  readonly documents: Documents;
  readonly sealing: SealingKeys;
  readonly log: SecurityLog;
  readonly clock: Clock;
}

/** The service's own keys, for an operator: those that sign, and what encrypts them at rest. */
export class KeyRegistry {
  constructor(
    private readonly rings: Readonly<Record<Signs, KeyRing>>,
    private readonly stores: KeyStores,
  ) {}

  async list(): Promise<readonly ListedKey[]> {
    return [...(await this.listOf('tokens')), ...(await this.listOf('messages'))];
  }

  private async listOf(signs: Signs): Promise<readonly ListedKey[]> {
    const ring = this.rings[signs];
    const keys = await ring.all();
    const now = this.stores.clock.now();
    const signer = signerAt(now, keys);
    return keys.map((key, index) => {
      const { kid, createdAt, signsFrom } = key;
      const successor = keys[index - 1];
      const state = key === signer ? 'signs' : signsFrom > now ? 'next' : 'retired';
      const until = successor ? ring.verifiesUntil(successor) : null;
      return { kid, signs, createdAt, state, signsFrom, verifiesUntil: until };
    });
  }

  /** Creates a new key for each use, which signs once it is known everywhere; returns the keys in force. */
  async rotate(): Promise<readonly ListedKey[]> {
    const { tokens, messages } = this.rings;
    await tokens.rotate();
    // Where nobody has asked for the first one, nothing is signed.
    if ((await messages.all()).length > 0) await messages.rotate();
    return this.list();
  }

  /** Withdraws a key; returns those in force. Safe to repeat. @throws RegistrationRefused: no such key; Unavailable */
  async revoke(kid: string): Promise<readonly ListedKey[]> {
    const { tokens, messages } = this.rings;
    const ring = (await messages.has(kid)) ? messages : tokens;
    if (!(await ring.has(kid))) throw new RegistrationRefused(`there is no signing key ${kid}`);
    const { actor, ...cause } = systemContext('keys-revoke');
    try {
      await this.stores.log.record(
        (revokedAt) => ({ type: 'SigningKeyRevoked', data: { kid, revokedAt } }),
        actor,
        cause,
      );
    } finally {
      await ring.withdraw(kid);
    }
    return this.list();
  }

  /** Encrypts what is not under the first key yet; returns how many. Safe to repeat. @throws RegistrationRefused; SealBroken */
  async reencrypt(): Promise<number> {
    const { documents, sealing } = this.stores;
    if (sealing.length === 0) throw new RegistrationRefused('KEY_ENCRYPTION_KEY is not set');
    const { tokens, messages } = this.rings;
    const keys = (await tokens.reencrypt()) + (await messages.reencrypt());
    return keys + (await reencryptSecrets(documents, sealing));
  }
}
