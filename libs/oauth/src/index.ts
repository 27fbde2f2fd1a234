export { OAuthModule } from './oauth.module.js';
export { type AccountRegistration, type ClientRegistration, OAuthSettings } from './oauth-settings.js';
export { SCOPE_WORDS } from './pages/scope-words.js';
