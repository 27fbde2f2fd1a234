import type { BaseUrls, ProtectedResource } from '#http';
import { OAuthError } from './oauth-error.js';
import type { Parameters } from '#identity';

/** What a token can be good for (RFC 8707): the API and the MCP endpoint. Stored by name, since addresses depend on the request. */
export const RESOURCES = ['api', 'mcp'] as const satisfies readonly ProtectedResource[];
export type Resource = ProtectedResource;

/** The identifier of a resource as a request sees it. */
export const resourceAddress = (resource: Resource, { base, site }: BaseUrls): string =>
  resource === 'api' ? base : `${site}/mcp`;

/**
 * The resources asked for, each once; `granted` where none is.
 *
 * @throws OAuthError `target_invalid` where one is unknown or not among `granted`.
 */
export const checkResources = (
  parameters: Parameters,
  urls: BaseUrls,
  granted: readonly Resource[] = RESOURCES,
): readonly Resource[] => {
  const asked = parameters.all('resource');
  if (asked.length === 0) return granted;
  const known = granted.filter((resource) => asked.includes(resourceAddress(resource, urls)));
  if (known.length !== new Set(asked).size) throw new OAuthError('target_invalid');
  return known;
};
