import { Get, Param, Query } from '@nestjs/common';
import { Agents, MandatePurposes } from '#mandate';
import { LimitedBy } from '#http';
import { Clients } from '#oauth';
import type { Page } from '#site';
import { CurrentVisit, NotFound } from '#identity';
import { AuditorPages, IsAbout } from '../auditor.guard.js';
import { agentNameOf, type Audience } from '../layout/auditor-page.js';
import { mandatePage } from './mandate.page.js';
import { MandateReplays } from './replay-mandate.js';

/** `{site_url}/auditoria/mandatos`: the life of a mandate, event by event. */
@AuditorPages('auditoria/mandatos')
export class AuditedMandatesController {
  constructor(
    private readonly replays: MandateReplays,
    private readonly agents: Agents,
    private readonly clients: Clients,
    private readonly purposes: MandatePurposes,
  ) {}

  /** `evento`: the number of the event to stop at, the first being 1; absent: the last. */
  @Get(':id')
  @LimitedBy('publicReads', 10)
  @IsAbout(({ id = '' }) => ({ kind: 'mandate', id }))
  async show(
    @Param('id') id: string,
    @Query('evento') asked: unknown,
    @CurrentVisit() audience: Audience,
  ): Promise<Page> {
    const replayed = await this.replays.of(id, numberIn(asked));
    if (!replayed) throw new NotFound();
    const agent = await agentNameOf(replayed, this.clients, this.agents);
    const purpose = await this.purposes.of(id);
    return mandatePage({ ...audience, replayed, agent, purpose });
  }
}

/** @throws NotFound where it is no number of an event */
const numberIn = (asked: unknown): number | undefined => {
  if (asked === undefined) return undefined;
  if (typeof asked !== 'string' || !/^[1-9]\d{0,8}$/.test(asked)) throw new NotFound();
  return Number(asked);
};
