import { type Documents, reencryptSecrets, type SealingKeys } from '#documents';
import type { SecurityLog } from '#identity';
import { type Clock, type Instant, systemContext } from '#kernel';
import { signerAt, verifiesUntil } from '../keys/signing-key.js';
import type { SigningKeys } from '../keys/signing-keys.js';
import { RegistrationRefused } from './client-registry.js';

export interface ListedKey {
  readonly kid: string;
  readonly createdAt: Instant;
  /** `next`: published, and signs from `signsFrom` on; `retired`: verifies what it signed. */
  readonly state: 'next' | 'signs' | 'retired';
  readonly signsFrom: Instant;
  /** Until when its tokens are valid, where the key has a successor; null: there is none. */
  readonly verifiesUntil: Instant | null;
}

interface KeyStores {
  readonly documents: Documents;
  readonly sealing: SealingKeys;
  readonly log: SecurityLog;
  readonly clock: Clock;
}

/** The service's own keys, for an operator: those that sign access tokens, and what encrypts them at rest. */
export class KeyRegistry {
  constructor(
    private readonly keys: SigningKeys,
    private readonly stores: KeyStores,
  ) {}

  async list(): Promise<readonly ListedKey[]> {
    const keys = await this.keys.all();
    const now = this.stores.clock.now();
    const signer = signerAt(now, keys);
    return keys.map((key, index) => {
      const { kid, createdAt, signsFrom } = key;
      const successor = keys[index - 1];
      const state = key === signer ? 'signs' : signsFrom > now ? 'next' : 'retired';
      return { kid, createdAt, state, signsFrom, verifiesUntil: successor ? verifiesUntil(successor) : null };
    });
  }

  /** Creates a new key, which signs once it is known everywhere; answers the keys in force. */
  async rotate(): Promise<readonly ListedKey[]> {
    await this.keys.rotate();
    return this.list();
  }

  /** Withdraws a key; returns those in force. Safe to repeat. @throws RegistrationRefused: no such key; Unavailable */
  async revoke(kid: string): Promise<readonly ListedKey[]> {
    if (!(await this.keys.has(kid))) throw new RegistrationRefused(`there is no signing key ${kid}`);
    const { actor, ...cause } = systemContext('keys-revoke');
    try {
      await this.stores.log.record(
        (revokedAt) => ({ type: 'SigningKeyRevoked', data: { kid, revokedAt } }),
        actor,
        cause,
      );
    } finally {
      await this.keys.withdraw(kid);
    }
    return this.list();
  }

  /** Encrypts what is not under the first key yet; returns how many. Safe to repeat. @throws RegistrationRefused; SealBroken */
  async reencrypt(): Promise<number> {
    const { documents, sealing } = this.stores;
    if (sealing.length === 0) throw new RegistrationRefused('KEY_ENCRYPTION_KEY is not set');
    return (await this.keys.reencrypt()) + (await reencryptSecrets(documents, sealing));
  }
}
