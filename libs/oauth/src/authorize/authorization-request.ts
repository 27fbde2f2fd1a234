import { SCOPES } from '#kernel';
import { z } from 'zod';
import { RESOURCES } from '../resources.js';

/**
 * An authorization request as it was judged. It stays on the server; pages and forms carry its id alone, so that what is
 * consented to is what was shown.
 */
export const storedAuthorizationRequest = z.object({
  clientId: z.string(),
  redirectUri: z.string(),
  state: z.string().nullable(),
  codeChallenge: z.string(),
  scopes: z.array(z.enum(SCOPES)).readonly(),
  resources: z.array(z.enum(RESOURCES)).readonly(),
});
export type AuthorizationRequest = z.infer<typeof storedAuthorizationRequest>;
