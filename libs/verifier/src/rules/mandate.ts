import type { Amount, AuditedEvent, Breach, Json } from '../audited-event.js';
import { consume, refuse, release, reserve } from './charges.js';
import { type MandateState, type MandateStatus, statusAt, type Tell } from './mandate-state.js';
import { amount, instant, isSame, object, shown, text, texts, WrongForm } from './members.js';

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
  readonly consumed: number;
  readonly reserved: number;
  readonly remaining: number;
  readonly status: MandateStatus;
  /** Why a charge was refused, as it is recorded. */
  readonly refusal: string | null;
  /** What of this event breaks a rule. */
  readonly breaches: readonly Breach[];
}

export interface MandateReplay {
  readonly steps: readonly MandateStep[];
  /** Those of all steps. */
  readonly breaches: readonly Breach[];
}

/** Replays a mandate's stream, from its first event on. */
export const replayMandate = (stream: string, events: Iterable<AuditedEvent>): MandateReplay => {
  const history = new MandateHistory(stream);
  const steps = [...events].map((event) => history.next(event));
  return { steps, breaches: steps.flatMap(({ breaches }) => breaches) };
};

/** A mandate that is replayed event by event; it keeps totals and what is open, never every order. */
export class MandateHistory {
  private approval: { readonly limit: Amount; readonly expiresAt: string } | null = null;

  constructor(
    private readonly stream: string,
    readonly state: MandateState = unknown(),
  ) {}

  /** Whether it is approved and not created yet. */
  get isApproving(): boolean {
    return this.approval !== null;
  }

  /** The next event of the stream. */
  next(event: AuditedEvent): MandateStep {
    const { state } = this;
    const { revision, data, metadata } = event;
    const breaches: Breach[] = [];
    const tell: Tell = (rule, message) => void breaches.push({ rule, stream: this.stream, revision, message });
    try {
      this.apply(event, tell);
    } catch (error) {
      if (!(error instanceof WrongForm)) throw error;
      tell('form', `${event.type}: ${error.message}`);
    }
    const at = metadata.occurredAt;
    if (at > state.latestAt) state.latestAt = at;
    for (const [orderId, until] of state.settled) {
      if (until >= state.latestAt) break; // in the order in which they were settled, which is nearly that of their ends
      state.settled.delete(orderId);
    }
    const { limit, consumed, reserved } = state;
    return {
      event,
      at,
      agent: metadata.actor.clientId,
      orderId: typeof data['orderId'] === 'string' ? data['orderId'] : null,
      amount: amountIn(data),
      limit,
      consumed,
      reserved,
      remaining: limit.amount - consumed - reserved,
      status: statusAt(state, at),
      refusal: typeof data['reason'] === 'string' ? data['reason'] : null,
      breaches,
    };
  }

  private apply(event: AuditedEvent, tell: Tell): void {
    const { type, data, metadata } = event;
    const { state } = this;
    const at = metadata.occurredAt;
    if (at < state.latestAt) tell('time', `${at} is earlier than what came before it, ${state.latestAt}`);
    if (state.kind === 'abandoned') tell('life', `${type} in the stream of a mandate that was given up`);
    if (state.kind === 'none' && !OPENINGS.includes(type)) tell('life', `${type} before the mandate was created`);
    const timed = TIMES[type];
    if (timed !== undefined && instant(data, timed) !== at) tell('time', `${timed} is not the time of its event`);
    switch (type) {
      case 'MandateRequested':
        this.request(data, tell);
        return;
      case 'MandateApproved':
        this.approve(data, at, tell);
        return;
      case 'MandateCreated':
        this.create(data, at, tell);
        return;
      case 'MandateAbandoned':
        if (state.kind !== 'none') tell('life', 'a mandate that exists was given up');
        state.kind = 'abandoned';
        return;
      case 'MandateReserved':
        reserve(state, event, tell);
        return;
      case 'MandateConsumed':
        consume(state, data, tell);
        return;
      case 'MandateReleased':
        release(state, data, tell);
        return;
      case 'MandateChargeRefused':
        refuse(state, data, at, tell);
        return;
      case 'MandateNarrowed':
        this.narrow(data, at, tell);
        return;
      case 'MandatePaused':
        if (!['valid', 'exhausted'].includes(statusAt(state, at))) tell('life', 'paused, and not in force');
        state.isPaused = true;
        return;
      case 'MandateResumed':
        if (statusAt(state, at) !== 'paused') tell('life', 'resumed, and not paused');
        state.isPaused = false;
        return;
      case 'MandateRevoked':
        if (!this.isInForce(at)) tell('life', 'revoked after its end');
        state.isRevoked = true;
        return;
      case 'MandateExpired':
        if (state.isRevoked || state.isExpired) tell('life', 'expired after its end');
        if (at < state.expiresAt) tell('life', `expired before ${state.expiresAt}`);
        state.isExpired = true;
        return;
      default:
        tell('form', `a mandate has no event ${type}`);
    }
  }

  private isInForce(at: string): boolean {
    return !['revoked', 'expired', 'abandoned'].includes(statusAt(this.state, at));
  }

  private request(data: Json, tell: Tell): void {
    if (this.state.kind !== 'none') tell('life', 'asked for, and it exists already');
    this.take(data, 'requested', instant(data, 'lapsesAt'), tell);
  }

  private approve(data: Json, at: string, tell: Tell): void {
    if (this.state.kind !== 'requested' || !this.isInForce(at)) tell('life', 'approved, and it does not wait');
    this.state.kind = 'approved';
    this.approval = { limit: amount(data, 'limit'), expiresAt: instant(data, 'expiresAt') };
  }

  /** What was asked for is created as it was approved, before it lapses; anything else opens its stream (rule 31). */
  private create(data: Json, at: string, tell: Tell): void {
    const { state, approval } = this;
    if (state.kind === 'requested') tell('life', 'created, and never approved');
    if (state.kind === 'granted') tell('life', 'created twice');
    if (state.kind === 'approved' && !this.isInForce(at)) tell('life', 'created after its request was over');
    const limit = amount(data, 'limit');
    const expiresAt = instant(data, 'expiresAt');
    if (approval && !(isSame(approval.limit, limit) && approval.expiresAt === expiresAt))
      tell('terms', `created for ${shown(limit)} until ${expiresAt}, and not as it was approved`);
    this.approval = null;
    this.take(data, 'granted', expiresAt, tell);
  }

  private take(data: Json, kind: 'requested' | 'granted', expiresAt: string, tell: Tell): void {
    const { state } = this;
    if (`mandate-${text(data, 'mandateId')}` !== this.stream) tell('terms', 'it names another mandate than its stream');
    state.kind = kind;
    state.holder = text(data, 'holder');
    state.clientId = text(data, 'clientId');
    state.scope = texts(data, 'scope');
    state.limit = amount(data, 'limit');
    state.expiresAt = expiresAt;
    state.constraints = data['constraints'] === undefined ? {} : object(data, 'constraints');
  }

  /** Never more than before, never less than is spent and set aside, and never over within a minute (rule 29). */
  private narrow(data: Json, at: string, tell: Tell): void {
    const { state } = this;
    const limit = amount(data, 'limit');
    const expiresAt = instant(data, 'expiresAt');
    if (state.kind !== 'granted' || !this.isInForce(at)) tell('life', 'narrowed, and not in force');
    const { consumed, reserved } = state;
    if (limit.currency !== state.limit.currency || limit.amount > state.limit.amount)
      tell('narrowing', `from ${shown(state.limit)} to ${shown(limit)}: that is no less`);
    if (limit.amount < consumed + reserved) tell('narrowing', `to ${shown(limit)}: less than is spent and set aside`);
    const isSooner = expiresAt !== state.expiresAt;
    if (expiresAt > state.expiresAt) tell('narrowing', `to a later end, ${expiresAt}`);
    else if (isSooner && Date.parse(expiresAt) - Date.parse(at) < MINUTE)
      tell('narrowing', `to an end within a minute, ${expiresAt}`);
    state.limit = limit;
    state.expiresAt = expiresAt;
  }
}

/** A mandate of which there was no event. */
const unknown = (): MandateState => ({
  kind: 'none',
  holder: '',
  clientId: '',
  scope: [],
  limit: { amount: 0, currency: 'BRL' },
  expiresAt: '',
  constraints: {},
  isPaused: false,
  isRevoked: false,
  isExpired: false,
  consumed: 0,
  reserved: 0,
  paidOrders: 0,
  reservations: new Map(),
  settled: new Map(),
  latestAt: '',
});

const MINUTE = 60_000;
const OPENINGS = ['MandateRequested', 'MandateCreated', 'MandateAbandoned'];

/** The member that repeats when an event happened. What opens a mandate has been decided before it was written. */
const TIMES: Readonly<Record<string, string>> = {
  MandateReserved: 'reservedAt',
  MandateConsumed: 'consumedAt',
  MandateReleased: 'releasedAt',
  MandateChargeRefused: 'refusedAt',
  MandateApproved: 'startsAt',
  MandateNarrowed: 'narrowedAt',
  MandatePaused: 'pausedAt',
  MandateResumed: 'resumedAt',
  MandateRevoked: 'revokedAt',
  MandateExpired: 'expiredAt',
  MandateAbandoned: 'abandonedAt',
};

const amountIn = (data: Json): Amount | null => {
  try {
    return data['amount'] === undefined ? null : amount(data, 'amount');
  } catch {
    return null; // it was told as a breach of its form
  }
};
