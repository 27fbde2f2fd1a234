import type { Ids } from './time-and-ids.port.js';

/** What something written belongs to, and what made it be written: ids of ours, and a place in a trace (docs/adr/0054). */
export interface Cause {
  /** Id of all that began together: a UUID made of the trace id (W3C Trace Context §3.2.2.3), or the work's name. */
  readonly correlationId: string;
  /** What directly made it be written: the span of a request or piece of work, 16 hexadecimal digits; its name where untraced. */
  readonly causationId: string;
  /** Id of the request, as the log has it; absent: no request is the cause. It is not stored. */
  readonly requestId?: string;
}

/** A new cause. `correlationId`: a random UUID of ours that has no cause yet. */
export const newCause = (ids: Ids, correlationId: string = ids.next()): Cause => {
  const random = ids.next();
  // 64 random bits: these two parts of a UUID hold neither its version nor its variant (RFC 9562 §5.4).
  return { correlationId, causationId: random.slice(0, 8) + random.slice(28) };
};

/** The OAuth scopes that a mandate may have: a mandate's scope is a subset of them. */
export const MANDATE_SCOPES = [
  'catalog:read',
  'booking:write',
  'order:write',
  'mandate:create',
  'payment:execute',
  'receipt:read',
] as const;

/** The seven OAuth scopes (docs/interface.md, Scopes). */
export const SCOPES = [...MANDATE_SCOPES, 'webhook:manage'] as const;
export type Scope = (typeof SCOPES)[number];

/** What a mandate must cover for a charge (docs/decisions.md, Mandate). */
export const CHARGE_SCOPES: readonly [Scope, ...Scope[]] = ['order:write', 'payment:execute'];

/** The same where mandates of AP2 authorize the order itself. */
export const PAYMENT_SCOPES: readonly [Scope] = ['payment:execute'];

export const covers = (granted: readonly Scope[], needed: readonly Scope[]): boolean =>
  needed.every((scope) => granted.includes(scope));

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

export const partyOf = ({ holder, clientId }: Party): Party => ({ holder, clientId });

/** A traveller and an agent as one text, to keep or count by. */
export const partyKey = ({ holder, clientId }: Party): string => `${holder} ${clientId}`;

/** The actor, where that is a traveller through an agent. */
export const partyIn = ({ holder, clientId }: Actor): Party | undefined =>
  holder !== null && clientId !== null ? { holder, clientId } : undefined;

/** What the ids of agents begin with that nobody registered: known by their metadata document, or registered by themselves. */
const OF_STRANGERS = { metadata: 'cimd-', dynamic: 'dcr-' } as const;

export const strangerId = (registration: keyof typeof OF_STRANGERS, rest: string): string =>
  `${OF_STRANGERS[registration]}${rest}`;

export const isStrangerId = (clientId: string): boolean =>
  Object.values(OF_STRANGERS).some((prefix) => clientId.startsWith(prefix));

export interface Caller extends Party {
  readonly scopes: readonly Scope[];
  readonly grantId: string;
}

/** Why something is written: who acts, and what it belongs to. */
export interface Context extends Cause {
  readonly actor: Actor;
}

/** The context of work the system does under a name that is always the same, such as an import. */
export const systemContext = (cause: string): Context => ({ actor: SYSTEM, correlationId: cause, causationId: cause });

/** What reports and pages show where a person's data have been erased (docs/operations.md, Erasing a person). */
export const ERASED = '[apagado]';
