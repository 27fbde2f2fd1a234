import type { Amount, Breach, Json } from '../audited-event.js';

/** The first that applies of revoked, expired, requested, paused, exhausted, valid (docs/consistency.md, rule 17). */
export type MandateStatus = 'requested' | 'valid' | 'paused' | 'exhausted' | 'revoked' | 'expired' | 'abandoned';

/** What is known of a mandate after some of its events; the rules of charges change it. */
export interface MandateState {
  kind: 'none' | 'requested' | 'approved' | 'granted' | 'abandoned';
  holder: string;
  clientId: string;
  scope: readonly string[];
  limit: Amount;
  /** From then on nothing is reserved; of a request: when it lapses. */
  expiresAt: string;
  constraints: Json;
  isPaused: boolean;
  /** The last pause of everything that reached it, beside its own; 0: none did. */
  pause: number;
  isPausedWithAll: boolean;
  isRevoked: boolean;
  /** Its end is written down, and final whatever a clock says (rule 16). */
  isExpired: boolean;
  consumed: number;
  reserved: number;
  paidOrders: number;
  /** Cents that came back: `consumed` is without them; and the orders that they came back for. */
  refunded: number;
  readonly refunds: Set<string>;
  readonly reservations: Map<string, { readonly amount: Amount; readonly holdBefore: string }>;
  /** Orders that are settled, each up to and including an instant: no reservation of it could come later (rule 6). */
  readonly settled: Map<string, string>;
  latestAt: string;
}

/** A mandate of which there was no event. */
export const unknownMandate = (): MandateState => ({
  kind: 'none',
  holder: '',
  clientId: '',
  scope: [],
  limit: { amount: 0, currency: 'BRL' },
  expiresAt: '',
  constraints: {},
  isPaused: false,
  pause: 0,
  isPausedWithAll: false,
  isRevoked: false,
  isExpired: false,
  consumed: 0,
  reserved: 0,
  paidOrders: 0,
  refunded: 0,
  refunds: new Set(),
  reservations: new Map(),
  settled: new Map(),
  latestAt: '',
});

export type ReportBreach = (rule: string, message: string) => void;

/** Breaches at the place of an event. */
export const reporterAt =
  (found: Breach[], stream: string, revision: number | null): ReportBreach =>
  (rule, message) => {
    found.push({ rule, stream, revision, message });
  };

export const statusAt = (state: MandateState, at: string): MandateStatus => {
  if (state.kind === 'none' || state.kind === 'abandoned') return 'abandoned';
  if (state.isRevoked) return 'revoked';
  if (state.isExpired || at >= state.expiresAt) return 'expired';
  if (state.kind !== 'granted') return 'requested';
  if (state.isPaused || state.isPausedWithAll) return 'paused';
  return state.consumed === state.limit.amount ? 'exhausted' : 'valid';
};
