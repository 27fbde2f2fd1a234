import { z } from 'zod';

/** What an authorization code leads to: the grant of its consent. The document's id is the code's hash. */
export const storedCode = z.object({
  grantId: z.string(),
  clientId: z.string(),
  redirectUri: z.string(),
  /** PKCE, S256 (RFC 7636 §4.2). */
  codeChallenge: z.string(),
  /** Until when it can be redeemed; the document lives longer, so that a replay is seen. */
  expiresAt: z.string(),
  redeemedAt: z.string().nullable(),
});
export type AuthorizationCode = z.infer<typeof storedCode>;
