import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Card, checkCard } from '#checkout';
import { ERROR_CATALOGUE } from '#http';
import { CHARGE_SCOPES, Clock, type Context, DomainError, Ids, type Party } from '#kernel';
import { CreateMandate, RevokeMandate, SetSpendingCap } from '#mandate';
import { type ChallengeDetails, isWaiting } from '#order';
import { type Decided, type Decision, type Offer, type Onlooker, type Refusal, TravellerPurchases } from '#portal';
import { contextOf, type Origin, SessionPurchases } from '../checkout/buy-session.js';
import { SessionHolds } from '../checkout/session-holds.js';
import { Sessions } from '../checkout/sessions.js';
import type { Session } from '../checkout/stored-session.js';
import { Admissions } from '../payment/admissions.js';
import { UcpError } from '../ucp-error.js';
import { type FoundSession, SessionStandings } from './session-standing.js';

/** How long (min) the mandate of one purchase lasts: as long as its payment may wait for a confirmation. */
const LASTS = 10;

/** Carries out what travellers decide on the pages of sessions, once each (docs/ucp.md, The traveller's page). */
@Injectable()
export class SessionDecisions extends TravellerPurchases {
  constructor(
    private readonly sessions: Sessions,
    private readonly holds: SessionHolds,
    private readonly standings: SessionStandings,
    private readonly purchases: SessionPurchases,
    private readonly admissions: Admissions,
    private readonly commands: CommandBus,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {
    super();
  }

  override find(id: string, who: Onlooker): Promise<FoundSession | null> {
    return this.standings.of(id, who);
  }

  override async isOne(bookingId: string): Promise<boolean> {
    return (await this.sessions.found(bookingId))?.body.approval !== undefined;
  }

  override async denied(
    { bookingId, mandateId }: Pick<ChallengeDetails, 'bookingId' | 'mandateId'>,
    context: Context,
  ): Promise<void> {
    const { holder } = context.actor;
    if (holder !== null && (await this.isOne(bookingId))) await this.end(mandateId, holder, context);
  }

  override async refuse(id: string, who: Onlooker): Promise<FoundSession | null> {
    const found = await this.find(id, who);
    if (found?.standing.kind !== 'open' && found?.standing.kind !== 'barred') return found;
    const { session } = found;
    const body = { ...session.body, canceledAt: this.clock.now(), isRefused: true as const };
    await this.sessions.change(session, body).catch(onlyUcp);
    return this.find(id, who);
  }

  override async buy(id: string, who: Onlooker, decision: Decision, origin: Origin): Promise<Decided | null> {
    const found = await this.find(id, who);
    if (!found) return null;
    const { standing } = found;
    if (standing.kind !== 'open' && standing.kind !== 'approved') return { ...found, refusal: null };
    if (standing.offer.shown !== decision.shown) return { ...found, refusal: { kind: 'changed' } };
    const refusal = await (
      standing.kind === 'approved'
        ? this.conclude(found, standing.mandateId, decision.card, origin)
        : this.begin(found, standing.offer, decision.card, origin)
    ).catch(refusalIn);
    const after = await this.find(id, who);
    return (
      after && {
        ...after,
        refusal: after.standing.kind === 'open' || after.standing.kind === 'approved' ? refusal : null,
      }
    );
  }

  /** Goes on with a payment that was approved, by the card that was asked about. */
  private async conclude(found: FoundSession, mandateId: string, card: Card, origin: Origin): Promise<Refusal> {
    const { session, party } = found;
    const authority = { party, mandateId, card, takesBuyer: false } as const;
    const [message] = await this.purchases.buy(session, authority, origin, (operation) => this.run(operation));
    await this.endUnlessWaiting(session, party, mandateId, contextOf(origin, party));
    return message ? { kind: 'refused', text: message.content } : { kind: 'other_card' };
  }

  /** Lets the platform buy this once, and buys it. Whatever came of it, nothing else is ever charged to its mandate. */
  private async begin(found: FoundSession, offer: Offer, card: Card, origin: Origin): Promise<Refusal | null> {
    checkCard(card, this.clock.now());
    const { party } = found;
    const { holder } = party;
    const context = contextOf(origin, party);
    const mandateId = this.ids.next();
    const authority = { party, mandateId, card, ...(!offer.buyer && { takesBuyer: false as const }) };
    const { approval: earlier } = found.session.body;
    // Who is second to write this buys nothing (docs/ucp.md).
    return this.holds.during(found.session, holder, { approval: { mandateId } }, async (session) => {
      try {
        if (earlier) await this.end(earlier.mandateId, holder, context);
        await this.permit(session, party, mandateId, offer, context);
        const [message] = await this.purchases.buyHeld(session, authority, origin, (operation) => this.run(operation));
        await this.endUnlessWaiting(session, party, mandateId, context);
        return message ? { kind: 'refused', text: message.content } : null;
      } catch (error) {
        // A purchase of which nobody knows how it ends needs its mandate.
        if (error instanceof DomainError || error instanceof UcpError)
          await this.endUnlessWaiting(session, party, mandateId, context);
        throw error;
      }
    });
  }

  /** One mandate for this purchase, of a platform that is let in for it or has room for it. @throws DomainError why there is none */
  private async permit({ body }: Session, party: Party, mandateId: string, offer: Offer, context: Context) {
    const { line, raised } = offer;
    const { subtotal: limit, from, to, unitPrice } = line;
    await this.admissions.letIn(party, body.platform, { cap: limit, asksFirst: true }, context);
    if (raised) await this.commands.execute(new SetSpendingCap(party.holder, party.clientId, raised.to, context));
    const constraints = { from: [from], to: [to], maxPricePerSeat: unitPrice, maxOrders: 1 };
    const terms = { scope: CHARGE_SCOPES, limit, minutes: LASTS, constraints };
    const granted = { by: 'traveller', at: this.clock.now() } as const;
    await this.commands.execute(new CreateMandate(mandateId, party, terms, context, granted));
  }

  private async endUnlessWaiting(
    session: Session,
    { holder }: Party,
    mandateId: string,
    context: Context,
  ): Promise<void> {
    const order = (await this.sessions.outcomeOf(session)).purchase?.order;
    const waits = order && isWaiting(order) && order.checkout.mandateId === mandateId;
    if (!waits) await this.end(mandateId, holder, context);
  }

  private async end(mandateId: string, holder: string, context: Context): Promise<void> {
    // It ends as its traveller was promised: no agent ends it.
    const own = { ...context, actor: { holder, clientId: null } };
    await this.commands.execute(new RevokeMandate(mandateId, holder, own)).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
    });
  }

  /** Each press of the button is one try: which of several is the purchase, the booking decides. */
  private run(operation: { readonly begin: (id: string) => Promise<unknown> }): Promise<unknown> {
    return operation.begin(this.ids.next());
  }
}

const onlyUcp = (error: unknown): void => {
  if (!(error instanceof UcpError)) throw error;
};

/** What a refusal says to people; `changed` where another request was faster. */
const refusalIn = (error: unknown): Refusal => {
  if (error instanceof UcpError) return { kind: 'changed' };
  if (error instanceof DomainError) return { kind: 'refused', text: ERROR_CATALOGUE[error.code].message };
  throw error;
};
