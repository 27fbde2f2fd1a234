import type { AuditedEvent, Breach, Json } from '../audited-event.js';
import type { Sha256 } from '../crypto.js';
import { Bookings } from './bookings.js';
import { Delegations } from './delegations.js';
import { categoryIn, formFault, otherTimes } from './event-forms.js';
import { Flights } from './flights.js';
import { type ReportBreach, reporterAt } from './mandate-state.js';
import { MandateHistory } from './mandate.js';
import { ShardedMap } from '../sharded-map.js';
import { text } from './members.js';
import { bookingIn, Orders } from './orders.js';
import { Pauses } from './pauses.js';
import type { Version } from '../version.js';
import type { RefundOf } from './way-back.js';

/** All rules that hold within and between streams, for a whole log read once in its order, or for whole streams of it. */
export class LogRules {
  readonly orders: Orders;
  private readonly bookings: Bookings;
  private readonly flights: Flights;
  private readonly mandates = new ShardedMap<MandateHistory>();
  private readonly delegations: Delegations;
  private readonly pauses = new Pauses();

  /** `version`: of bundles, whose events are known. `isHere`: which streams are read from their beginning; absent: all. */
  constructor(
    sha256: Sha256,
    private readonly version: Version,
    isHere?: (stream: string) => boolean,
  ) {
    const mandateOf = (id: string) => this.mandates.get(`mandate-${id}`)?.state ?? null;
    const refundOf: RefundOf = (stream, mandateId, orderId) => this.delegations.refundOf(stream, mandateId, orderId);
    this.orders = new Orders(sha256, isHere ?? null, version, { mandateOf, refundOf });
    this.bookings = new Bookings(sha256, this.orders, version);
    this.flights = new Flights(this.orders);
    const isComingBack = (refund: Json) => this.orders.isComingBack(refund);
    this.delegations = new Delegations(mandateOf, version, isHere ?? (() => true), isComingBack);
  }

  /** What the next event of the log breaks: each rule once. What is of no form changes nothing, and no other rule is asked. */
  next(event: AuditedEvent): readonly Breach[] {
    const { stream, revision } = event;
    const found: Breach[] = [];
    const report = reporterAt(found, stream, revision);
    const fault = formFault(event, this.version);
    if (categoryIn(stream) === 'mandate') this.followMandate(event, fault === null, found, report);
    else if (fault !== null) report('form', fault);
    else {
      for (const name of otherTimes(event, this.version)) report('time', `${name} is not the time of its event`);
      this.follow(event, report);
    }
    return eachRuleOnce(found);
  }

  private followMandate(event: AuditedEvent, isOfForm: boolean, found: Breach[], report: ReportBreach): void {
    const { stream, type, data } = event;
    const history = this.mandates.of(stream, () => new MandateHistory(stream, undefined, this.version));
    const trip = isOfForm ? this.orders.tripOf(data) : null;
    found.push(...history.next(event, trip).breaches);
    if (!isOfForm) return;
    if (type === 'MandateReserved') this.pauses.reserved(history.state, report);
    if (type === 'MandateCreated') this.delegations.created(event, report);
    if (MOVES.has(type) && this.orders.isFollowed(text(data, 'orderId'), bookingIn(type, data)))
      this.orders.move(event, report);
  }

  private follow(event: AuditedEvent, report: ReportBreach): void {
    switch (categoryIn(event.stream)) {
      case 'booking':
        this.bookings.next(event, report);
        return;
      case 'flight':
        this.flights.next(event, report);
        return;
      case 'pause':
        this.pauses.next(event, report);
        return;
      case 'delegation':
        this.delegations.next(event, report);
        return;
      case 'order':
        this.orders.next(event, report);
    }
  }
}

const MOVES = new Set(['MandateReserved', 'MandateConsumed', 'MandateReleased', 'MandateRefunded']);

/** Breaches of which no two are of one rule at one event: the messages of those are put together. */
export const eachRuleOnce = (breaches: readonly Breach[]): readonly Breach[] => {
  const byRule = new Map<string, Breach>();
  for (const breach of breaches) {
    const key = `${breach.rule} ${breach.revision ?? ''} ${breach.stream}`;
    const known = byRule.get(key);
    const isNew = known && !known.message.includes(breach.message);
    byRule.set(key, known ? { ...known, message: known.message + (isNew ? `; ${breach.message}` : '') } : breach);
  }
  return [...byRule.values()];
};
