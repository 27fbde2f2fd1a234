import { Get, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CurrentVisit, decisionIn, FormFields, type Parameters, type Visit } from '#identity';
import { Mandates, remainingOf } from '#mandate';
import { Challenges, DecideChallenge, Orders } from '#order';
import type { Page, SeeOther } from '#site';
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
  ) {}

  @Get(':id')
  @IsAbout(toChallenge)
  async show(@Param('id') id: string, @CurrentVisit() visit: Visit): Promise<Page> {
    const { holder } = visit;
    const challenge = await this.challenges.get(id, holder);
    const { mandate: granted } = await this.mandates.get(challenge.mandateId, holder);
    const party = { holder, clientId: challenge.clientId };
    const [agent, people] = [await this.names.of(party), await this.orders.travellers.of({ id }, party)];
    const { limit, expiresAt } = granted;
    const mandate = { limit, remaining: remainingOf(granted), expiresAt };
    return challengePage({ ...visit, challenge, agent, people, mandate });
  }

  @Post(':id')
  @IsAbout(toChallenge)
  async decide(
    @Param('id') id: string,
    @CurrentVisit() { holder, context }: Visit,
    @FormFields() fields: Parameters,
  ): Promise<SeeOther> {
    await this.commands.execute(new DecideChallenge(id, holder, decisionIn(fields), context));
    return { location: pathTo(toChallenge(id)) };
  }
}
