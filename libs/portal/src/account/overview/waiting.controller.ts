import { Optional, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CurrentVisit, decisionIn, FormFields, type Parameters, type Visit } from '#identity';
import { DomainError } from '#kernel';
import { ApproveMandate, Mandates, RevokeMandate } from '#mandate';
import { Challenges, DecideChallenge } from '#order';
import type { SeeOther } from '#site';
import { toChallenge } from '../challenge/challenge.page.js';
import { pathTo } from '../layout/return-targets.js';
import { approvalProblem, toMandateApproval } from '../mandates/mandate-decision.pages.js';
import { toMandate } from '../mandates/standing.js';
import { TravellerPurchases } from '../purchase/purchases.js';
import { AccountPages, IsAbout } from '../session.guard.js';
import { toMandateCard, toPaymentCard } from './waiting.js';

/** The decisions that travellers take in the cards of their account's first page; what became of each, its own page says. */
@AccountPages('conta/decisoes')
export class WaitingController {
  constructor(
    private readonly commands: CommandBus,
    private readonly mandates: Mandates,
    private readonly challenges: Challenges,
    @Optional() private readonly purchases?: TravellerPurchases,
  ) {}

  @Post('pagamentos/:id')
  @IsAbout(toPaymentCard)
  async payment(
    @Param('id') id: string,
    @CurrentVisit() { holder, context }: Visit,
    @FormFields() fields: Parameters,
  ): Promise<SeeOther> {
    const decision = decisionIn(fields);
    await this.commands.execute(new DecideChallenge(id, holder, decision, context));
    if (decision === 'deny') await this.purchases?.denied(await this.challenges.get(id, holder), context);
    return { location: pathTo(toChallenge(id)) };
  }

  /** Allows what the card shows: what was asked for never changes, and what was allowed before stands. */
  @Post('mandatos/:id')
  @IsAbout(toMandateCard)
  async mandate(
    @Param('id') id: string,
    @CurrentVisit() { holder, context }: Visit,
    @FormFields() fields: Parameters,
  ): Promise<SeeOther> {
    const { mandate } = await this.mandates.get(id, holder);
    const isDenied = decisionIn(fields) === 'deny';
    const command = isDenied
      ? new RevokeMandate(id, holder, context)
      : new ApproveMandate(id, holder, mandate, context);
    try {
      await this.commands.execute(command);
    } catch (error) {
      // Its own page has what to change.
      if (!(error instanceof DomainError && approvalProblem(error.code, mandate))) throw error;
      return { location: pathTo(toMandateApproval(id)) };
    }
    return { location: `${pathTo(toMandate(id))}?feito` };
  }
}
