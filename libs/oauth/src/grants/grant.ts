import { SCOPES } from '#kernel';
import { z } from 'zod';
import { RESOURCES } from '../resources.js';

/** Why a grant is dead for ever, and every token of it with it. */
const DEATHS = [
  'code_replayed',
  'refresh_reused',
  'access_token_revoked',
  'refresh_token_revoked',
  'agent_revoked',
] as const;
export type GrantRevocation = (typeof DEATHS)[number];

/**
 * One authorization: what a traveller granted one client, once. It is one document, so that rotating its refresh token
 * and killing it are one compare-and-set each.
 */
export const storedGrant = z.object({
  holder: z.string(),
  clientId: z.string(),
  /** What was consented to; an access token may carry less. */
  scopes: z.array(z.enum(SCOPES)).readonly(),
  resources: z.array(z.enum(RESOURCES)).readonly(),
  authorizedAt: z.string(),
  /** Marks refresh tokens as issued under this grant, so that only one of ours counts as reused. */
  refreshKey: z.string(),
  /** Hash of the one refresh token that is good; null until the code is redeemed. */
  refreshHash: z.string().nullable(),
  refreshExpiresAt: z.string().nullable(),
  /** The refresh token before that one, and when it was rotated away; null before the first rotation. */
  rotated: z.object({ hash: z.string(), at: z.string() }).nullable().default(null),
  /** How many refresh tokens were issued. */
  generation: z.int().nonnegative(),
  dead: z.object({ reason: z.enum(DEATHS), at: z.string() }).nullable(),
});
export type Grant = z.infer<typeof storedGrant>;
