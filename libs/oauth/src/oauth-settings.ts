import type { Addresses } from '#http';
import { IdentitySettings } from '#identity';

/** A client known from configuration. */
export interface ClientRegistration {
  readonly clientId: string;
  /** null: a public client (`none`). */
  readonly secret: string | null;
  readonly name: string;
  /** Exact; `{auth_url}` or `{site_url}` at the start stands for that address as the request sees it. */
  readonly redirectUris: readonly string[];
  /** The pilot: its secret is published, so it counts as public in every decision. */
  readonly pilot: boolean;
  /** false: it is given no refresh token, and its access ends with its access token. */
  readonly refresh?: false;
}

/** What everybody knows of the out-of-the-box start. */
export interface PublicDefaults {
  readonly secret: string;
  readonly password: string;
  readonly emails: readonly string[];
}

/** What the authorization server needs to know. A value; the class is its own token. */
export abstract class OAuthSettings extends IdentitySettings {
  abstract readonly addresses: Addresses;
  /** 32 bytes that encrypt the private signing keys at rest; null: they are stored in clear. */
  abstract readonly keyEncryptionKey: Uint8Array | null;
  abstract readonly clients: readonly ClientRegistration[];
  /** How long (ms) after its rotation a refresh token that comes back is no reuse; 0: it always is. */
  abstract readonly refreshReuseGrace: number;
  /** What must let nobody in here, whatever an earlier start has left in the documents; absent or null: it may. */
  abstract readonly publicDefaults?: PublicDefaults | null;
  /** Whether the playground is served. */
  abstract readonly playground: boolean;
}

const SECOND = 1_000;
const DAY = 86_400 * SECOND;

/** How long things live, in milliseconds (docs/interface.md, Token lifetimes; docs/decisions.md, OAuth). */
export const LIFETIMES = {
  code: 60 * SECOND,
  /** Hashes of redeemed codes are kept so that a replay is seen. */
  redeemedCode: 30 * DAY,
  accessToken: 3_600 * SECOND,
  refreshToken: 30 * DAY,
  /** How long a traveller is not asked again for what they granted. */
  consent: 30 * DAY,
  authorizationRequest: 900 * SECOND,
} as const;
