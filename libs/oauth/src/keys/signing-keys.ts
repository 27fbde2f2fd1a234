import type { KeyPairKeyObjectResult } from 'node:crypto';
import { Injectable, Optional } from '@nestjs/common';
import { Documents } from '#documents';
import { Clock } from '#kernel';
import { LIFETIMES, OAuthSettings } from '../oauth-settings.js';
import { KeyRing } from './key-ring.js';
import { newCurveKeyPair, newKeyPair } from './signing-key.js';

/** The keys that sign access tokens. */
@Injectable()
export class SigningKeys extends KeyRing {
  constructor(
    documents: Documents,
    clock: Clock,
    { keyEncryptionKeys }: OAuthSettings,
    /** For tests, which make as many keys as they like from a few pairs. */
    @Optional() newPair?: () => Promise<KeyPairKeyObjectResult>,
  ) {
    const kind = { collection: 'signing-keys', newPair: newPair ?? newKeyPair, verifies: LIFETIMES.accessToken };
    super(documents, clock, keyEncryptionKeys, kind);
  }
}

/** How long (ms) messages are verified by the key that signed them, once another signs (UCP, Message Signatures, Key Rotation). */
const MESSAGES = 7 * 86_400_000;

/** The keys that sign messages to other services, which are published where we say who we are. */
@Injectable()
export class MessageKeys extends KeyRing {
  constructor(documents: Documents, clock: Clock, { keyEncryptionKeys }: OAuthSettings) {
    const kind = { collection: 'message-keys', newPair: newCurveKeyPair, verifies: MESSAGES };
    super(documents, clock, keyEncryptionKeys, kind);
  }
}
