import { loadBooking } from '#booking';
import { idOf } from '#events';
import { baseUrlsAt } from '#http';
import { money } from '#kernel';
import { loadMandate, mandateView } from '#mandate';
import { ChallengeRequired, OrderOutcomeUnknown } from '../../libs/order/src/testing/index.js';
import { type Books, capturedOrders } from '../support/books.js';
import type { LogicalProcess } from '../support/logical-process.js';
import { AGENT, type Market, PRICE } from '../support/market.js';
import { type Action, BOOKINGS, MANDATES } from './script.js';

/** What agents and travellers have processes do. Keeps what was answered, and compares it with the end. */
export class Actions {
  readonly bookings: readonly string[];
  readonly mandates: readonly string[];
  /** What should never happen, as it happened. */
  readonly wrongs: string[] = [];
  /** Looked at when everything is over. */
  private readonly promises: (() => Promise<string | null>)[] = [];

  constructor(private readonly market: Market) {
    this.bookings = Array.from({ length: BOOKINGS }, () => market.stores.ids.next());
    this.mandates = Array.from({ length: MANDATES }, () => market.stores.ids.next());
  }

  async act(process: LogicalProcess, action: Action): Promise<void> {
    switch (action.do) {
      case 'order':
        return this.order(process, action);
      case 'decide': {
        const booking = await loadBooking(process.aggregates, this.bookings[action.booking] ?? '');
        if (booking.kind === 'checkout') await this.market.decide(process, booking.checkout.orderId, action.decision);
        return;
      }
      case 'create':
        return this.create(process, action.mandate);
      case 'revoke':
        return this.revoke(process, this.mandates[action.mandate] ?? '');
      case 'cap':
        return this.cap(process, action.trips === null ? null : action.trips * PRICE);
      case 'look':
        return this.look(process, this.mandates[action.mandate] ?? '');
      case 'recover':
        return process.newRecovery().round();
    }
  }

  /** Creates one of the mandates: two trips for an hour, one for a minute, three for an hour. */
  async create(process: LogicalProcess, place: number): Promise<void> {
    const limit = [2, 1, 3][place] ?? 1;
    const mandateId = this.mandates[place];
    await this.market.grant(process, limit * PRICE, { mandateId, minutes: place === 1 ? 1 : 60 });
  }

  /** What was answered and turned out otherwise. */
  async broken(): Promise<readonly string[]> {
    const found = await Promise.all(this.promises.map((check) => check()));
    return found.filter((finding) => finding !== null);
  }

  /**
   * An order answered as paid is paid. Any other answer, an outage too, is a definite no and the order is never charged,
   * unless the error says that its outcome is open.
   */
  private async order(process: LogicalProcess, wanted: Extract<Action, { do: 'order' }>): Promise<void> {
    const orderId = this.market.stores.ids.next();
    const booking = this.bookings[wanted.booking] ?? '';
    const mandate = wanted.mandate === null ? undefined : this.mandates[wanted.mandate];
    try {
      const { id } = await this.market.order(process, { booking, mandate, card: wanted.card, orderId });
      this.promise(`order ${id} was answered as paid`, async () => (await this.captured()).includes(id));
    } catch (error) {
      const isOpen = error instanceof OrderOutcomeUnknown || error instanceof ChallengeRequired;
      if (!isOpen) this.promise(`order ${orderId} was refused`, async () => !(await this.captured()).includes(orderId));
      throw error;
    }
  }

  /** After a revocation is answered nothing more is captured, and its place in the delegation is free. */
  private async revoke(process: LogicalProcess, mandateId: string): Promise<void> {
    await this.market.revoke(process, mandateId);
    const { events } = await this.market.books();
    const isClosed = events.some(({ type, data }) => type === 'MandateClosed' && data.mandateId === mandateId);
    if (!isClosed) this.wrongs.push(`mandate ${mandateId} was revoked and not closed`);
    const { length } = await this.captured(mandateId);
    this.promise(`mandate ${mandateId} paid ${length} orders when its revocation was answered`, async () => {
      const now = await this.captured(mandateId);
      return now.length === length;
    });
  }

  /** After a cap is answered, and until another one is set, no more is spent than it allows or was spent already. */
  private async cap(process: LogicalProcess, cents: number | null): Promise<void> {
    await this.market.setCap(process, cents === null ? null : money(cents, 'BRL'));
    const { length } = (await this.market.books()).events;
    this.promise(`a cap of ${cents} was answered`, async () => {
      const spendings = spendingsUnder((await this.market.books()).events, length, cents);
      return spendings.every((spent) => spent <= Math.max(cents ?? 0, spendings[0] ?? 0));
    });
  }

  private async look({ aggregates }: LogicalProcess, mandateId: string): Promise<void> {
    const mandate = await loadMandate(aggregates, mandateId, AGENT.holder);
    const view = mandateView({ mandate, at: this.market.stores.clock.now() }, baseUrlsAt('http://127.0.0.1:3000'));
    const amounts = [view.consumed, view.reserved, view.remaining].map(({ amount }) => amount);
    const isSound =
      amounts.every((amount) => amount >= 0) && amounts.reduce((sum, one) => sum + one) === view.limit.amount;
    if (!isSound) this.wrongs.push(`mandate ${mandateId}: ${amounts.join(' + ')} is not ${view.limit.amount}`);
  }

  private promise(what: string, isKept: () => Promise<boolean>): void {
    this.promises.push(async () => ((await isKept()) ? null : `${what}, and that did not last`));
  }

  private async captured(mandateId?: string): Promise<readonly string[]> {
    return capturedOrders(await this.market.books(), mandateId);
  }
}

/**
 * What counts as spent (in cents) at the `from`-th event and after each that follows, for as long as this cap is in force:
 * all but what mandates had consumed that were closed before the first cap. Empty where another cap is in force.
 */
const spendingsUnder = (events: Books['events'], from: number, cents: number | null): readonly number[] => {
  const spendings: number[] = [];
  const consumed = new Map<string, number>();
  const exempt = new Set<string>();
  let cap: number | null = null;
  let hasBegun = false;
  for (const [place, { type, data, stored }] of events.entries()) {
    if (type === 'MandateConsumed') {
      const id = idOf(stored.stream);
      consumed.set(id, (consumed.get(id) ?? 0) + data.amount.amount);
    }
    if (type === 'MandateClosed' && !hasBegun) exempt.add(data.mandateId);
    if (type === 'SpendingCapSet') {
      cap = data.cap?.amount ?? null;
      hasBegun ||= cap !== null;
    }
    if (place < from - 1) continue;
    if (cap === null || cap !== cents) break;
    spendings.push([...consumed].reduce((sum, [id, amount]) => (exempt.has(id) ? sum : sum + amount), 0));
  }
  return spendings;
};
