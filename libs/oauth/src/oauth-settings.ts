import type { SealingKeys } from '#documents';
import type { Addresses } from '#http';
import { IdentitySettings } from '#identity';
import type { ClientRegistration } from './clients/clients.js';

export interface PublicDefaults {
  readonly secret: string;
  readonly password: string;
  readonly emails: readonly string[];
}

/** The settings of the authorization server. A value; the class is its own injection token. */
export abstract class OAuthSettings extends IdentitySettings {
  abstract readonly addresses: Addresses;
  /** They encrypt the private signing keys at rest; none: these are stored in clear. */
  abstract readonly keyEncryptionKeys: SealingKeys;
  abstract readonly clients: readonly ClientRegistration[];
  /** How long (ms) after its rotation a refresh token may be used again without counting as reused; 0: not at all. */
  abstract readonly refreshReuseGrace: number;
  /** The credentials that are refused, even if an earlier start left them in the documents; absent or null: none. */
  abstract readonly publicDefaults?: PublicDefaults | null;
  /** Whether an agent that is new to a traveller asks them for each mandate; absent: it opens mandates itself. */
  abstract readonly newAgentsAsk?: boolean;
  /** Whether every access token must be bound to a key (RFC 9449); absent: only those are that were asked for with a proof. */
  abstract readonly requiresDpop?: boolean;
  /** Whether several processes serve from the same documents; absent: there is one. */
  abstract readonly sharesDocuments?: boolean;
  /** Whether a client may be known by the address of its metadata document alone. */
  abstract readonly metadataClients?: boolean;
  abstract readonly dynamicRegistration?: boolean;
  /** Whether agents of others buy here, by names of their own for our scopes. */
  abstract readonly ucp?: boolean;
  abstract readonly playground: boolean;
}

const SECOND = 1_000;
const DAY = 86_400 * SECOND;

/** Lifetimes in milliseconds (docs/interface.md, Token lifetimes; docs/decisions.md, OAuth). */
export const LIFETIMES = {
  code: 60 * SECOND,
  /** Hashes of redeemed codes are kept so that a replay is detected. */
  redeemedCode: 30 * DAY,
  /** How far ahead a client may let its assertion expire, since its id is remembered until then. */
  clientAssertion: 600 * SECOND,
  accessToken: 3_600 * SECOND,
  refreshToken: 30 * DAY,
  consent: 30 * DAY,
  authorizationRequest: 900 * SECOND,
  /** How long the request URI of a pushed request may wait for its browser (RFC 9126 §2.2; FAPI 2.0: less than 600 s). */
  pushedRequest: 300 * SECOND,
} as const;
