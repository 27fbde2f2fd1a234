import type { Amount, AuditedEvent, Breach, Json } from '../audited-event.js';
import { canonicalJson } from '../canonical-json.js';
import { consume, refund, refuse, release, reserve, type Trip } from './charges.js';
import { formFault, isAmount, otherTimes } from './event-forms.js';
import {
  type MandateState,
  type MandateStatus,
  type ReportBreach,
  reporterAt,
  statusAt,
  unknownMandate,
} from './mandate-state.js';
import { amount, instant, integer, isTraveller, object, shown, text, texts } from './members.js';
import { pause, resume } from './pauses.js';
import { NEWEST, type Version } from '../version.js';

/** What an event made of its mandate. Amounts without a currency are cents of the mandate's own. */
export interface MandateStep {
  readonly event: AuditedEvent;
  readonly at: string;
  /** The agent in whose name it was written; null: the service itself. */
  readonly agent: string | null;
  readonly orderId: string | null;
  /** What was reserved, consumed, released or refused. */
  readonly amount: Amount | null;
  readonly limit: Amount;
  /** What was charged, without what came back of it. */
  readonly consumed: number;
  readonly refunded: number;
  readonly reserved: number;
  readonly remaining: number;
  readonly status: MandateStatus;
  /** Why a charge was refused, as it is recorded. */
  readonly refusal: string | null;
  readonly breaches: readonly Breach[];
}

export interface MandateReplay {
  readonly steps: readonly MandateStep[];
  readonly breaches: readonly Breach[];
}

/** Replays a mandate's stream, from its first event on, as a version of bundles has it. */
export const replayMandate = (
  stream: string,
  events: Iterable<AuditedEvent>,
  version: Version = NEWEST,
): MandateReplay => {
  const history = new MandateHistory(stream, undefined, version);
  const steps = [...events].map((event) => history.next(event));
  return { steps, breaches: steps.flatMap(({ breaches }) => breaches) };
};

/** A mandate that is replayed event by event; it keeps totals and what is open, never every order. */
export class MandateHistory {
  /** What was asked for, and what of it was approved: what is created has to be both. */
  private requested: Json | null = null;
  private approval: Json | null = null;

  constructor(
    private readonly stream: string,
    readonly state: MandateState = unknownMandate(),
    private readonly version: Version = NEWEST,
  ) {}

  /** The next event of the stream; `trip`: what the order that it names buys, where that is known. */
  next(event: AuditedEvent, trip: Trip | null = null): MandateStep {
    const { state } = this;
    const { revision, data, metadata } = event;
    const breaches: Breach[] = [];
    const report = reporterAt(breaches, this.stream, revision);
    const at = metadata.occurredAt;
    if (at < state.latestAt) report('time', `${at} is earlier than what came before it, ${state.latestAt}`);
    const fault = formFault(event, this.version);
    // What is of no form changes nothing, and nothing else is asked of it.
    if (fault !== null) report('form', fault);
    else this.apply(event, trip, report);
    if (at > state.latestAt) state.latestAt = at;
    for (const [orderId, until] of state.settled) {
      if (until >= state.latestAt) break; // in the order in which they were settled, which is nearly that of their ends
      state.settled.delete(orderId);
    }
    const { limit, consumed, refunded, reserved } = state;
    return {
      event,
      at,
      agent: metadata.actor.clientId,
      orderId: typeof data['orderId'] === 'string' ? data['orderId'] : null,
      amount: isAmount(data['amount']) ? data['amount'] : null,
      limit,
      consumed,
      refunded,
      reserved,
      remaining: limit.amount - consumed - reserved,
      status: statusAt(state, at),
      refusal: typeof data['reason'] === 'string' ? data['reason'] : null,
      breaches,
    };
  }

  private apply(event: AuditedEvent, trip: Trip | null, report: ReportBreach): void {
    const { type, data, metadata } = event;
    const { state } = this;
    const at = metadata.occurredAt;
    for (const name of otherTimes(event, this.version)) report('time', `${name} is not the time of its event`);
    if (state.kind === 'abandoned') report('life', `${type} in the stream of a mandate that was given up`);
    if (state.kind === 'none' && !OPENINGS.includes(type)) report('life', `${type} before the mandate was created`);
    if (this.version >= 3 && DECISIONS.includes(type) && !isTraveller(metadata.actor, state.holder))
      report('actor', `${type} by another than its traveller`);
    switch (type) {
      case 'MandateRequested':
        this.request(data, report);
        return;
      case 'MandateApproved':
        this.approve(data, at, report);
        return;
      case 'MandateCreated':
        this.create(data, at, report);
        return;
      case 'MandateAbandoned':
        if (state.kind !== 'none') report('life', 'a mandate that exists was given up');
        state.kind = 'abandoned';
        return;
      case 'MandateReserved':
        reserve(state, event, trip, { version: this.version, report });
        return;
      case 'MandateConsumed':
        consume(state, data, report);
        return;
      case 'MandateRefunded':
        refund(state, data, report);
        return;
      case 'MandateReleased':
        release(state, event, report);
        return;
      case 'MandateChargeRefused':
        refuse(state, event, trip, { version: this.version, report });
        return;
      case 'MandateNarrowed':
        this.narrow(data, at, report);
        return;
      case 'MandatePaused':
        pause(state, this.version >= 4 ? data['pause'] : undefined, at, report);
        return;
      case 'MandateResumed':
        resume(state, this.version >= 4 ? data['pause'] : undefined, at, report);
        return;
      case 'MandateRevoked':
        if (!this.isInForce(at)) report('life', 'revoked after its end');
        state.isRevoked = true;
        return;
      case 'MandateExpired':
        if (state.isRevoked || state.isExpired) report('life', 'expired after its end');
        if (at < state.expiresAt) report('life', `expired before ${state.expiresAt}`);
        state.isExpired = true;
    }
  }

  private isInForce(at: string): boolean {
    return !['revoked', 'expired', 'abandoned'].includes(statusAt(this.state, at));
  }

  private request(data: Json, report: ReportBreach): void {
    if (this.state.kind !== 'none') report('life', 'asked for, and it exists already');
    this.requested = data;
    this.approval = null;
    this.take(data, 'requested', instant(data, 'lapsesAt'));
  }

  private approve(data: Json, at: string, report: ReportBreach): void {
    if (this.state.kind !== 'requested' || !this.isInForce(at)) report('life', 'approved, and it does not wait');
    this.state.kind = 'approved';
    this.approval = data;
  }

  /** What was asked for is created as it was approved, before it lapses; anything else opens its stream (rule 31). */
  private create(data: Json, at: string, report: ReportBreach): void {
    const { state, requested, approval } = this;
    if (state.kind === 'requested') report('life', 'created, and never approved');
    if (state.kind === 'granted') report('life', 'created twice');
    if (state.kind === 'approved' && !this.isInForce(at)) report('life', 'created after its request was over');
    const others = [
      ...(requested ? ASKED.filter((name) => !isSameTerm(requested[name], data[name])) : []),
      ...(approval ? APPROVED.filter((name) => !isSameTerm(approval[name], data[name])) : []),
      ...(approval && data['grantedBy'] !== 'traveller' ? ['grantedBy'] : []),
    ];
    if (others.length > 0)
      report('terms', `created with other terms than were asked for and approved: ${others.join()}`);
    const [startsAt, expiresAt] = [instant(data, 'startsAt'), instant(data, 'expiresAt')];
    const minutes = integer(data, 'minutes');
    if (this.version >= 3 && Date.parse(startsAt) + minutes * MINUTE !== Date.parse(expiresAt))
      report('terms', `from ${startsAt} to ${expiresAt}: that is not ${minutes} minutes`);
    this.requested = null;
    this.approval = null;
    this.take(data, 'granted', expiresAt);
  }

  private take(data: Json, kind: 'requested' | 'granted', expiresAt: string): void {
    const { state } = this;
    state.kind = kind;
    state.holder = text(data, 'holder');
    state.clientId = text(data, 'clientId');
    state.scope = texts(data, 'scope');
    state.limit = amount(data, 'limit');
    state.expiresAt = expiresAt;
    state.constraints = data['constraints'] === undefined ? {} : object(data, 'constraints');
  }

  /** Never more than before, never less than is spent and set aside, and never over within a minute (rule 29). */
  private narrow(data: Json, at: string, report: ReportBreach): void {
    const { state } = this;
    const limit = amount(data, 'limit');
    const expiresAt = instant(data, 'expiresAt');
    if (state.kind !== 'granted' || !this.isInForce(at)) report('life', 'narrowed, and not in force');
    const { consumed, reserved } = state;
    if (limit.currency !== state.limit.currency || limit.amount > state.limit.amount)
      report('narrowing', `from ${shown(state.limit)} to ${shown(limit)}: that is no less`);
    if (limit.amount < consumed + reserved) report('narrowing', `to ${shown(limit)}: less than is spent and set aside`);
    const isSooner = expiresAt !== state.expiresAt;
    if (expiresAt > state.expiresAt) report('narrowing', `to a later end, ${expiresAt}`);
    else if (isSooner && Date.parse(expiresAt) - Date.parse(at) < MINUTE)
      report('narrowing', `to an end within a minute, ${expiresAt}`);
    state.limit = limit;
    state.expiresAt = expiresAt;
  }
}

const MINUTE = 60_000;
const OPENINGS = ['MandateRequested', 'MandateCreated', 'MandateAbandoned'];

/** What its traveller alone decides. */
const DECISIONS = ['MandateApproved', 'MandateNarrowed', 'MandatePaused', 'MandateResumed'];

/** What a mandate that was asked for takes from its request, and what from its approval. */
const ASKED = ['holder', 'clientId', 'scope', 'constraints'] as const;
const APPROVED = ['limit', 'minutes', 'startsAt', 'expiresAt'] as const;

/** No constraints are the same as none named. */
const isSameTerm = (one: unknown, other: unknown): boolean => canonicalJson(one ?? {}) === canonicalJson(other ?? {});
