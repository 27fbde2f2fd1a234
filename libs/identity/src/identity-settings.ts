/** The cost parameters of scrypt (RFC 7914 §2). One guess needs 128 · N · r bytes. */
export interface PasswordCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** A traveller known from configuration. */
export interface AccountRegistration {
  readonly email: string;
  readonly password: string;
}

/** What a traveller of a test environment is called, after their address: `Ana`. */
export const nameOf = (email: string): string => {
  const [name = ''] = email.split(/[@.+_-]/, 1);
  return name.charAt(0).toLocaleUpperCase('pt-BR') + name.slice(1);
};

/** The settings of accounts and logins. A value; the class is its own injection token. */
export abstract class IdentitySettings {
  abstract readonly accounts: readonly AccountRegistration[];
  /** The account that the login page names with its password, which is public; null or absent: none. */
  abstract readonly shownAccount?: AccountRegistration | null;
  /** The cost at which passwords are hashed from now on. */
  abstract readonly passwordCost: PasswordCost;
  /** How many wrong passwords of an account and address cause no wait; 0: none ever does. */
  abstract readonly loginFailures: number;
}

/** How long a login lasts, in ms. */
export const SESSION_LIFE = 43_200_000;

/** How long a login counts as recent, in ms (docs/decisions.md, Test processor). */
export const RECENT_LOGIN = 300_000;

/** A kind of account with its own collections and cookie: nothing of one realm is known in another. */
export abstract class Realm {
  abstract readonly accounts: string;
  abstract readonly sessions: string;
  abstract readonly failures: string;
  /** The cookie that holds the session id; over https with a prefix that binds it to the host. */
  abstract readonly cookie: string;
}

export const TRAVELLERS: Realm = {
  accounts: 'accounts',
  sessions: 'sessions',
  failures: 'login-failures',
  cookie: 'alcada_session',
};

export const AUDITORS: Realm = {
  accounts: 'auditors',
  sessions: 'auditor-sessions',
  failures: 'auditor-login-failures',
  cookie: 'alcada_auditor',
};
