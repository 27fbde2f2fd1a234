/**
 * Who logs in where: a kind of account with collections and a cookie of its own, so that neither an account nor a session
 * of one realm is known in another. A value; the class is its own injection token.
 */
export abstract class Realm {
  /** Collection of the accounts. */
  abstract readonly accounts: string;
  /** Collection of the logins. */
  abstract readonly sessions: string;
  /** Collection of the recent wrong passwords. */
  abstract readonly failures: string;
  /** The cookie that holds the session id; over https with a prefix that binds it to the host. */
  abstract readonly cookie: string;
}

/** The people who let agents buy for them. */
export const TRAVELLERS: Realm = {
  accounts: 'accounts',
  sessions: 'sessions',
  failures: 'login-failures',
  cookie: 'alcada_session',
};

/** The people who check what agents did. */
export const AUDITORS: Realm = {
  accounts: 'auditors',
  sessions: 'auditor-sessions',
  failures: 'auditor-login-failures',
  cookie: 'alcada_auditor',
};
