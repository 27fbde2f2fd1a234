import { idOf } from '#events';
import { plus } from '#kernel';
import type { BookedEvent, Books } from '../../support/books.js';
import type { End } from '../end.js';
import { UNSURE } from './choice.js';

/** How long (ms) a charge may take from its reservation on (`CHARGE_SECONDS` of docs/configuration.md). */
const CHARGE = 30_000;

/** What is wrong with captures: one an order, held and within the ceiling of its moment, before whatever forbids it. */
export const captureFindings = ({ captures, written }: End, { events, ledger }: Books): readonly string[] => {
  const found: string[] = [];
  const known = new Known();
  const captured = new Map<string, number>();
  /** By order that was captured: its mandate's end, as it was then. What is brought nearer later binds no earlier capture. */
  const ends = new Map<string, string>();
  let next = 0;
  for (const { orderId, at } of captures) {
    for (; next < events.length && (written[next] ?? 0) <= at; next += 1) known.see(events[next]);
    const tell = (finding: string): void => void found.push(`order ${orderId} ${finding}`);
    if (ends.has(orderId)) tell('was captured twice');
    const order = known.orders.get(orderId);
    ends.set(orderId, known.ends.get(order?.mandateId ?? '') ?? '');
    if (!order) tell('was captured and never began');
    else {
      if (!order.isPlaced) tell('was captured before it was placed');
      if (!order.hasSeats) tell('was captured without seats');
      if (order.reservedAt === null) tell('was captured without money set aside');
      if (order.challengedUntil !== null && !order.isApproved) tell('was captured without the word of its holder');
      const charged = (captured.get(order.mandateId) ?? 0) + order.total;
      captured.set(order.mandateId, charged);
      const sum = charged - (known.refunded.get(order.mandateId) ?? 0);
      const limit = known.limits.get(order.mandateId) ?? 0;
      if (sum > limit) tell(`brings its mandate to ${sum} captured of ${limit}`);
    }
  }
  for (; next < events.length; next += 1) known.see(events[next]);
  for (const [orderId, { status, capturedAt = '' }] of ledger) {
    if ((status === 'captured') !== ends.has(orderId))
      found.push(`order ${orderId} is ${status}, and was it captured?`);
    const order = known.orders.get(orderId);
    if (status !== 'captured' || !order) continue;
    const { reservedAt, challengedUntil } = order;
    if (capturedAt >= (ends.get(orderId) ?? ''))
      found.push(`order ${orderId} was captured at ${capturedAt}, after its mandate had expired`);
    if (challengedUntil !== null && capturedAt >= challengedUntil)
      found.push(`order ${orderId} was captured after its challenge had expired`);
    const late = Date.parse(capturedAt) - Date.parse(reservedAt ?? capturedAt);
    if (challengedUntil === null && late > CHARGE)
      found.push(`order ${orderId} was captured ${late} ms after its reservation`);
  }
  return found;
};

interface KnownOrder {
  readonly mandateId: string;
  readonly total: number;
  isPlaced: boolean;
  hasSeats: boolean;
  reservedAt: string | null;
  isApproved: boolean;
  challengedUntil: string | null;
}

class Known {
  readonly orders = new Map<string, KnownOrder>();
  /** By mandate: its ceiling, and its end; one that was brought nearer, by whatever clock, counts from where all are past it. */
  readonly limits = new Map<string, number>();
  readonly ends = new Map<string, string>();
  /** By mandate: what came back to it. */
  readonly refunded = new Map<string, number>();

  see(event: BookedEvent | undefined): void {
    if (!event) return;
    const { type, data, stored } = event;
    switch (type) {
      case 'MandateCreated':
        this.limits.set(idOf(stored.stream), data.limit.amount);
        this.ends.set(idOf(stored.stream), data.expiresAt);
        break;
      case 'MandateNarrowed': {
        const [mandateId, end] = [idOf(stored.stream), plus(data.expiresAt, UNSURE)];
        this.limits.set(mandateId, data.limit.amount);
        if (end < (this.ends.get(mandateId) ?? '')) this.ends.set(mandateId, end);
        break;
      }
      case 'BookingCheckoutStarted': {
        const { mandateId, total } = data;
        const nothing = { isPlaced: false, hasSeats: false, isApproved: false };
        const never = { reservedAt: null, challengedUntil: null };
        this.orders.set(data.orderId, { mandateId, total: total.amount, ...nothing, ...never });
        break;
      }
      case 'OrderPlaced':
        this.change(data.orderId, { isPlaced: true });
        break;
      case 'SeatsHeld':
        this.change(data.orderId, { hasSeats: true });
        break;
      case 'SeatsReleased':
        this.change(data.orderId, { hasSeats: false });
        break;
      case 'MandateRefunded': {
        const mandateId = idOf(stored.stream);
        this.refunded.set(mandateId, (this.refunded.get(mandateId) ?? 0) + data.amount.amount);
        break;
      }
      case 'MandateReserved':
        this.change(data.orderId, { reservedAt: data.reservedAt });
        break;
      case 'PaymentChallenged':
        this.change(idOf(stored.stream), { challengedUntil: data.expiresAt });
        break;
      case 'PaymentApproved':
        this.change(idOf(stored.stream), { isApproved: true });
    }
  }

  private change(orderId: string, changes: Partial<KnownOrder>): void {
    const order = this.orders.get(orderId);
    if (order) Object.assign(order, changes);
  }
}
