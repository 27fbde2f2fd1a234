import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Booking, ChangeBooking, CreateBooking, type ExistingBooking, isPromised, loadBooking } from '#booking';
import { Aggregates } from '#event-store';
import { flightIdOf } from '#events';
import type { IdempotentOperation } from '#http';
import { Clock, type Context, DomainError, type Instant, type Money, money, type Party, sameMoney } from '#kernel';
import { Mandates } from '#mandate';
import { orderOperation, Orders, type OrderView } from '#order';
import { PlatformEndpoints } from '#outbox';
import type { Asking } from '../asking.js';
import { derivedId } from '../ids.js';
import type { ErrorMessage } from '../envelope.js';
import type { Authority } from '../payment/payment-tokens.js';
import { nameOf, peopleOf } from './buyer.js';
import { pricedLine } from './priced-line.js';
import { isOutcome, redeemedBy, said } from './refusal-messages.js';
import { SessionHolds } from './session-holds.js';
import { inProgress, Sessions } from './sessions.js';
import type { Session, SessionLine, StoredSession } from './stored-session.js';

/** Where a purchase comes from: of a request, what its answers and events say. */
export type Origin = Pick<Asking, 'urls' | 'cause'>;

/** Carries out the operation that it is given: once, where the request names a key. */
type Run = (operation: IdempotentOperation<OrderView>) => Promise<unknown>;

export const totalOf = ({ line: { price, quantity, currency } }: Pick<StoredSession, 'line'>): Money =>
  money(price * quantity, currency);

/** Whether a booking is what a session says, at its price. */
export const isOf = (booking: Booking, line: SessionLine): booking is ExistingBooking => {
  if (booking.kind === 'none') return false;
  const { choice } = booking;
  const { flightId, fareCode, quantity } = line;
  const isSame = flightIdOf(choice) === flightId && choice.fareCode === fareCode && choice.passengers === quantity;
  return isSame && sameMoney(choice.total, totalOf({ line }));
};

/** Whether a booking promises what a session says, at its price. */
export const isPromisedBy = (booking: Booking, line: SessionLine, now: Instant): boolean =>
  isOf(booking, line) && isPromised(booking.choice, now);

const chosen = ({ flightId, fareCode, quantity: passengers }: SessionLine) => ({ flightId, fareCode, passengers });

/** The order that mandates of AP2 authorize: the same closed one is the same order, by whatever key it comes. null: there are none. */
export const authorizedOrder = ({ id }: Session, { ap2 }: Pick<Authority, 'ap2'>): string | null =>
  ap2 ? derivedId(`ap2 order ${id} ${ap2.payment.redemption}`) : null;

export const contextOf = ({ cause }: Origin, { holder, clientId }: Party): Context => ({
  actor: { holder, clientId },
  ...cause,
});

/** Buys sessions: each is a booking of its id, and the order of that, by the same commands as any other (docs/ucp.md). */
@Injectable()
export class SessionPurchases {
  constructor(
    private readonly sessions: Sessions,
    private readonly holds: SessionHolds,
    private readonly aggregates: Aggregates,
    private readonly commands: CommandBus,
    private readonly orders: Orders,
    private readonly mandates: Mandates,
    private readonly clock: Clock,
    private readonly platforms: PlatformEndpoints,
  ) {}

  /** Buys a session for a traveller who is known: by what right, its caller knows. Returns why it was not bought, where it was not. @throws UcpError, Unavailable */
  async buy(read: Session, authority: Authority, origin: Origin, run: Run): Promise<readonly ErrorMessage[]> {
    const { holder } = authority.party;
    const { traveller = holder } = read.body;
    if (traveller !== holder) return [said('invalid_mandate')];
    return this.holds.during(read, holder, {}, (session) => this.buyHeld(session, authority, origin, run));
  }

  /** The same of a session that is held for it. */
  async buyHeld(held: Session, authority: Authority, origin: Origin, run: Run): Promise<readonly ErrorMessage[]> {
    const { party, takesBuyer } = authority;
    const { buyer: _, ...withoutBuyer } = held.body;
    const session = takesBuyer === false ? { ...held, body: withoutBuyer } : held;
    const { booking, purchase } = await this.sessions.outcomeOf(session);
    if (booking.kind !== 'none' && (booking.holder !== party.holder || booking.clientId !== party.clientId))
      return [said('invalid_mandate')];
    if (!purchase) {
      const problems = [...(await this.sessions.problemsOf(session)), ...(await this.otherPrice(held, booking))];
      if (problems.length > 0) return problems;
    }
    const context = contextOf(origin, party);
    const operation = this.orderOf(session, authority, origin, context);
    const fixed = authorizedOrder(session, authority);
    const begin = async (minted: string) => {
      await this.book(session, party, context);
      await this.platforms.ensure(session.body.platform, party);
      await this.holds.requireHeld(held);
      return operation.begin(fixed ?? minted);
    };
    const outcomeOf = (minted: string) => operation.outcomeOf(fixed ?? minted);
    try {
      await run({ ...operation, begin, outcomeOf });
      return [];
    } catch (error) {
      const message = outcomeIn(error);
      if (message === null) throw error;
      // The order that was in the way is over by now: this one is still to be bought.
      if (message === undefined && !(await this.sessions.outcomeOf(session)).purchase) throw inProgress();
      if (message?.code === 'price_changed') await this.reprice(held, error);
      return message ? [message] : [];
    }
  }

  /** Shows today's price from now on, where another one was shown and no booking promises it. */
  private async otherPrice(held: Session, booking: Booking): Promise<readonly ErrorMessage[]> {
    const { line } = held.body;
    const now = this.clock.now();
    const priced = await pricedLine(this.aggregates, line, line.quantity, now);
    if (isPromisedBy(booking, line, now) || !('line' in priced) || priced.line.price === line.price) return [];
    await this.holds.reprice(held, priced.line);
    return [said('total_changed')];
  }

  /** Shows from now on what a purchase would cost that was refused for its price. */
  private async reprice(held: Session, error: unknown): Promise<void> {
    const { current } = ((error as DomainError).details ?? {}) as { readonly current?: Money };
    const booking = await loadBooking(this.aggregates, held.id);
    const total = current ?? (booking.kind === 'none' ? undefined : booking.choice.total);
    const { line } = held.body;
    if (total) await this.holds.reprice(held, { ...line, price: total.amount / line.quantity });
  }

  /** The booking of a session, under its id, as the session is now. One that an order has taken stays as it is. */
  private async book({ id, body }: Session, party: Party, context: Context): Promise<void> {
    const booking = await loadBooking(this.aggregates, id);
    const [choice, people] = [chosen(body.line), peopleOf(body)];
    if (booking.kind === 'none') await this.commands.execute(new CreateBooking(id, party, choice, context, {}, people));
    if (booking.kind !== 'open') return;
    const changes = isPromisedBy(booking, body.line, this.clock.now()) ? {} : choice;
    await this.commands.execute(new ChangeBooking(id, party, changes, context, undefined, people));
  }

  private orderOf(session: Session, { party, mandateId, card, ap2 }: Authority, { urls }: Origin, context: Context) {
    const name = nameOf(session.body.buyer);
    const { amount, currency } = totalOf(session.body);
    return orderOperation(
      { commands: this.commands, orders: this.orders, mandates: this.mandates },
      {
        bookingId: session.id,
        mandateId,
        payment: card,
        expectedTotal: { amount, currency },
        ...(name !== null && { buyer: { name } }),
      },
      { caller: { ...party, scopes: [], grantId: '' }, context, urls },
      { ap2, shown: { ...chosen(session.body.line), total: totalOf(session.body) } },
    );
  }
}

/** Refusals that the state of the checkout says by itself. */
const SAID_BY_STATUS: readonly string[] = ['order_in_progress', 'booking_already_ordered', 'booking_empty'];

/** What a refusal is in a checkout; undefined: its status says it, null: it is no outcome of a checkout. */
const outcomeIn = (error: unknown): ErrorMessage | undefined | null => {
  if (!(error instanceof DomainError)) return null;
  if (SAID_BY_STATUS.includes(error.code)) return undefined;
  if (!isOutcome(error.code)) return null;
  const { order } = (error.members ?? {}) as { readonly order?: { readonly id: string } };
  return error.code === 'mandate_redeemed' && order ? redeemedBy(order.id) : said(error.code);
};
