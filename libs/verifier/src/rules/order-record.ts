import type { Amount } from '../audited-event.js';
import { canonicalJson } from '../canonical-json.js';
import type { Sha256 } from '../crypto.js';
import { base64, utf8 } from '../bytes.js';

/** What stands for some content where only its being the same is asked: SHA-256 of its canonical JSON, in base64. */
export type Digest = string;

export const digestOf = (sha256: Sha256, content: unknown): Digest => base64(sha256(utf8(canonicalJson(content))));

/** What happened to an order, as bits. */
export const SEEN = {
  held: 2,
  seatsReleased: 4,
  placed: 8,
  reserved: 16,
  consumed: 32,
  moneyReleased: 64,
  paid: 128,
  failed: 256,
  ticketed: 512,
  abandoned: 1_024,
  ledger: 2_048,
  cancelling: 4_096,
  cancelled: 8_192,
  refundFailed: 16_384,
  refunded: 32_768,
  refundRow: 65_536,
} as const;

/** What was frozen when a checkout was opened. */
export interface Frozen {
  readonly bookingId: string;
  readonly mandateId: string;
  /** The stream of whose agent it is. */
  readonly delegation: string;
  readonly flightId: string;
  /** Who buys what, word for word. */
  readonly terms: Digest;
  readonly seats: number;
  readonly total: number;
  readonly currency: string;
  /** Milliseconds. */
  readonly holdBefore: number;
  readonly from: string;
  readonly to: string;
  readonly unitPrice: number;
  /** Whether mandates of AP2 authorize it. */
  readonly ap2: boolean;
  readonly taxes: number;
  /** Canonical JSON; null: nothing comes back. */
  readonly conditions: string | null;
  readonly departureDate: string | null;
  /** An instant; null: it does not say. */
  readonly departureAt: string | null;
}

/** What its cancellation froze, and when. */
export interface Back {
  readonly refund: Amount;
  readonly departsAt: string | null;
  readonly startedAt: string;
}

export const totalOf = ({ total, currency }: Frozen): Amount => ({ amount: total, currency });

/** What is kept of an order, be its checkout known or not. */
export class OrderRecord {
  /** null: no checkout was opened for it. */
  frozen: Frozen | null = null;
  openedAt = '';
  /** When something last happened to it, in milliseconds. */
  latestAt = 0;
  /** As `OrderPaid` states them. */
  ticket: string | null = null;
  payment: Digest | null = null;
  /** When it was paid (ms), and what comes back of it; null: nobody cancelled it. */
  paidAt = 0;
  back: Back | null = null;
  /** Number and time of its refund, as `OrderCancelled` states them. */
  given: string | null = null;
  private seen = 0;

  constructor(readonly id: string) {}

  has(bits: number): boolean {
    return (this.seen & bits) !== 0;
  }

  see(bit: number, at: number): void {
    this.seen |= bit;
    this.latestAt = Math.max(at, this.latestAt);
  }
}

export interface OpenedOrder extends OrderRecord {
  frozen: Frozen;
}
