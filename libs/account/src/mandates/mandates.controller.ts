import { Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { GetMandate, ListMandates, MandateStatement, RevokeMandate } from '#mandate';
import { html, type Page, type SeeOther } from '#site';
import { ACCOUNT, accountPage, MANDATES, nextLink, requestedPage } from '../layout/account-page.js';
import { AgentNames } from '../layout/agent-names.js';
import { pathTo } from '../layout/return-targets.js';
import { AccountPages, CurrentVisit, IsAbout, type Visit } from '../session.guard.js';
import { mandateEndPage } from './mandate-end.page.js';
import { mandateRows } from './mandate-rows.js';
import { mandatePage, toMandate, toMandateEnd } from './mandate.page.js';

const MANDATES_A_PAGE = 20;
const EVENTS_A_PAGE = 50;

/** `{site_url}/conta/mandatos`: what a traveller granted, what became of it, and the way to revoke it. */
@AccountPages('conta/mandatos')
export class MandatesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
    private readonly names: AgentNames,
  ) {}

  @Get()
  @IsAbout(() => ({ kind: 'account', id: 'mandates' }))
  async list(@CurrentVisit() { holder, session, now, urls }: Visit, @Query('cursor') cursor: unknown): Promise<Page> {
    const page = requestedPage(cursor, MANDATES_A_PAGE);
    const { count, items, nextCursor } = await this.queries.execute(new ListMandates(holder, undefined, page));
    const nameOf = await this.names.ofAll(items.map(({ clientId }) => clientId));
    return accountPage({
      title: MANDATES.name,
      session,
      urls,
      isBroad: true,
      trail: [ACCOUNT],
      content: html`<h1>${MANDATES.name}</h1>
        <p class="lead">${count === 0 ? 'Nenhum mandato ainda.' : `${count} no total, do mais novo ao mais antigo.`}</p>
        ${mandateRows(items, nameOf, now)} ${nextLink(MANDATES.path, nextCursor, 'Ver mandatos mais antigos')}`,
    });
  }

  @Get(':id')
  @IsAbout(toMandate)
  async show(
    @Param('id') id: string,
    @CurrentVisit() { holder, session, now, urls }: Visit,
    @Query('cursor') cursor: unknown,
  ): Promise<Page> {
    const page = requestedPage(cursor, EVENTS_A_PAGE);
    const { mandate } = await this.queries.execute(new GetMandate(id, holder));
    const statement = await this.queries.execute(new MandateStatement(id, holder, page));
    const actors = statement.items.flatMap(({ clientId }) => clientId ?? []);
    const nameOf = await this.names.ofAll([mandate.clientId, ...actors]);
    return mandatePage({ mandate, statement, nameOf, session, now, urls });
  }

  @Get(':id/revogar')
  @IsAbout(toMandateEnd)
  async confirm(@Param('id') id: string, @CurrentVisit() { holder, session, now, urls }: Visit): Promise<Page> {
    const { mandate } = await this.queries.execute(new GetMandate(id, holder));
    return mandateEndPage({ mandate, agent: await this.names.of(mandate.clientId), session, now, urls });
  }

  @Post(':id/revogar')
  @IsAbout(toMandateEnd)
  async revoke(@Param('id') id: string, @CurrentVisit() { holder, context }: Visit): Promise<SeeOther> {
    await this.commands.execute(new RevokeMandate(id, holder, context));
    return { location: pathTo(toMandate(id)) };
  }
}
