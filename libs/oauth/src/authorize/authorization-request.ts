import { SCOPES } from '#kernel';
import { z } from 'zod';
import { RESOURCES } from '../resources.js';
import { PROMPTS } from './check-prompt.js';

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
  /** What of login and consent is to be shown, whatever is known (OpenID Connect Core §3.1.2.1). */
  prompt: z.array(z.enum(PROMPTS)).readonly(),
  /** A login before this instant does not count; null: any does. */
  loginSince: z.string().nullable(),
});
export type AuthorizationRequest = z.infer<typeof storedAuthorizationRequest>;
