import { idOf, type Line } from '#events';
import type { BookedEvent, Books } from '../../support/books.js';
import type { End, Moment, Ordered } from '../end.js';

/** What is wrong with what orders cost: a promised price holds, and none pays more than it names (rule 34). */
export const priceFindings = ({ answers, written }: End, { events }: Books): readonly string[] => {
  const found: string[] = [];
  const orders = answers.filter((answer): answer is Ordered => answer.did === 'order');
  // Under a key an earlier try, which nobody was answered, may have begun it.
  const asked = new Map(orders.flatMap(({ key, orderId, asked: at }) => (key ? [] : [[orderId, at] as const])));
  const promised = new Map<string, number>();
  const prices = new Prices();
  for (const [place, event] of events.entries()) {
    const { type, data, stored } = event;
    prices.see(event, written[place] ?? 0);
    const offer = type === 'BookingCheckoutStarted' ? prices.offers.get(idOf(stored.stream)) : undefined;
    if (type !== 'BookingCheckoutStarted' || !offer) continue;
    const { orderId, total, line, accepted } = data;
    promised.set(orderId, offer.total);
    if (stored.metadata.occurredAt < (offer.expiresAt ?? '9')) {
      if (total.amount !== offer.total)
        found.push(`order ${orderId} costs ${total.amount}, and ${offer.total} was promised`);
      continue;
    }
    if (total.amount > Math.max(offer.total, accepted?.amount ?? 0))
      found.push(`order ${orderId} costs ${total.amount}, which is more than was promised or named`);
    const current = prices.since(line, asked.get(orderId) ?? 0);
    if (!current.some((price) => price * line.passengers === total.amount))
      found.push(`order ${orderId} costs ${total.amount}, which its flight did not while it was asked for`);
  }
  return [...found, ...orders.flatMap((answer) => ofAnswer(answer, promised.get(answer.orderId)))];
};

/** What was paid is what the agent expected, or what it would pay where it expected what was promised. */
const ofAnswer = ({ orderId, paid, expectedTotal, acceptUpTo }: Ordered, promised = 0): readonly string[] => {
  if (!paid) return [];
  const { total } = paid;
  if (total > (acceptUpTo ?? Infinity)) return [`order ${orderId} was paid with ${total}, above ${acceptUpTo}`];
  const most = acceptUpTo ?? promised;
  if (expectedTotal === undefined)
    return total > most ? [`order ${orderId} was paid with ${total}, and its agent named nothing above ${most}`] : [];
  const isExpected = total === expectedTotal || (expectedTotal === promised && total <= most);
  return isExpected ? [] : [`order ${orderId} was paid with ${total}, and its agent expected ${expectedTotal}`];
};

/** What bookings were promised for, and what fares cost when, as the log says them up to a moment. */
class Prices {
  readonly offers = new Map<string, { readonly total: number; readonly expiresAt: string | undefined }>();
  private readonly fares = new Map<string, { readonly price: number; until: Moment }[]>();

  see({ type, data, stored }: BookedEvent, at: Moment): void {
    const id = idOf(stored.stream);
    if (type === 'BookingCreated' || type === 'BookingChanged')
      this.offers.set(id, { total: data.total.amount, expiresAt: data.expiresAt });
    if (type !== 'TimetableScheduled' && type !== 'FlightScheduled' && type !== 'FaresRepriced') return;
    for (const [name, past] of this.fares) {
      const last = past.at(-1);
      if (name.startsWith(`${id} `) && last?.until === Infinity) last.until = at;
    }
    for (const { code, price } of data.fares) {
      const name = `${id} ${code}`;
      this.fares.set(name, [...(this.fares.get(name) ?? []), { price, until: Infinity }]);
    }
  }

  /** Those of its timetable, as long as nobody touched a departure. */
  since({ flightId, flightNumber, fareCode }: Line, moment: Moment): readonly number[] {
    const of = (id = flightNumber) => this.fares.get(`${id} ${fareCode}`);
    const past = of(flightId) ?? of() ?? [];
    return past.flatMap(({ price, until }) => (until >= moment ? [price] : []));
  }
}
