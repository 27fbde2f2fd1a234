import { Get, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Agents, PauseAgents, ResumeAgents } from '#mandate';
import { CurrentVisit, type Visit } from '#identity';
import type { Page, SeeOther } from '#site';
import { requestedPage } from '../../page-parts.js';
import { ACCOUNT } from '../layout/account-page.js';
import { AccountPages, IsAbout } from '../session.guard.js';
import { pauseAllPage, TO_PAUSE, TO_RESUME } from './pause-all.js';

/** Agents whose open mandates the page counts. */
const AGENTS = 100;
const DONE: SeeOther = { location: ACCOUNT.path };

/** `{site_url}/conta/pausa`: a traveller stops all of their agents at once, and lets them go on. */
@AccountPages('conta/pausa')
export class PauseAllController {
  constructor(
    private readonly commands: CommandBus,
    private readonly agents: Agents,
  ) {}

  @Get()
  @IsAbout(() => TO_PAUSE)
  async ask(@CurrentVisit() visit: Visit): Promise<Page> {
    const { holder } = visit;
    const [pause, agents] = await Promise.all([
      this.agents.pause(holder),
      this.agents.ofTraveller(holder, requestedPage(undefined, AGENTS)),
    ]);
    return pauseAllPage({ ...visit, pause, agents: agents.items });
  }

  /** To stop what may spend, the login need not be a recent one. */
  @Post()
  @IsAbout(() => TO_PAUSE)
  async pause(@CurrentVisit() { holder, context }: Visit): Promise<SeeOther> {
    await this.commands.execute(new PauseAgents(holder, context));
    return DONE;
  }

  @Post('retomar')
  @IsAbout(() => TO_RESUME)
  async resume(@CurrentVisit() { holder, context }: Visit): Promise<SeeOther> {
    await this.commands.execute(new ResumeAgents(holder, context));
    return { location: `${ACCOUNT.path}?feito=retomado` };
  }
}
