import { Injectable } from '@nestjs/common';
import type { Booking } from '#booking';
import { Aggregates } from '#event-store';
import { canonicalJson, Clock, type Money, money, type Party } from '#kernel';
import { capOf, type CapUse, type Delegation, delegations, mustAsk } from '#mandate';
import { Challenges, isCharged, isWaiting } from '#order';
import type { Bar, FoundPurchase, Offer, Onlooker, Standing } from '#portal';
import { fareOf, flightAsItIs, soldFare } from '#catalog';
import { DEFAULT_CONDITIONS, type Line } from '#events';
import { hashOf, normalized } from '#identity';
import { isPromisedBy, totalOf } from '../checkout/buy-session.js';
import { pricedLine } from '../checkout/priced-line.js';
import { SessionHolds } from '../checkout/session-holds.js';
import { Sessions } from '../checkout/sessions.js';
import type { Purchase } from '../checkout/session.view.js';
import type { Buyer, Session } from '../checkout/stored-session.js';
import { Admissions } from '../payment/admissions.js';
import { agentOf } from '../ids.js';

export interface FoundSession extends FoundPurchase {
  readonly session: Session;
  readonly party: Party;
}

/** Reads how sessions stand for travellers. */
@Injectable()
export class SessionStandings {
  constructor(
    private readonly sessions: Sessions,
    private readonly holds: SessionHolds,
    private readonly challenges: Challenges,
    private readonly admissions: Admissions,
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
  ) {}

  /** null: there is no such session. `session` has the price that is shown. */
  async of(id: string, who: Onlooker): Promise<FoundSession | null> {
    const found = await this.sessions.found(id);
    if (!found) return null;
    const read = await this.holds.current(found);
    const { holder } = who;
    const party = { holder, clientId: agentOf({ profile: read.body.platform }) };
    const { booking, purchase } = await this.sessions.outcomeOf(read);
    const { traveller = holder } = read.body;
    if ((booking.kind === 'none' ? traveller : booking.holder) !== holder)
      return { session: read, party, standing: { kind: 'elsewhere' } };
    const taken = purchase && (await this.ofPurchase(read, purchase, who));
    if (taken) return { session: read, party, standing: taken };
    const over = this.end(read);
    if (over) return { session: read, party, standing: over };
    const session = await this.atTodaysPrice(read, booking);
    return { session, party, standing: await this.openOrBarred(session, read, party, who) };
  }

  private async ofPurchase(session: Session, { orderId, order }: Purchase, who: Onlooker): Promise<Standing> {
    if (order && isCharged(order)) return { kind: 'bought', orderId };
    if (!order || !isWaiting(order)) return { kind: 'under_way' };
    const { status, line, expiresAt, mandateId } = await this.challenges.get(orderId, who.holder);
    if (status === 'waiting') return { kind: 'challenged', orderId };
    if (status === 'paid') return { kind: 'bought', orderId };
    if (status !== 'approved') return { kind: 'under_way' };
    const buyer = buyerAs(who, session.body.buyer);
    const offer = { line, buyer, isForOther: false, raised: null, before: null, expiresAt };
    return { kind: 'approved', offer: asShown(session, offer), mandateId };
  }

  private end({ body }: Session): Standing | null {
    const { completingUntil = '', canceledAt, isRefused, expiresAt } = body;
    const now = this.clock.now();
    if (canceledAt !== undefined) return { kind: isRefused ? 'refused' : 'canceled' };
    if (now < completingUntil) return { kind: 'under_way' };
    return now >= expiresAt ? { kind: 'expired' } : null;
  }

  /** What is promised by a booking keeps its price; else it is today's, as for anybody who comes now. */
  private async atTodaysPrice(session: Session, booking: Booking): Promise<Session> {
    const [{ line }, now] = [session.body, this.clock.now()];
    if (isPromisedBy(booking, line, now)) return session;
    const priced = await pricedLine(this.aggregates, line, line.quantity, now);
    return 'line' in priced ? { ...session, body: { ...session.body, line: priced.line } } : session;
  }

  private async openOrBarred(session: Session, read: Session, party: Party, who: Onlooker): Promise<Standing> {
    const { buyer: named, ...nobody } = session.body;
    const buyer = buyerAs(who, named);
    const problems = await this.sessions.problemsOf(buyer ? session : { ...session, body: nobody });
    const texts = problems.map(({ content }) => content);
    const line = await lineOffered(this.aggregates, session);
    if (texts.length > 0 || !line) return barred({ kind: 'problem', texts });
    const { state } = await this.aggregates.load(delegations, party);
    const isPaused = (await this.admissions.pauseOf(party.holder)) !== undefined || isHeld(state);
    if (isPaused) return barred({ kind: 'agents_paused' });
    if (state.status === 'revoked') return barred({ kind: 'agent_revoked' });
    const raised = raiseOf(state, line.subtotal);
    if (raised && 'limit' in raised) return barred({ kind: 'cap', cap: raised });
    const last = totalOf(read.body);
    const before = last.amount === line.subtotal.amount ? null : last;
    const { expiresAt } = session.body;
    const offer = { line, buyer, isForOther: named !== undefined && !buyer, raised, before, expiresAt };
    return { kind: 'open', offer: asShown(session, offer) };
  }
}

const barred = (bar: Bar): Standing => ({ kind: 'barred', bar });

const isHeld = (delegation: Delegation): boolean =>
  delegation.status !== 'unknown' && delegation.pauseOfAll?.isOn === true;

/**
 * What a limit becomes that has no room for a purchase: room for this one alone. Only where the platform asks for each
 * mandate: one that does not might spend what a failed purchase leaves, and the limit as it is comes back. null: there is room.
 */
const raiseOf = (delegation: Delegation, total: Money): Offer['raised'] | CapUse => {
  const use = capOf(delegation);
  if (!use || (use.limit.currency === total.currency && total.amount <= use.available.amount)) return null;
  if (use.limit.currency !== total.currency || !mustAsk(delegation)) return use;
  return { from: use.limit, to: money(use.used.amount + total.amount, total.currency) };
};

/** The buyer of a session where they are this account: by the e-mail address, which is theirs alone. Its id may be in any hands. */
const buyerAs = ({ email }: Onlooker, buyer: Buyer | undefined): Buyer | null =>
  buyer?.email !== undefined && normalized(buyer.email) === normalized(email) ? buyer : null;

/** What is bought by a session, at the price in it; null: it is sold no more. */
const lineOffered = async (aggregates: Aggregates, { body }: Session): Promise<Line | null> => {
  const { flightId, fareCode, quantity: passengers, price, taxes, currency, title } = body.line;
  const state = await flightAsItIs(aggregates, flightId);
  const fare = state.status === 'scheduled' ? fareOf(state.flight, fareCode) : undefined;
  if (state.status !== 'scheduled' || !fare) return null;
  const { flightNumber, from, to, departureDate, departureTime } = state.flight;
  return {
    ...{ description: title, flightId, flightNumber, from, to, departureDate, departureTime, passengers },
    ...soldFare(fare),
    unitPrice: money(price, currency),
    subtotal: totalOf(body),
    taxes: money(taxes * passengers, currency),
    conditions: fare.conditions ?? DEFAULT_CONDITIONS,
  };
};

/** An offer with what stands for it. */
const asShown = ({ body }: Session, offer: Omit<Offer, 'shown'>): Offer => {
  const { line, buyer, raised } = offer;
  return { ...offer, shown: hashOf(canonicalJson({ platform: body.platform, line, buyer, raised })) };
};
