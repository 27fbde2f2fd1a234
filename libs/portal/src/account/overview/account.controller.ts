import { Get, Query } from '@nestjs/common';
import { Agents, MandatePurposes, Mandates } from '#mandate';
import { CurrentVisit, type Visit } from '#identity';
import { Notices } from '#outbox';
import { Challenges, Orders } from '#order';
import type { Page, SeeOther } from '#site';
import { requestedPage } from '../../page-parts.js';
import { aboutChallenge } from '../challenge/challenge.controller.js';
import { AGENTS } from '../layout/account-page.js';
import { AgentNames } from '../layout/agent-names.js';
import { afterChange, changeIn } from '../limits/agent-limit.js';
import { AccountPages, IsAbout } from '../session.guard.js';
import { feedPage } from './feed.js';
import { Happenings } from './happenings.js';
import { overviewPage } from './overview.page.js';

/** How many agents and open mandates are asked for, and mandates that wait. */
const MANY = 20;
const ASKED = 5;
const NOTICES = 50;

/** `{site_url}/conta`: what agents may spend, what waits for the traveller, and what happened. */
@AccountPages('conta')
export class AccountController {
  constructor(
    private readonly mandates: Mandates,
    private readonly orders: Orders,
    private readonly challenges: Challenges,
    private readonly agents: Agents,
    private readonly names: AgentNames,
    private readonly notices: Notices,
    private readonly purposes: MandatePurposes,
    private readonly happenings: Happenings,
  ) {}

  @Get()
  @IsAbout(() => ({ kind: 'account', id: 'overview' }))
  async show(
    @CurrentVisit() visit: Visit,
    @Query('cursor') cursor: unknown,
    @Query('feito') done: unknown,
    @Query('agente') agent: unknown,
  ): Promise<Page | SeeOther> {
    // What this page showed before it had tabs keeps its addresses.
    const change = changeIn(done, agent);
    if (change) return afterChange(change);
    if (typeof cursor === 'string') return { location: `${AGENTS.path}?cursor=${encodeURIComponent(cursor)}` };

    const { holder } = visit;
    const atMost = (limit: number) => requestedPage(undefined, limit);
    const [pause, notices, committed, challenges, asked, agents, open, happened] = await Promise.all([
      this.agents.pause(holder),
      this.notices.of(holder, NOTICES),
      this.mandates.committed(holder),
      this.challenges.waiting(holder),
      this.mandates.list(holder, 'pending', atMost(ASKED)),
      this.agents.ofTraveller(holder, atMost(MANY)),
      this.mandates.list(holder, 'open', atMost(MANY)),
      this.happenings.of(holder),
    ]);
    const nameOf = await this.names.ofAll(holder, [...challenges, ...asked.items, ...happened.items]);
    const purposes = await this.purposes.ofAll(asked.items.map(({ mandateId }) => mandateId));
    return overviewPage({
      ...visit,
      pause,
      committed,
      payments: await Promise.all(
        challenges.map(async (challenge) => ({
          ...(await aboutChallenge(challenge, holder, this.mandates, this.orders)),
          ...{ challenge, agent: nameOf(challenge.clientId), now: visit.now },
        })),
      ),
      asked: asked.items.map((mandate) => ({
        mandate,
        agent: nameOf(mandate.clientId),
        purpose: purposes.get(mandate.mandateId) ?? null,
      })),
      notices,
      agents: agents.items,
      open,
      happened,
      nameOf,
      isResumed: done === 'retomado' && pause.phase !== 'paused',
    });
  }

  @Get('acontecimentos')
  @IsAbout(() => ({ kind: 'account', id: 'happened' }))
  async before(@CurrentVisit() visit: Visit, @Query('cursor') cursor: unknown): Promise<Page> {
    const { holder } = visit;
    const happened = await this.happenings.of(holder, requestedPage(cursor, MANY).cursor);
    const nameOf = await this.names.ofAll(holder, happened.items);
    return feedPage({ ...visit, happened, nameOf });
  }
}
