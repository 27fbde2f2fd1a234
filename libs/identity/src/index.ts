export { Accounts, normalized } from './accounts/accounts.js';
export { Passwords } from './accounts/passwords.js';
export { IdentityModule } from './identity.module.js';
export {
  type AccountRegistration,
  AUDITORS,
  IdentitySettings,
  nameOf,
  Realm,
  RECENT_LOGIN,
} from './identity-settings.js';
export {
  csrfToken,
  decisionIn,
  formOf,
  formWith,
  hiddenFields,
  isOwnOrigin,
  logoutForm,
  subjectOf,
} from './login/forms.js';
export { LoginFailures } from './login/login-failures.js';
export { loginPage, LoginPages, publicLoginText, type RefusedLogin } from './login/login.page.js';
export { LoginService } from './login/login-service.js';
export { CONFIRM_IDENTITY, type LoginText, type ReturnTargetKind, ReturnTargets } from './login/return-targets.js';
export {
  CurrentVisit,
  FormFields,
  isAbout,
  NotFound,
  type PathParameters,
  type Visit,
  visited,
  VisitGuard,
} from './login/visit.guard.js';
export { type Parameters, parametersOf } from './parameters.js';
export {
  type ErrorAnswer,
  errorAnswer,
  errorPage,
  pageErrors,
  pageErrorsWith,
  ProtocolError,
  protocolErrors,
  REQUEST_ERRORS,
  RequestError,
} from './protocol-error.js';
export { hashOf, hmacOf, newSecret, sameSecret } from './secrets.js';
export { SecurityLog } from './security-log.js';
export { isRecent, type Session, sessionIdIn, Sessions, setSessionId, type Traveller } from './sessions.js';
