import type { Cause } from './cause.js';
import type { Scope } from './scopes.js';

/** On whose behalf something happens: a traveller (`holder`) through one agent (`clientId`), or the system itself. */
export interface Actor {
  readonly holder: string | null;
  readonly clientId: string | null;
}

/** The system acting by itself: imports, the recovery worker, leases. */
export const SYSTEM: Actor = { holder: null, clientId: null };

/** The two sides of everything an agent does: the traveller it acts for, and the agent. */
export interface Party {
  /** The traveller: the token's `sub`, a random UUID. */
  readonly holder: string;
  /** The agent: the token's `client_id`. */
  readonly clientId: string;
}

/** Who sent a request: what a verified access token says. */
export interface Caller extends Party {
  readonly scopes: readonly Scope[];
  /** The grant the token was issued under. */
  readonly grantId: string;
}

/** Why something is written: who acts, and what it belongs to. */
export interface Context extends Cause {
  readonly actor: Actor;
}

/** The context of work the system does under a name that is always the same, such as an import. */
export const systemContext = (cause: string): Context => ({ actor: SYSTEM, correlationId: cause, causationId: cause });
