export { type CapConsequences, capConsequences, CONFIRMED, consequencesOf } from './authorize/cap-consequences.js';
export { type CapField, capEntry, capField, capIn } from './authorize/cap-field.js';
export { SCOPE_WORDS } from './authorize/consent.page.js';
export { Clients } from './clients/clients.js';
export { DefaultCredentialsRefused } from './default-credentials.js';
export { OAUTH_ERRORS, OAuthError } from './oauth-error.js';
export { OAuthModule } from './oauth.module.js';
export { type ClientRegistration, LIFETIMES, OAuthSettings } from './oauth-settings.js';
export { type ListedClient, RegistrationRefused } from './registry/client-registry.js';
export {
  type KeyRegistry,
  type ListedKey,
  openKeyRegistry,
  openRegistry,
  type Registry,
} from './registry/open-registry.js';
export { type ListedTraveller } from './registry/traveller-registry.js';
export { RevokeAgent, RevokeAgentModule } from './revoke-agent/revoke-agent.js';
