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

/** What two of our scopes are called by agents that speak the Universal Commerce Protocol (UCP, Identity Linking, Scopes). */
const UCP_NAMES: ReadonlyMap<string, Scope> = new Map([
  ['dev.ucp.shopping.order:read', 'receipt:read'],
  ['dev.ucp.shopping.order:manage', 'order:write'],
]);

/** Both kinds of names, for who asks what may be asked for. */
export const ALL_SCOPE_NAMES: readonly string[] = [...SCOPES, ...UCP_NAMES.keys()];

const namesIn = (parameter = ''): readonly string[] => parameter.split(' ');

/** The names of UCP by which a `scope` parameter asks, so that the answer has them (RFC 6749 §5.1). */
export const ucpNamesIn = (parameter: string | undefined): readonly string[] =>
  [...UCP_NAMES.keys()].filter((name) => namesIn(parameter).includes(name));

/** The scopes of a token for its client, who asked for some of them by these names of UCP. */
export const scopeText = (scopes: readonly string[], names: readonly string[] = []): string =>
  [...scopes, ...names.filter((name) => scopes.includes(UCP_NAMES.get(name) ?? ''))].join(' ');

const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text);

/** The scopes of a `scope` parameter, none ignored. @throws OAuthError `scope_invalid`: none, unknown, or beyond `granted` */
export const scopesIn = (parameter: string | undefined, granted: readonly Scope[] = SCOPES): readonly Scope[] => {
  const requested = namesIn(parameter).map((name) => UCP_NAMES.get(name) ?? name);
  if (!requested.every(isScope) || !covers(granted, requested)) throw new OAuthError('scope_invalid');
  return SCOPES.filter((scope) => requested.includes(scope));
};
