import type { BaseUrls } from '#http';
import { SCOPES } from '#kernel';
import { PROMPTS } from '../authorize/authorization-requests.js';
import { type Resource, resourceAddress, RESOURCES } from '../requested-access.js';

const WITH_A_SECRET = ['client_secret_basic', 'client_secret_post'] as const;
const CLIENT_AUTHENTICATION = [...WITH_A_SECRET, 'none'] as const;

/** Authorization server metadata (RFC 8414 §2; RFC 9207 §3; RFC 9728 §4). It names what is there, nothing else. */
export const serverMetadata = (urls: BaseUrls) => ({
  issuer: urls.auth,
  authorization_endpoint: `${urls.auth}/oauth/authorize`,
  token_endpoint: `${urls.auth}/oauth/token`,
  revocation_endpoint: `${urls.auth}/oauth/revoke`,
  introspection_endpoint: `${urls.auth}/oauth/introspect`,
  jwks_uri: `${urls.auth}/oauth/jwks`,
  scopes_supported: SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  prompt_values_supported: PROMPTS,
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
  revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
  // Not for who cannot prove who they are (RFC 7662 §2.1).
  introspection_endpoint_auth_methods_supported: WITH_A_SECRET,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  // Left out, it would mean yes (OpenID Connect Discovery §3).
  request_uri_parameter_supported: false,
  protected_resources: RESOURCES.map((resource) => resourceAddress(resource, urls)),
  ui_locales_supported: ['pt-BR'],
});

const RESOURCE_NAMES: Readonly<Record<Resource, string>> = {
  api: 'Alçada: API de reservas de voo',
  mcp: 'Alçada: ferramentas MCP',
};

/** Protected resource metadata (RFC 9728 §2), each resource naming itself: clients refuse one that names another. */
export const resourceMetadata = (resource: Resource, urls: BaseUrls) => ({
  resource: resourceAddress(resource, urls),
  resource_name: RESOURCE_NAMES[resource],
  authorization_servers: [urls.auth],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
});
