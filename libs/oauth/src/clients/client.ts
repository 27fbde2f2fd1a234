import type { BaseUrls } from '#http';
import { z } from 'zod';

/** An agent that may ask travellers for access. The document's id is the client id. */
export const storedClient = z.object({
  name: z.string(),
  /** SHA-256 of the secret; null: a public client, which has none. */
  secretHash: z.string().nullable(),
  /** Exact; `{auth_url}` or `{site_url}` at the start stands for that address. */
  redirectUris: z.array(z.string()).readonly(),
  /** Its secret is published, so it counts as public in every decision and says so on the consent page. */
  pilot: z.boolean(),
  /** false: it is never told a refresh token, and ends with its access token. */
  refresh: z.literal(false).optional(),
});
export type StoredClient = z.infer<typeof storedClient>;

export interface Client extends StoredClient {
  readonly clientId: string;
}

/** Whether `uri` is, character for character, a redirect URI of the client (RFC 9700 §2.1). */
export const isRedirectUriOf = (client: Client, uri: string, { auth, site }: BaseUrls): boolean =>
  client.redirectUris.some(
    (registered) => registered.replace(/^\{auth_url\}/, auth).replace(/^\{site_url\}/, site) === uri,
  );
