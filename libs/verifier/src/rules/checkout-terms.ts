import type { Json } from '../audited-event.js';
import { canonicalJson } from '../canonical-json.js';
import type { Sha256 } from '../crypto.js';
import type { Version } from '../version.js';
import type { ReportBreach } from './mandate-state.js';
import { amount, instant, integer, object, shown, text } from './members.js';
import { digestOf, type Frozen, totalOf } from './order-record.js';

/** What `BookingCheckoutStarted` freezes and `OrderPlaced` repeats. */
export class CheckoutTerms {
  /** Conditions and delegations: there are few of them, and many orders. */
  private readonly interned = new Map<string, string>();

  constructor(
    private readonly sha256: Sha256,
    private readonly version: Version,
  ) {}

  read(data: Json): Frozen {
    const line = object(data, 'line');
    const total = amount(data, 'total');
    return {
      bookingId: text(data, 'bookingId'),
      mandateId: text(data, 'mandateId'),
      delegation: this.one(`delegation-${text(data, 'holder')}.${text(data, 'clientId')}`),
      flightId:
        this.version >= 3 && line['flightId'] !== undefined ? text(line, 'flightId') : text(line, 'flightNumber'),
      terms: digestOf(this.sha256, [data['holder'], data['clientId'], line, ...this.redeemedIn(data)]),
      seats: integer(line, 'passengers'),
      total: total.amount,
      currency: total.currency,
      holdBefore: Date.parse(instant(data, 'holdBefore')),
      from: text(line, 'from'),
      to: text(line, 'to'),
      unitPrice: amount(line, 'unitPrice').amount,
      ap2: this.version >= 4 && data['ap2'] !== undefined,
      taxes: this.version >= 4 && line['taxes'] !== undefined ? amount(line, 'taxes').amount : 0,
      conditions:
        this.version >= 4 && line['conditions'] !== undefined ? this.one(canonicalJson(line['conditions'])) : null,
      departureDate: typeof line['departureDate'] === 'string' ? line['departureDate'] : null,
      departureAt: this.version >= 4 && line['departureAt'] !== undefined ? instant(line, 'departureAt') : null,
    };
  }

  private one(content: string): string {
    const known = this.interned.get(content) ?? content;
    this.interned.set(known, known);
    return known;
  }

  /** The price of its seats is the price of one, times the passengers. */
  checkPrice(data: Json, frozen: Frozen, report: ReportBreach): void {
    const line = object(data, 'line');
    const total = totalOf(frozen);
    const [unit, subtotal] = [amount(line, 'unitPrice'), amount(line, 'subtotal')];
    const sum = { ...unit, amount: unit.amount * integer(line, 'passengers') };
    const wrong = [subtotal, sum].find((one) => one.amount !== total.amount || one.currency !== total.currency);
    if (wrong) report('amount', `${shown(total)} is not the price of its seats, ${shown(wrong)}`);
    if (this.version < 4 || line['taxes'] === undefined) return;
    const taxes = amount(line, 'taxes');
    if (taxes.amount > total.amount || taxes.currency !== total.currency)
      report('amount', `taxes of ${shown(taxes)} in a price of ${shown(total)}`);
  }

  /** By what a checkout redeems mandates of AP2; nothing where there are none. */
  redeemedIn(data: Json): readonly string[] {
    if (this.version < 4 || data['ap2'] === undefined) return [];
    const ap2 = object(data, 'ap2');
    return [object(ap2, 'checkout'), object(ap2, 'payment')].map((closed) => text(closed, 'redemption'));
  }
}
