import type { BaseUrls, ProtectedResource } from '#http';
import type { Parameters } from '#identity';
import { covers, type Scope, SCOPES } from '#kernel';
import { OAuthError } from './oauth-error.js';

/** The resources of a token (RFC 8707): the API and the MCP endpoint. Stored by name, since addresses depend on the request. */
export const RESOURCES = ['api', 'mcp'] as const satisfies readonly ProtectedResource[];
export type Resource = ProtectedResource;

export const resourceAddress = (resource: Resource, { base, site }: BaseUrls): string =>
  resource === 'api' ? base : `${site}/mcp`;

/** The requested resources, each once; `granted` where none is requested. @throws OAuthError `target_invalid` */
export const checkResources = (
  parameters: Parameters,
  urls: BaseUrls,
  granted: readonly Resource[] = RESOURCES,
): readonly Resource[] => {
  const requested = parameters.all('resource');
  if (requested.length === 0) return granted;
  const known = granted.filter((resource) => requested.includes(resourceAddress(resource, urls)));
  if (known.length !== new Set(requested).size) throw new OAuthError('target_invalid');
  return known;
};

const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text);

/** The scopes of a `scope` parameter, none ignored. @throws OAuthError `scope_invalid`: none, unknown, or beyond `granted` */
export const scopesIn = (parameter: string | undefined, granted: readonly Scope[] = SCOPES): readonly Scope[] => {
  const requested = (parameter ?? '').split(' ');
  if (!requested.every(isScope) || !covers(granted, requested)) throw new OAuthError('scope_invalid');
  return SCOPES.filter((scope) => requested.includes(scope));
};
