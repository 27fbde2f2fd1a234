import type { AuditedEvent, Json } from '../audited-event.js';
import type { Version } from '../version.js';
import type { ReportBreach } from './mandate-state.js';

/** An order that is not ended: as it was placed, what its traveller was asked, and what they said. */
interface Pending {
  readonly placed: Json;
  until: string;
  isRecorded: boolean;
  said: 'PaymentApproved' | 'PaymentDeclined' | null;
}

/** The traveller's word on the payment of an order: asked for once, given once and in time, and kept (rule 10); from v2 on. */
export class Decisions {
  /** By order: those that are placed and not ended, of which there are few at any time. */
  private readonly pending = new Map<string, Pending>();

  constructor(private readonly version: Version) {}

  /** An event of an order's own stream. */
  next(order: string, { type, data, metadata }: AuditedEvent, report: ReportBreach): void {
    const known = this.pending.get(order);
    if (this.version >= 3 && known && type.startsWith('Payment') && data['bookingId'] !== known.placed['bookingId'])
      report('order', `${type} of another booking than its own`);
    switch (type) {
      case 'OrderPlaced':
        this.pending.set(order, { placed: data, until: '', isRecorded: false, said: null });
        return;
      case 'PaymentChallenged':
        if (!known) return;
        known.until = String(data['expiresAt']);
        known.isRecorded = data['decisionRecorded'] === true;
        return;
      case 'PaymentApproved':
      case 'PaymentDeclined': {
        if (!known || metadata.occurredAt >= known.until) report('order', `${type}, and nobody was asked then`);
        if (known?.said) report('order', `${type} after ${known.said}`);
        const { holder, clientId } = metadata.actor;
        if (known && (holder !== known.placed['holder'] || clientId !== null))
          report('order', `${type} by another than its traveller`);
        if (known) known.said ??= type;
        return;
      }
      case 'OrderPaid':
        if (known?.said === 'PaymentDeclined') report('order', 'paid, and its traveller had declined');
        if (known?.isRecorded && known.said === null) report('order', 'paid, and its traveller had not approved');
        break;
      case 'OrderFailed': {
        const { failure } = data;
        const isDenied = failure === 'payment_challenge_failed';
        if (known?.said === 'PaymentDeclined' && !isDenied)
          report('order', `failed as ${String(failure)}, and was declined`);
        if (known?.said === 'PaymentApproved' && isDenied) report('order', 'failed as not confirmed, and was approved');
        if (known?.said !== 'PaymentApproved' && failure === 'payment_not_completed')
          report('order', 'failed as approved, and nobody had approved');
      }
    }
    this.pending.delete(order);
  }
}
