export { modeEntered } from './authorize/approval-mode.js';
export { AuthorizationRequests } from './authorize/authorization-requests.js';
export { type CapConsequences, capConsequences, CONFIRMED } from './authorize/consent-ending.page.js';
export { type CapField, capEntry, capField, capIn } from './authorize/cap-field.js';
export {
  alertOf,
  constraintWords,
  entriesIn,
  ENTRY_PROBLEMS,
  grantedBy,
  type MandateEntry,
  mandateFields,
  AGENTS_PAUSED,
  NO_ROOM_IN_CAP,
  TOO_MANY_MANDATES,
} from './authorize/mandate-fields.js';
export { powersList, SCOPE_WORDS } from './authorize/scope-words.js';
export { type ClientKeys, clientKeysIn } from './clients/client-keys.js';
export { hostsOf, shownName, travellersName, UNVERIFIED } from './clients/client-name.js';
export { Clients, type ClientRegistration, type NewClient } from './clients/clients.js';
export { DefaultCredentialsRefused } from './default-credentials.js';
export { detailsSchemaUrl } from './discovery/discovery.controller.js';
export { Consents } from './authorize/remembered-consents.js';
export { Grants } from './grants/grants.js';
export { MessageKeys } from './keys/signing-keys.js';
export { OAUTH_ERRORS, OAuthError } from './oauth-error.js';
export { OAuthModule } from './oauth.module.js';
export { LIFETIMES, OAuthSettings } from './oauth-settings.js';
export { type ListedClient, type RevokeAgents } from './registry/client-registry.js';
export { type EndedAccess, endAccess } from './registry/end-access.js';
export { openAuditorRegistry, openKeyRegistry, openRegistry, type Registry } from './registry/open-registry.js';
export { RevokeAgent, revokeAgent, RevokeAgentModule, revokeAgents } from './revoke-agent/revoke-agent.js';
export type { KeyRegistry, ListedKey } from './registry/key-registry.js';
