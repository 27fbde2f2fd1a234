import type { Documents } from '#documents';
import type { Clock } from '#kernel';
import { newSigningKey, type StoredSigningKey } from '../keys/signing-key.js';
import { SigningKeys } from '../keys/signing-keys.js';
import { testSettings } from './test-settings.js';

let made: Promise<StoredSigningKey> | null = null;

/** Gives an empty store the signing key that all services of this worker have: to make one takes longer than most cases. */
export const giveSigningKey = async (documents: Documents, clock: Clock): Promise<void> => {
  const now = clock.now();
  made ??= newSigningKey({ number: 1, createdAt: now, signsFrom: now }, []);
  await new SigningKeys(documents, clock, testSettings()).open(); // prepares their collection
  await documents.insert('signing-keys', 'key-1', { ...(await made), createdAt: now, signsFrom: now });
};
