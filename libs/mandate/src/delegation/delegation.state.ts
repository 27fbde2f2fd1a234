import type { HeldByAll } from '../pause/pause.state.js';
import type { Currency, Fence, Instant, Money } from '#kernel';

/** A mandate of this agent that still counts: not closed. */
export interface OpenMandate {
  readonly limit: Money;
  readonly expiresAt: Instant;
  /** Cents that came back to it; absent: nothing did. */
  readonly refunded?: number;
}

export interface ClosedMandate {
  readonly mandateId: string;
  readonly until: Instant;
}

/** An agent that its traveller let in once. Totals and what is open, never every mandate (docs/consistency.md, rule 15). */
export interface KnownDelegation {
  /** `revoked`: until a new consent. */
  readonly status: 'authorized' | 'revoked';
  /** By id, in the order in which they were opened: ids are UUIDs, so an object keeps it. */
  readonly openMandates: Readonly<Record<string, OpenMandate>>;
  /** Of those, the ones to be ended since the agent was revoked or a cap left no room for them, whatever comes later. */
  readonly ending: readonly string[];
  /** Those that were closed of late, and until when they are remembered: nothing opens them again. */
  readonly closed: readonly ClosedMandate[];
  /** Orders whose refunds were counted, until some minutes after their flights have left. */
  readonly refunds: readonly Fence[];
  /** Whether its traveller wants to be asked for each mandate; `mustAsk` says whether it has to ask. */
  readonly asksFirst: boolean;
  /** The last pause of everything that reached it; absent: none did. */
  readonly pauseOfAll?: HeldByAll;
  /** Nobody registered it: it is what it says of itself. */
  readonly isStranger?: true;
  /** The hosts to which its codes went since it was let in, the newest first; absent: events from before do not say. */
  readonly redirectHosts?: readonly string[];
  /** What this agent may spend in all; null: no cap. */
  readonly cap: Money | null;
  /** Cents charged to the mandates closed since the first cap, less what came back, by currency; null: there was never a cap. */
  readonly spent: Readonly<Partial<Record<Currency, number>>> | null;
}

/** What a traveller lets one agent do (docs/consistency.md, rule 19). */
export type Delegation = { readonly status: 'unknown' } | KnownDelegation;

/** Whether the agent asks for each mandate: where its traveller said so, or nobody registered it and it has no cap (rule 31). */
export const mustAsk = (delegation: Delegation): boolean =>
  delegation.status !== 'unknown' &&
  (delegation.asksFirst || (delegation.isStranger === true && delegation.cap === null));
