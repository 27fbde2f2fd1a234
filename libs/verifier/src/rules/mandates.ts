import type { Json } from '../audited-event.js';
import { Names } from '../compact/names.js';
import { Records } from '../compact/records.js';
import { MandateHistory } from './mandate.js';
import type { MandateState } from './mandate-state.js';
import { NEWEST, type Version } from '../version.js';

/** How long (ms) after its end a fence is kept, since clocks of several processes may differ. */
const SKEW = 300_000;

/** Where the members of a record lie: those that many mandates share are numbers. */
const [KIND, FLAGS, TERMS, HOLDER, AGENT, PAID_ORDERS] = [0, 1, 2, 6, 10, 14] as const;
const [LIMIT, CONSUMED, EXPIRES, LATEST, WIDTH] = [18, 26, 34, 42, 50] as const;
const [KEPT, PAUSED, REVOKED, EXPIRED] = [1, 2, 4, 8] as const;
const KINDS = ['none', 'requested', 'approved', 'granted', 'abandoned'] as const;

/** What many mandates agree in. */
interface Terms {
  readonly scope: readonly string[];
  readonly constraints: Json;
  readonly currency: string;
}

/**
 * Every mandate of a log. One at which nothing is reserved, and whose fences are past, is at rest: it takes some eighty bytes
 * until its next event.
 */
export class Mandates {
  private readonly atWork = new Map<number, MandateHistory>();
  /** Goes round those at work, one step an event. */
  private round = this.atWork.entries();
  private readonly records = new Records(WIDTH);
  private readonly parties = new Names();
  private readonly terms: Terms[] = [];
  private readonly numbersOfTerms = new Map<string, number>();
  private latest = 0;

  /** `ids`: the numbers of mandates, by id; `rests`: whether mandates are put to rest, which the times of others decide. */
  constructor(
    private readonly ids: Names,
    private readonly rests: boolean,
    private readonly version: Version = NEWEST,
  ) {}

  /** The mandate of a stream, for its next event at this time. */
  at(stream: string, occurredAt: string): MandateHistory {
    this.latest = Math.max(this.latest, Date.parse(occurredAt) || 0);
    if (this.rests) this.putOneToRest();
    const number = this.ids.of(stream.slice('mandate-'.length));
    const known = this.atWork.get(number);
    if (known) return known;
    const history = new MandateHistory(stream, this.atRest(number) ?? undefined, this.version);
    this.atWork.set(number, history);
    return history;
  }

  /** What is known of a mandate; null: nothing is. */
  stateOf(id: string): MandateState | null {
    const number = this.ids.find(id);
    if (number < 0) return null;
    return this.atWork.get(number)?.state ?? this.atRest(number);
  }

  private putOneToRest(): void {
    const { done, value } = this.round.next();
    if (done === true) this.round = this.atWork.entries();
    else if (this.rest(...value)) this.atWork.delete(value[0]);
  }

  /** Writes a mandate down; false where its record would not hold all of it. */
  private rest(number: number, { state, isPending }: MandateHistory): boolean {
    const { records, parties } = this;
    const { reservations, settled, expiresAt, latestAt } = state;
    if (isPending || reservations.size > 0 || state.reserved !== 0) return false;
    for (const until of settled.values()) if (!(Date.parse(until) < this.latest - SKEW)) return false;
    if (![expiresAt, latestAt].every((time) => textOf(timeOf(time)) === time)) return false;
    const flags = [KEPT, state.isPaused && PAUSED, state.isRevoked && REVOKED, state.isExpired && EXPIRED];
    records.setU8(number, KIND, KINDS.indexOf(state.kind));
    records.setU8(
      number,
      FLAGS,
      flags.map(Number).reduce((sum, flag) => sum | flag),
    );
    records.setU32(number, TERMS, this.numberOf(state));
    records.setU32(number, HOLDER, parties.of(state.holder));
    records.setU32(number, AGENT, parties.of(state.clientId));
    records.setU32(number, PAID_ORDERS, state.paidOrders);
    records.setF64(number, LIMIT, state.limit.amount);
    records.setF64(number, CONSUMED, state.consumed);
    records.setF64(number, EXPIRES, timeOf(expiresAt));
    records.setF64(number, LATEST, timeOf(latestAt));
    return true;
  }

  private atRest(number: number): MandateState | null {
    const { records, parties } = this;
    const flags = records.u8(number, FLAGS);
    const terms = this.terms[records.u32(number, TERMS)];
    if (flags === 0 || !terms) return null;
    const { scope, constraints, currency } = terms;
    return {
      kind: KINDS[records.u8(number, KIND)] ?? 'none',
      holder: parties.nameOf(records.u32(number, HOLDER)),
      clientId: parties.nameOf(records.u32(number, AGENT)),
      scope,
      limit: { amount: records.f64(number, LIMIT), currency },
      expiresAt: textOf(records.f64(number, EXPIRES)),
      constraints,
      isPaused: (flags & PAUSED) !== 0,
      isRevoked: (flags & REVOKED) !== 0,
      isExpired: (flags & EXPIRED) !== 0,
      consumed: records.f64(number, CONSUMED),
      reserved: 0,
      paidOrders: records.u32(number, PAID_ORDERS),
      reservations: new Map(),
      settled: new Map(),
      latestAt: textOf(records.f64(number, LATEST)),
    };
  }

  private numberOf({ scope, constraints, limit: { currency } }: MandateState): number {
    const text = JSON.stringify([scope, constraints, currency]);
    const known = this.numbersOfTerms.get(text);
    if (known !== undefined) return known;
    this.numbersOfTerms.set(text, this.terms.length);
    return this.terms.push({ scope, constraints, currency }) - 1;
  }
}

/** Milliseconds of an instant; of none, and of what is none, 0. */
const timeOf = (instant: string): number => Date.parse(instant) || 0;

const textOf = (time: number): string => (time === 0 ? '' : new Date(time).toISOString());
