import { loadBooking } from '#booking';
import { baseUrlsAt } from '#http';
import { loadMandate, mandates, mandateView } from '#mandate';
import { ChallengeRequired, OrderOutcomeUnknown } from '../../libs/order/src/testing/index.js';
import { capturedOrders } from '../support/books.js';
import type { LogicalProcess } from '../support/logical-process.js';
import { AGENT, type Market, PRICE } from '../support/market.js';
import type { Answered } from './answered.js';
import { Decisions } from './decisions.js';
import type { Action } from './script.js';
import { BOOKINGS, MANDATES } from './world.js';

/** What agents and travellers have processes do. Keeps what was answered, to be compared with the end. */
export class Actions {
  readonly bookings: readonly string[];
  private readonly mandates: readonly string[];
  private readonly decisions: Decisions;

  constructor(
    private readonly market: Market,
    private readonly answered: Answered,
  ) {
    this.bookings = BOOKINGS.map(() => market.stores.ids.next());
    this.mandates = MANDATES.map(() => market.stores.ids.next());
    this.decisions = new Decisions(market, answered, this.mandates);
  }

  /** What there is at the beginning: the bookings, two mandates, and the consent pages that wait. */
  async begin(process: LogicalProcess): Promise<void> {
    for (const [place, { seats, fare }] of BOOKINGS.entries())
      await this.market.book(process, seats, this.bookings[place], fare);
    for (const place of [0, 2]) await this.create(process, place);
    await this.decisions.keepRequests(process);
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
        return this.decisions.cap(process, action.trips === null ? null : action.trips * PRICE);
      case 'pause':
        return this.decisions.pause(process, action.mandate);
      case 'resume':
        return this.decisions.resume(process, action.mandate);
      case 'narrow':
        return this.decisions.narrow(process, action);
      case 'mode':
        return this.market.setMode(process, action.asks);
      case 'approve':
        return this.decisions.approve(process, action);
      case 'consent':
        return this.decisions.consent(process, action);
      case 'look':
        return this.look(process, this.mandates[action.mandate] ?? '');
      case 'recover':
        return process.newRecovery().round();
    }
  }

  /** Creates one of the mandates, unless it is there; where the agent has to, it asks for it. */
  private async create(process: LogicalProcess, place: number): Promise<void> {
    const { trips = 1, ...terms } = MANDATES[place] ?? {};
    const mandateId = this.mandates[place] ?? '';
    const { state } = await process.aggregates.load(mandates, mandateId); // as an `Idempotency-Key` has it (rule 21)
    if (state.kind === 'none') await this.market.grant(process, trips * PRICE, { ...terms, mandateId });
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
      this.answered.promise(`order ${id} was answered as paid`, async () => (await this.captured()).includes(id));
    } catch (error) {
      const isOpen = error instanceof OrderOutcomeUnknown || error instanceof ChallengeRequired;
      if (!isOpen)
        this.answered.promise(`order ${orderId} was refused`, async () => !(await this.captured()).includes(orderId));
      throw error;
    }
  }

  /** After a revocation is answered nothing more is captured, and its place in the delegation is free. */
  private async revoke(process: LogicalProcess, mandateId: string): Promise<void> {
    await this.market.revoke(process, mandateId);
    const { events } = await this.market.books();
    const isOpened = events.some(({ type, data }) => type === 'MandateCreated' && data.mandateId === mandateId);
    const isClosed = events.some(({ type, data }) => type === 'MandateClosed' && data.mandateId === mandateId);
    if (isOpened && !isClosed) this.answered.wrongs.push(`mandate ${mandateId} was revoked and not closed`);
    const { length } = await this.captured(mandateId);
    this.answered.promise(`mandate ${mandateId} paid ${length} orders when its revocation was answered`, async () => {
      const now = await this.captured(mandateId);
      return now.length === length;
    });
  }

  private async look({ aggregates }: LogicalProcess, mandateId: string): Promise<void> {
    const mandate = await loadMandate(aggregates, mandateId, AGENT.holder);
    const view = mandateView({ mandate, at: this.market.stores.clock.now() }, baseUrlsAt('http://127.0.0.1:3000'));
    const amounts = [view.consumed, view.reserved, view.remaining].map(({ amount }) => amount);
    const isSound =
      amounts.every((amount) => amount >= 0) && amounts.reduce((sum, one) => sum + one) === view.limit.amount;
    if (!isSound) this.answered.wrongs.push(`mandate ${mandateId}: ${amounts.join(' + ')} is not ${view.limit.amount}`);
  }

  private async captured(mandateId?: string): Promise<readonly string[]> {
    return capturedOrders(await this.market.books(), mandateId);
  }
}
