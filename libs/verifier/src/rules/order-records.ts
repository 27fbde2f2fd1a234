import { type Digest, DIGEST_SIZE } from '../compact/digest.js';
import { Names } from '../compact/names.js';
import { Records } from '../compact/records.js';

/** What happened to an order, as bits. */
export const SEEN = {
  opened: 1,
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
  /** Its row of the ledger was read. */
  ledger: 2_048,
} as const;

/** What was frozen when a checkout was opened. Names are numbers, times milliseconds. */
export interface Frozen {
  readonly booking: number;
  readonly mandate: number;
  readonly flight: number;
  /** Who buys what, word for word, as a digest. */
  readonly terms: Digest;
  readonly seats: number;
  readonly total: number;
  readonly currency: string;
  readonly holdBefore: number;
  readonly from: string;
  readonly to: string;
  readonly unitPrice: number;
}

/** Where the members of a record lie. */
const [BOOKING, MANDATE, FLIGHT, SEEN_AT, CURRENCY, FROM, TO] = [0, 4, 8, 12, 16, 20, 24] as const;
const [SEATS, TOTAL, HOLD, TICKET, LATEST, OPENED, UNIT_PRICE] = [28, 36, 44, 52, 60, 68, 76] as const;
const [TERMS, PAYMENT, WIDTH] = [84, 84 + DIGEST_SIZE, 84 + 2 * DIGEST_SIZE] as const;

/** Every order of a log, some hundred and twenty bytes each. */
export class OrderRecords {
  readonly ids = new Names();
  private readonly records = new Records(WIDTH);
  /** Currencies and airports, of which there are few. */
  private readonly codes = new Names();

  /** Writes down what an order froze when its checkout was opened. */
  open(order: number, frozen: Frozen, openedAt: number): void {
    const { records } = this;
    records.setU32(order, BOOKING, frozen.booking);
    records.setU32(order, MANDATE, frozen.mandate);
    records.setU32(order, FLIGHT, frozen.flight);
    records.bytes(order, TERMS, DIGEST_SIZE).set(frozen.terms);
    records.setU32(order, CURRENCY, this.codes.of(frozen.currency));
    records.setU32(order, FROM, this.codes.of(frozen.from));
    records.setU32(order, TO, this.codes.of(frozen.to));
    records.setF64(order, SEATS, frozen.seats);
    records.setF64(order, UNIT_PRICE, frozen.unitPrice);
    records.setF64(order, TOTAL, frozen.total);
    records.setF64(order, HOLD, frozen.holdBefore);
    records.setF64(order, OPENED, openedAt);
    this.see(order, SEEN.opened, openedAt);
  }

  frozen(order: number): Frozen {
    const { records } = this;
    return {
      booking: records.u32(order, BOOKING),
      mandate: records.u32(order, MANDATE),
      flight: records.u32(order, FLIGHT),
      terms: records.bytes(order, TERMS, DIGEST_SIZE),
      seats: records.f64(order, SEATS),
      currency: this.codes.nameOf(records.u32(order, CURRENCY)),
      from: this.codes.nameOf(records.u32(order, FROM)),
      to: this.codes.nameOf(records.u32(order, TO)),
      unitPrice: records.f64(order, UNIT_PRICE),
      total: records.f64(order, TOTAL),
      holdBefore: records.f64(order, HOLD),
    };
  }

  openedAt(order: number): number {
    return this.records.f64(order, OPENED);
  }

  has(order: number, bit: number): boolean {
    return (this.records.u32(order, SEEN_AT) & bit) !== 0;
  }

  see(order: number, bit: number, at: number): void {
    this.records.setU32(order, SEEN_AT, this.records.u32(order, SEEN_AT) | bit);
    this.records.setF64(order, LATEST, Math.max(at, this.latestAt(order)));
  }

  /** When something last happened to it. */
  latestAt(order: number): number {
    return this.records.f64(order, LATEST);
  }

  /** The ticket and a digest of the payment, as `OrderPaid` states them. */
  pay(order: number, ticket: number, payment: Digest): void {
    this.records.setF64(order, TICKET, ticket);
    this.records.bytes(order, PAYMENT, DIGEST_SIZE).set(payment);
  }

  ticketOf(order: number): number {
    return this.records.f64(order, TICKET);
  }

  paymentOf(order: number): Digest {
    return this.records.bytes(order, PAYMENT, DIGEST_SIZE);
  }
}
