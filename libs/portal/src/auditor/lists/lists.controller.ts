import { Get, Param, Query } from '@nestjs/common';
import { Agents, Mandates, MandatesOfAgent } from '#mandate';
import { Clock } from '#kernel';
import { Clients, travellersName } from '#oauth';
import { Orders } from '#order';
import type { Page } from '#site';
import { CurrentVisit, NotFound } from '#identity';
import { requestedPage } from '../../page-parts.js';
import { AuditorPages, IsAbout } from '../auditor.guard.js';
import { agentNameOf, type Audience } from '../layout/auditor-page.js';
import { agentPage, partyPage, travellerPage } from './lists.pages.js';

const SHOWN = 20;

/** `{site_url}/auditoria/viajantes` and `/agentes`: those who have mandates and orders. */
@AuditorPages('auditoria')
export class ListsController {
  constructor(
    private readonly mandates: Mandates,
    private readonly granted: MandatesOfAgent,
    private readonly orders: Orders,
    private readonly agents: Agents,
    private readonly clients: Clients,
    private readonly clock: Clock,
  ) {}

  @Get('viajantes/:id')
  @IsAbout(({ id = '' }) => ({ kind: 'traveller', id }))
  async traveller(
    @Param('id') holder: string,
    @Query('mandatos') afterMandate: unknown,
    @Query('pedidos') afterOrder: unknown,
    @Query('agentes') afterAgent: unknown,
    @CurrentVisit() audience: Audience,
  ): Promise<Page> {
    const agents = await this.agents.ofTraveller(holder, requestedPage(afterAgent, SHOWN));
    const mandates = await this.mandates.list(holder, undefined, requestedPage(afterMandate, SHOWN));
    const orders = await this.orders.list(holder, undefined, requestedPage(afterOrder, SHOWN));
    if (agents.count + mandates.count + orders.count === 0) throw new NotFound();
    return travellerPage({ ...audience, holder, agents, mandates, orders });
  }

  @Get('agentes/:id')
  @IsAbout(({ id = '' }) => ({ kind: 'agent', id }))
  async agent(
    @Param('id') clientId: string,
    @Query('viajantes') after: unknown,
    @CurrentVisit() audience: Audience,
  ): Promise<Page> {
    const travellers = await this.agents.travellersOf(clientId, requestedPage(after, SHOWN));
    const client = await this.clients.find(clientId);
    if (!client && travellers.count === 0) throw new NotFound();
    return agentPage({ ...audience, clientId, name: client && travellersName(client), travellers });
  }

  @Get('agentes/:id/viajantes/:holder')
  @IsAbout(({ id = '', holder = '' }) => ({ kind: 'agent', id: `${holder}.${id}` }))
  async party(
    @Param('id') clientId: string,
    @Param('holder') holder: string,
    @Query('mandatos') after: unknown,
    @CurrentVisit() audience: Audience,
  ): Promise<Page> {
    const { cursor } = requestedPage(after, SHOWN);
    const { items, nextCursor } = await this.granted.page({ holder, clientId }, cursor);
    if (items.length === 0 && nextCursor === null && cursor === undefined) throw new NotFound();
    const name = await agentNameOf({ holder, clientId }, this.clients, this.agents);
    const mandates = items.map(({ mandate }) => mandate);
    const now = this.clock.now();
    return partyPage({ ...audience, holder, clientId, name, mandates, nextCursor, now });
  }
}
