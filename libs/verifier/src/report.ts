import type { Amount, Breach } from './audited-event.js';
import type { About } from './bundle.js';

/** What a verification proves, each on top of those before it (docs/audit-format.md, The report). */
export type Statement =
  /** The checkpoint is signed by the key that the reader gave. */
  | 'signed'
  /** As many witnesses of the reader's policy as it asks for have seen that checkpoint. */
  | 'witnessed'
  /** Every event, as the bundle has it, is an entry of the log at that checkpoint. */
  | 'logged'
  /** Every stream is chained from its first event in the bundle on, without a gap. */
  | 'chained'
  /** Every stream of the bundle was judged from its first event, and none of them broke a rule. */
  | 'rules'
  /** From its first event in the bundle on, every stream is whole as of the checkpoint: it has no other entry. */
  | 'whole';

/** What no bundle can prove, or this one does not. */
export type Caveat =
  /** No witness vouches that others are shown the same log. */
  | 'unwitnessed'
  /** The entries of the log were not read: events may be left out. */
  | 'unscanned'
  /** Some streams begin here after their first event. */
  | 'partial'
  /** The log names its entries by keys, and of a stream none of those is here: that its key is its own was not seen. */
  | 'keys'
  /** That a stream has one pseudonym, and one key, is the operator's word. */
  | 'pseudonyms'
  /** Which streams belong to its subject is the word of whoever made the bundle. */
  | 'selection'
  /** What lies outside of the log: that a card was charged, and who a traveller is. */
  | 'outside';

export interface ReportedCheckpoint {
  readonly origin: string;
  readonly size: number;
  /** Base64. */
  readonly root: string;
  /** The witnesses of the policy whose cosignatures hold. */
  readonly witnesses: readonly string[];
}

export interface ReportedStream {
  readonly stream: string;
  /** Of its first event; null: its entry has none. */
  readonly pseudonym: string | null;
  readonly first: number;
  readonly events: number;
}

/** A mandate after one of its events, in cents of the currency of its limit. */
export interface ReportedStep {
  readonly revision: number;
  readonly type: string;
  readonly at: string;
  readonly agent: string | null;
  readonly orderId: string | null;
  readonly amount: Amount | null;
  readonly limit: Amount;
  readonly consumed: number;
  readonly reserved: number;
  readonly remaining: number;
  readonly status: string;
  readonly refusal: string | null;
}

/** What the rules were applied to: whole streams by kind, and events. `followed`: orders with their checkout. */
export interface Applied {
  readonly events: number;
  readonly mandates: number;
  readonly delegations: number;
  readonly bookings: number;
  readonly orders: number;
  readonly followed: number;
  readonly flights: number;
  /** Streams of which no more is asked than the form and time of their events. */
  readonly others: number;
}

/** What became of verifying a bundle or a proof. */
export interface BundleReport {
  readonly verdict: 'sound' | 'broken';
  /** Null: a proof alone, or a bundle whose first line cannot be read. */
  readonly about: About | null;
  /** Null: it cannot be read. */
  readonly checkpoint: ReportedCheckpoint | null;
  readonly events: number;
  readonly streams: readonly ReportedStream[];
  /** Each mandate that begins in the bundle, replayed. */
  readonly mandates: readonly { readonly stream: string; readonly steps: readonly ReportedStep[] }[];
  readonly applied: Applied;
  readonly breaches: readonly Breach[];
  readonly proven: readonly Statement[];
  readonly unproven: readonly Caveat[];
}

export const NOTHING_APPLIED: Applied = {
  events: 0,
  mandates: 0,
  delegations: 0,
  bookings: 0,
  orders: 0,
  followed: 0,
  flights: 0,
  others: 0,
};

/** What was looked at, which decides what may be claimed of it. */
export interface Examined {
  readonly breaches: readonly Breach[];
  /** Whether witnesses were asked for. */
  readonly asksWitnesses: boolean;
  /** Null: a proof of one event, which was chained to nothing and judged by no rule. */
  readonly about: About | null;
  readonly events: number;
  /** Whether every stream begins here and has no gap, so that it was judged whole. */
  readonly isJudged: boolean;
  /** Whether a stream begins here after its first event. */
  readonly isPartial: boolean;
  /** Whether all entries of the log were read. */
  readonly isScanned: boolean;
  /** Whether a stream has no entry of the second form, which would show that its key is its own, and the log has some. */
  readonly isKeyUnproven: boolean;
}

/** What is proven. Each statement stands on those before it: what nobody signed is in no log, and rules that were kept in it prove nothing. */
export const provenBy = (examined: Examined): readonly Statement[] => {
  const { breaches, asksWitnesses, about, events, isJudged, isScanned, isKeyUnproven } = examined;
  const isBroken = (statement: Statement): boolean =>
    breaches.some(({ rule }) => (BROKEN_BY[rule] ?? ['rules']).includes(statement));
  const proven: Statement[] = [];
  const claim = (statement: Statement, ...onTopOf: readonly Statement[]): void => {
    if (!isBroken(statement) && onTopOf.every((one) => proven.includes(one))) proven.push(statement);
  };
  claim('signed');
  if (asksWitnesses) claim('witnessed', 'signed');
  if (events === 0) return proven;
  claim('logged', 'signed');
  if (about === null) return proven;
  claim('chained', 'logged');
  if (isJudged) claim('rules', 'chained');
  if (isScanned && !isKeyUnproven) claim('whole', 'chained');
  return proven;
};

/** What is not proven, or never can be. */
export const unprovenBy = ({ isPartial, isKeyUnproven }: Examined, proven: readonly Statement[]): readonly Caveat[] => [
  ...(proven.includes('witnessed') ? [] : (['unwitnessed'] as const)),
  ...(proven.includes('whole') || isKeyUnproven ? [] : (['unscanned'] as const)),
  ...(isKeyUnproven ? (['keys'] as const) : []),
  ...(isPartial ? (['partial'] as const) : []),
  'pseudonyms',
  'selection',
  'outside',
];

/** What a breach leaves unproven; that of any other rule is one of what happened. */
const BROKEN_BY: Readonly<Record<string, readonly Statement[]>> = {
  format: ['whole'],
  subject: ['whole'],
  sequence: ['logged'],
  pseudonym: ['logged'],
  inclusion: ['logged'],
  checkpoint: ['signed'],
  chain: ['logged'],
  revision: ['chained'],
  log: ['whole'],
  fork: ['whole'],
  omitted: ['whole'],
};
