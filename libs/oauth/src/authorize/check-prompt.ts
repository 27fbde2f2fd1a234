import { type Instant, plus } from '#kernel';
import { OAuthError } from '../oauth-error.js';
import type { Parameters } from '#identity';

/** What a client may ask for (OpenID Connect Core §3.1.2.1): no page at all, a login, a consent page. */
export const PROMPTS = ['none', 'login', 'consent'] as const;
export type Prompt = (typeof PROMPTS)[number];

const isPrompt = (text: string): text is Prompt => PROMPTS.some((prompt) => prompt === text);

/** `prompt`: known values, `none` by itself. @throws OAuthError `prompt_flawed` */
export const checkPrompt = (parameters: Parameters): readonly Prompt[] => {
  const asked = parameters.optional('prompt')?.split(' ') ?? [];
  if (!asked.every(isPrompt) || (asked.includes('none') && asked.length > 1)) throw new OAuthError('prompt_flawed');
  return asked;
};

/**
 * Since when a traveller must have logged in: after `prompt=login`, since the request; by `max_age`, that many seconds
 * before it at most; null: whenever. @throws OAuthError `max_age_flawed`
 */
export const checkLoginSince = (parameters: Parameters, prompts: readonly Prompt[], now: Instant): Instant | null => {
  const maxAge = parameters.optional('max_age');
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) throw new OAuthError('max_age_flawed');
  if (prompts.includes('login')) return now;
  return maxAge === undefined ? null : plus(now, -1000 * Number(maxAge));
};
