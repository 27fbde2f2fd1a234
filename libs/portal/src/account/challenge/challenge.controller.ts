import { Get, Optional, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CurrentVisit, decisionIn, FormFields, type Parameters, type Visit } from '#identity';
import { Mandates, remainingOf } from '#mandate';
import { type ChallengeDetails, Challenges, DecideChallenge, Orders } from '#order';
import type { Page, SeeOther } from '#site';
import { TravellerPurchases } from '../purchase/purchases.js';
import { toPurchase } from '../purchase/purchase.page.js';
import { AgentNames } from '../layout/agent-names.js';
import { pathTo } from '../layout/return-targets.js';
import { AccountPages, IsAbout } from '../session.guard.js';
import { challengePage, toChallenge } from './challenge.page.js';

/** `{site_url}/desafios/{id}`: where the holder of an order, and nobody else, says whether it may be paid (rule 10). */
@AccountPages('desafios')
export class ChallengeController {
  constructor(
    private readonly challenges: Challenges,
    private readonly orders: Orders,
    private readonly mandates: Mandates,
    private readonly commands: CommandBus,
    private readonly names: AgentNames,
    @Optional() private readonly purchases?: TravellerPurchases,
  ) {}

  @Get(':id')
  @IsAbout(toChallenge)
  async show(@Param('id') id: string, @CurrentVisit() visit: Visit): Promise<Page | SeeOther> {
    const { holder } = visit;
    const challenge = await this.challenges.get(id, holder);
    const { bookingId, status } = challenge;
    // Where no agent has the card, its traveller goes on with it.
    if (status === 'approved' && (await this.purchases?.isOne(bookingId)))
      return { location: pathTo(toPurchase(bookingId)) };
    const agent = await this.names.of({ holder, clientId: challenge.clientId });
    const about = await aboutChallenge(challenge, holder, this.mandates, this.orders);
    return challengePage({ ...visit, ...about, challenge, agent });
  }

  @Post(':id')
  @IsAbout(toChallenge)
  async decide(
    @Param('id') id: string,
    @CurrentVisit() { holder, context }: Visit,
    @FormFields() fields: Parameters,
  ): Promise<SeeOther> {
    const decision = decisionIn(fields);
    await this.commands.execute(new DecideChallenge(id, holder, decision, context));
    if (decision === 'deny') await this.purchases?.denied(await this.challenges.get(id, holder), context);
    return { location: pathTo(toChallenge(id)) };
  }
}

/** What a traveller is shown of a challenge beside itself: who flies, and what the mandate still has. */
export const aboutChallenge = async (
  { orderId: id, clientId, mandateId }: ChallengeDetails,
  holder: string,
  mandates: Mandates,
  orders: Orders,
) => {
  const { mandate } = await mandates.get(mandateId, holder);
  const people = await orders.travellers.of({ id }, { holder, clientId });
  const { limit, expiresAt } = mandate;
  return { people, mandate: { limit, remaining: remainingOf(mandate), expiresAt } };
};
