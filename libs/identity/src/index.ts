export { Accounts, normalized } from './accounts/accounts.js';
export type { PasswordCost } from './accounts/password.js';
export { Passwords } from './accounts/passwords.js';
export { IdentityModule } from './identity.module.js';
export { type AccountRegistration, IdentitySettings, RECENT_LOGIN } from './identity-settings.js';
export { decisionIn, formAbout, formOf, hiddenFields, logoutForm, sendOn } from './login/forms.js';
export { LoginPages } from './login/login-pages.js';
export {
  CONFIRM_IDENTITY,
  type LoginText,
  type ReturnTarget,
  type ReturnTargetKind,
  ReturnTargets,
} from './login/return-targets.js';
export { type Parameters, parametersOf } from './parameters.js';
export { type ErrorAnswer, errorAnswer, ProtocolError, REQUEST_ERRORS, RequestError } from './protocol-error.js';
export { pageErrors, protocolErrors } from './protocol-error.format.js';
export { hashOf, newSecret, proofOf, sameSecret } from './secrets.js';
export { SecurityLog } from './security-log.js';
export { checkForm, csrfToken } from './sessions/form-guard.js';
export { sessionCookie, sessionIdIn } from './sessions/session-cookie.js';
export { Sessions } from './sessions/sessions.js';
export { isRecent, type Traveller, type Visitor, Visitors } from './sessions/visitors.js';
