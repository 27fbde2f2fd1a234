import { Injectable } from '@nestjs/common';
import { flightAsItIs } from '#catalog';
import { Aggregates } from '#event-store';
import { Clock, DomainError } from '#kernel';
import { isCharged, isWaiting, loadOrder, Orders, type PlacedOrder } from '#order';
import type { Asking } from '../asking.js';
import { Ap2Purchases, merchantAt } from '../ap2/ap2-purchases.js';
import type { PresentedMandates } from '../ap2/verify-mandates.js';
import { hasAp2, hasFlights } from '../capabilities.js';
import { itemNamed } from '../ids.js';
import { errorAnswer, type ErrorMessage, type Message } from '../envelope.js';
import { flightsOfLine, flightsOfSale } from '../flights/flights.view.js';
import { passengersIn } from '../flights/passengers.js';
import { parsedAs } from '../invalid-request.js';
import { type Authority, PaymentTokens } from '../payment/payment-tokens.js';
import { CHECKOUT } from '../versions.js';
import { authorizedOrder, contextOf, isOf, SessionPurchases, totalOf } from './buy-session.js';
import { type PricedLine, pricedLine } from './priced-line.js';
import { isOutcome, NEEDS_TRAVELLER, redeemedBy, REFUSED, refusesPayment, said } from './refusal-messages.js';
import { RepeatableWrites, type Write } from './repeatable-writes.js';
import { type CheckoutInput, type Completion, paidForm, selectedIn } from './session-requests.js';
import { SessionHolds } from './session-holds.js';
import { sessionView } from './session.view.js';
import { type Outcome, Sessions } from './sessions.js';
import type { Session, StoredSession } from './stored-session.js';

type Asked =
  | { readonly parts: Pick<StoredSession, 'line' | 'hasOthers' | 'buyer'>; readonly messages: readonly Message[] }
  | { readonly parts: null; readonly messages: readonly ErrorMessage[] };

/** The mandates of AP2 that a completion brought, and the order that they came to. */
interface Tried {
  readonly presented?: PresentedMandates;
  readonly order?: PlacedOrder | null;
}

const presentedIn = (input: Completion): PresentedMandates => ({
  checkout: input.ap2?.checkout_mandate,
  payment: selectedIn(input)?.credential?.token,
});

/** A purchase that is refused is counted as such, though it is answered with its session. */
const counted =
  ({ reply: { request } }: Write) =>
  (error: unknown): never => {
    if (error instanceof DomainError) request.errorCode = error.code;
    throw error;
  };

/** @throws what is no outcome of a checkout */
const saidOf = (error: unknown): ErrorMessage => {
  if (error instanceof DomainError && isOutcome(error.code)) return said(error.code);
  throw error;
};

const refusedBy = ({ code, content: description }: ErrorMessage) => ({ code, description });

/** There are no benefits to claim (UCP, Checkout, Eligibility Verification at Completion). */
const NO_BENEFITS: Message = {
  type: 'warning',
  code: 'eligibility_not_accepted',
  content: 'Aqui não há benefícios: o preço é o mesmo para todos.',
  path: '$.context.eligibility',
};

/** The operations on checkout sessions (UCP, Checkout). All but `create` throw UcpOutcome `not_found`. */
@Injectable()
export class CheckoutSessions {
  constructor(
    private readonly sessions: Sessions,
    private readonly holds: SessionHolds,
    private readonly purchases: SessionPurchases,
    private readonly writes: RepeatableWrites,
    private readonly tokens: PaymentTokens,
    private readonly ap2: Ap2Purchases,
    private readonly aggregates: Aggregates,
    private readonly orders: Orders,
    private readonly clock: Clock,
  ) {}

  /** A new session; a message without one where nothing of it is sold. */
  async create(asking: Asking, input: CheckoutInput, write: Write): Promise<object> {
    const asked = await this.asked(input);
    if (!asked.parts) {
      write.reply.request.errorCode = 'invalid_flight';
      const messages = asked.messages.map((one) => ({ ...one, type: 'error', severity: 'unrecoverable' }) as const);
      return errorAnswer(asking, [CHECKOUT], messages);
    }
    const { parts, messages } = asked;
    const travellers = passengersIn(asking, input);
    return this.writes.once(asking, 'create', write, input, {
      begin: async (id) => {
        await this.sessions.begin(id, asking, { ...parts, ...(travellers && { travellers }) });
        return this.view(asking, await this.sessions.own(asking, id), messages);
      },
      outcomeOf: async (id) => ((await this.sessions.stored.get(id)) ? this.get(asking, id) : null),
    });
  }

  async get(asking: Asking, id: string): Promise<object> {
    return this.view(asking, await this.holds.current(await this.sessions.own(asking, id)));
  }

  /** Replaces what a session says. @throws UcpError where it is over, or is being completed */
  async update(asking: Asking, id: string, input: CheckoutInput, write: Write): Promise<object> {
    const work = () => this.changed(asking, id, input);
    // Its answer says who buys: whoever erases the booking has to find it.
    const completes = () => Promise.resolve(id);
    return this.writes.once(asking, 'update', write, { id, ...input }, { begin: work, outcomeOf: work, completes });
  }

  /** @throws UcpError where it is over, or is being completed */
  async cancel(asking: Asking, id: string, write: Write): Promise<object> {
    const begin = async () => {
      const { session } = await this.holds.requireOpen(await this.sessions.taken(asking, id));
      return this.view(asking, await this.sessions.change(session, { ...session.body, canceledAt: this.clock.now() }));
    };
    const outcomeOf = async () => {
      const session = await this.sessions.own(asking, id);
      return session.body.canceledAt === undefined ? null : this.view(asking, session);
    };
    return this.writes.once(asking, 'cancel', write, { id }, { begin, outcomeOf });
  }

  /** Buys what a session says, by the instrument that was sent. @throws UcpError where it is over; Unavailable */
  async complete(asking: Asking, id: string, input: Completion, write: Write): Promise<object> {
    const session = await this.holds.current(await this.sessions.taken(asking, id));
    const { purchase } = await this.sessions.outcomeOf(session);
    if (purchase?.isTicketed) return this.view(asking, session);
    this.sessions.requireInTime(session, purchase);
    const authority = await this.authorityOf(asking, session, input, write);
    const presented = presentedIn(input);
    if (!('party' in authority)) {
      write.reply.request.errorCode ??= 'mandate_required';
      return this.view(asking, session, [authority], { presented });
    }
    const buy = () =>
      this.purchases.buy(session, authority, asking, (operation) =>
        this.writes.once(asking, 'complete', write, { id, ...input }, operation).catch(counted(write)),
      );
    const orderId = authorizedOrder(session, authority);
    const order = async () => (orderId === null ? null : loadOrder(this.aggregates, orderId, authority.party.holder));
    const earlier = await order();
    const refusals = earlier?.kind === 'failed' ? [redeemedBy(earlier.checkout.orderId)] : await buy();
    return this.view(asking, await this.sessions.own(asking, id), refusals, { presented, order: await order() });
  }

  /** By what a completion may charge; a message where by nothing. @throws Ap2Error; UcpError */
  private async authorityOf(
    asking: Asking,
    session: Session,
    input: Completion,
    write: Write,
  ): Promise<Authority | Message> {
    const total = totalOf(session.body);
    if (!hasAp2(asking) && !session.body.isLocked) {
      const instrument = selectedIn(parsedAs(paidForm, input));
      return instrument ? this.tokens.authorityOf(asking, instrument, total) : NEEDS_TRAVELLER;
    }
    const shown = await this.shown(asking, session);
    return this.ap2
      .authorityOf(asking, presentedIn(input), shown, total, (party) => contextOf(asking, party))
      .catch(counted(write))
      .catch(saidOf);
  }

  private async changed(asking: Asking, id: string, input: CheckoutInput): Promise<object> {
    const { session, booking } = await this.holds.requireOpen(await this.sessions.taken(asking, id));
    const { parts, messages } = await this.asked(input);
    if (!parts) return this.view(asking, session, messages);
    const { buyer: _, travellers: before, ...kept } = session.body;
    // A booking keeps who was named for it until others are.
    const travellers = passengersIn(asking, input) ?? (booking.kind === 'none' ? undefined : before);
    const body = { ...kept, ...parts, ...(travellers && { travellers }) };
    return this.view(asking, await this.sessions.change(session, body), messages);
  }

  /** What a platform asks for: the first of its lines that is sold at all, and what of the rest is not done; null: nothing is. */
  private async asked({ line_items: lines, buyer, context }: CheckoutInput): Promise<Asked> {
    const found = await Promise.all(lines.map(({ item, quantity }) => this.priced(item.id, quantity)));
    const sold = found.flatMap((one) => ('line' in one ? [one] : []));
    const claims = context?.eligibility?.length ? [NO_BENEFITS] : [];
    const unsold = found.flatMap((one, place) => ('line' in one ? [] : [{ ...one, path: `$.line_items[${place}]` }]));
    const [first] = sold;
    if (!first) return { parts: null, messages: unsold };
    const { line } = first;
    const warnings = unsold.map(({ code, content, path }) => ({ type: 'warning', code, content, path }) as const);
    return {
      parts: { line, hasOthers: sold.length > 1, ...(buyer && { buyer }) },
      messages: [...warnings, ...claims],
    };
  }

  private async priced(itemId: string, quantity: number): Promise<PricedLine | ErrorMessage> {
    const named = itemNamed(itemId);
    return named ? pricedLine(this.aggregates, named, quantity, this.clock.now()) : said('invalid_flight');
  }

  /** A session as it is answered: signed, where mandates of AP2 are to be made of it, and with the receipts of those that it came to or that were refused. */
  private async view(
    asking: Asking,
    session: Session,
    told: readonly Message[] = [],
    { presented = {}, order: tried = null }: Tried = {},
  ): Promise<object> {
    const shown = await this.shown(asking, session, told);
    if (!hasAp2(asking)) return shown;
    const order = tried ?? (await this.sessions.outcomeOf(session)).purchase?.order;
    const mandates = order?.checkout.ap2;
    const refusal = told.find(refusesPayment);
    const receipts =
      order && mandates
        ? await this.ap2.receiptsOf(order, mandates, asking)
        : refusal && (await this.ap2.refusalsOf(refusedBy(refusal), presented, asking, session.id));
    return { ...shown, ap2: { ...(await this.ap2.authorizationOf(shown)), ...receipts } };
  }

  private async shown(asking: Asking, session: Session, told: readonly Message[] = []) {
    const outcome = await this.sessions.outcomeOf(session);
    const { purchase } = outcome;
    const order = purchase?.order;
    const waits = order && isWaiting(order) && told.length === 0 ? [said('payment_challenge_required')] : [];
    const refused = session.body.isRefused ? [REFUSED] : [];
    const problems = purchase ? [] : await this.sessions.problemsOf(session);
    const isNew = (one: Message) => !problems.some(({ code }) => code === one.code);
    const view = sessionView(asking, session, {
      ...{ purchase, problems, now: this.clock.now(), messages: [...refused, ...told, ...waits].filter(isNew) },
      label: order && isCharged(order) ? this.orders.locators.of(order.ticketCode) : null,
      handlers: this.tokens.handlers(asking.urls),
      flights: hasFlights(asking) ? await this.flightsOf(session, outcome) : null,
    });
    return hasAp2(asking) ? { ...view, merchant: merchantAt(asking.urls.site) } : view;
  }

  /** As it was sold, or else as it is on sale. */
  private async flightsOf({ body: { line } }: Session, { booking, purchase }: Outcome) {
    if (purchase?.order) return flightsOfLine(purchase.order.checkout.line);
    const state = await flightAsItIs(this.aggregates, line.flightId);
    if (state.status === 'unscheduled') return null;
    const promised = isOf(booking, line) ? booking.choice.conditions : undefined;
    return flightsOfSale(state.flight, line.fareCode, promised);
  }
}
