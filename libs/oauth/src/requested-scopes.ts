import { covers, type Scope, SCOPES } from '#kernel';
import { OAuthError } from './oauth-error.js';

const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text);

/**
 * The scopes of a `scope` parameter, each once, in the interface's order. An unknown one refuses the whole, none is ever
 * filtered away (docs/interface.md, Scopes).
 *
 * @throws OAuthError `scope_invalid` where none is asked, one is unknown, or one exceeds `granted`.
 */
export const scopesIn = (parameter: string | undefined, granted: readonly Scope[] = SCOPES): readonly Scope[] => {
  const asked = (parameter ?? '').split(' ');
  if (!asked.every(isScope) || !covers(granted, asked)) throw new OAuthError('scope_invalid');
  return SCOPES.filter((scope) => asked.includes(scope));
};
