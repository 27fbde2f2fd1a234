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

/** What accounts and logins need to know. A value; the class is its own token. */
export abstract class IdentitySettings {
  abstract readonly accounts: readonly AccountRegistration[];
  /** The cost at which passwords are hashed from now on. */
  abstract readonly passwordCost: PasswordCost;
  /** Wrong passwords of an account and address that cost nothing; 0: none ever costs anything. */
  abstract readonly loginFailures: number;
}

/** How long a login lasts, in ms. */
export const SESSION_LIFE = 43_200_000;

/** How long after a login the password counts as just shown, in ms (docs/decisions.md, Test processor). */
export const RECENT_LOGIN = 300_000;
