import { Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { FlightDocuments } from '#catalog';
import {
  Agents,
  type KnownDelegation,
  MandatePurposes,
  Mandates,
  MandatesOfAgent,
  remainingOf,
  SetApprovalMode,
  SetSpendingCap,
  type Spending,
} from '#mandate';
import { CurrentVisit, FormFields, NotFound, type Parameters, type Visit } from '#identity';
import { Notices } from '#mail';
import { capIn, modeEntered, RevokeAgent } from '#oauth';
import { type ChallengeDetails, Challenges, Orders } from '#order';
import type { Page, SeeOther } from '#site';
import { requestedPage } from '../../page-parts.js';
import { ACCOUNT } from '../layout/account-page.js';
import { type AgentName, AgentNames } from '../layout/agent-names.js';
import { AccountPages, IsAbout } from '../session.guard.js';
import { agentCapPage, agentEndPage } from './agent-end.page.js';
import { type AgentChange, anchorOf, type CapEntry, toAgentCap, toAgentEnd } from './agent-card.js';
import { idleBefore } from './idle-agents.js';
import { overviewPage } from './overview.page.js';
import type { WaitingPayment } from './waiting.js';

/** How many agents, open mandates and trips the first page shows. */
const AGENTS = 20;
const MANDATES = 20;
const TRIPS = 4;
const ASKED = 5;
const NOTICES = 5;
/** What "O que aconteceu" is made of: the newest orders and mandates, and of each mandate the newest entries. */
const HAPPENED = { orders: 25, mandates: 8, entries: 10 };

/** The account's page after a change to an agent, which stands in view there and says so. */
const changed = (what: AgentChange['what'], clientId: string): SeeOther => ({
  location: `${ACCOUNT.path}?feito=${what}&agente=${encodeURIComponent(clientId)}#${anchorOf(clientId)}`,
});

/** `{site_url}/conta`: what a traveller lets agents do and what came of it; an agent's cap, and its revocation. */
@AccountPages('conta')
export class AccountController {
  constructor(
    private readonly flights: FlightDocuments,
    private readonly mandates: Mandates,
    private readonly orders: Orders,
    private readonly challenges: Challenges,
    private readonly commands: CommandBus,
    private readonly agents: Agents,
    private readonly names: AgentNames,
    private readonly notices: Notices,
    private readonly granted: MandatesOfAgent,
    private readonly purposes: MandatePurposes,
  ) {}

  @Get()
  @IsAbout(() => ({ kind: 'account', id: 'overview' }))
  show(
    @CurrentVisit() visit: Visit,
    @Query('cursor') cursor: unknown,
    @Query('feito') feito: unknown,
    @Query('agente') agent: unknown,
  ): Promise<Page> {
    const isDone = typeof agent === 'string' && (feito === 'limite' || feito === 'mandatos' || feito === 'revogado');
    return this.overview(visit, cursor, null, isDone ? { what: feito, clientId: agent } : null);
  }

  @Post('agentes/:id/limite')
  @IsAbout(toAgentCap)
  async limit(
    @Param('id') clientId: string,
    @CurrentVisit() visit: Visit,
    @FormFields() fields: Parameters,
  ): Promise<Page | SeeOther> {
    const { holder, context } = visit;
    const delegation = await this.knownAgent(holder, clientId);
    const entry = fields.entered('cap');
    const cap = entry === undefined ? undefined : capIn(entry);
    if (cap === 'unreadable') return this.overview(visit, undefined, { clientId, entry: entry ?? '' });
    if (cap && fields.entered('confirm') === undefined) {
      const ended = await this.mandates.endedUnder(delegation, cap);
      const name = await this.names.of({ holder, clientId });
      if (ended.length > 0) return agentCapPage({ ...visit, clientId, name, consequences: { cap, ended } });
    }
    if (cap !== undefined) await this.commands.execute(new SetSpendingCap(holder, clientId, cap, context));
    return changed('limite', clientId);
  }

  @Post('agentes/:id/mandatos')
  @IsAbout(toAgentCap)
  async mode(
    @Param('id') clientId: string,
    @CurrentVisit() { holder, context }: Visit,
    @FormFields() fields: Parameters,
  ): Promise<SeeOther> {
    await this.knownAgent(holder, clientId);
    const asksFirst = modeEntered(fields);
    if (asksFirst !== undefined) await this.commands.execute(new SetApprovalMode(holder, clientId, asksFirst, context));
    return changed('mandatos', clientId);
  }

  @Get('agentes/:id/revogar')
  @IsAbout(toAgentEnd)
  async confirm(@Param('id') clientId: string, @CurrentVisit() visit: Visit): Promise<Page> {
    const { holder } = visit;
    const delegation = await this.knownAgent(holder, clientId);
    return agentEndPage({ ...visit, clientId, name: await this.names.of({ holder, clientId }), delegation });
  }

  @Post('agentes/:id/revogar')
  @IsAbout(toAgentEnd)
  async revoke(@Param('id') clientId: string, @CurrentVisit() { holder, context }: Visit): Promise<SeeOther> {
    await this.knownAgent(holder, clientId);
    await this.commands.execute(new RevokeAgent(holder, clientId, context));
    return changed('revogado', clientId);
  }

  /** `unreadable`: what was written as a cap and is none. @throws DomainError `invalid_cursor` */
  private async overview(
    visit: Visit,
    cursor: unknown,
    unreadable: CapEntry | null,
    done: AgentChange | null = null,
  ): Promise<Page> {
    const { holder } = visit;
    const atMost = (limit: number) => requestedPage(undefined, limit);
    const [pause, notices, month, committed, challenges, asked, agents, open, mandates, trips, orders] =
      await Promise.all([
        this.agents.pause(holder),
        this.notices.of(holder, NOTICES),
        this.orders.spentThisMonth(holder),
        this.mandates.committed(holder),
        this.challenges.waiting(holder),
        this.mandates.list(holder, 'pending', atMost(ASKED)),
        this.agents.ofTraveller(holder, requestedPage(cursor, AGENTS)),
        this.mandates.list(holder, 'open', atMost(MANDATES)),
        this.mandates.list(holder, undefined, atMost(HAPPENED.mandates)),
        this.orders.list(holder, 'paid', atMost(TRIPS)),
        this.orders.list(holder, undefined, atMost(HAPPENED.orders)),
      ]);
    const happened = [...mandates.items, ...open.items.slice(0, HAPPENED.mandates)];
    const followed = [...new Map(happened.map((mandate) => [mandate.mandateId, mandate])).values()];
    const histories = await Promise.all(
      followed.map(async (mandate) => ({
        mandate,
        history: await this.mandates.history(mandate.mandateId, holder, atMost(HAPPENED.entries)),
      })),
    );
    const nameOf = await this.names.ofAll(holder, [
      ...[...notices, ...challenges, ...asked.items, ...agents.items, ...followed, ...open.items].map(
        ({ clientId }) => clientId,
      ),
      ...[...trips.items, ...orders.items].map(({ checkout }) => checkout.clientId),
    ]);
    const airports = await this.flights.airports();
    const cityOf = (code: string): string => airports.find((airport) => airport.code === code)?.city ?? code;
    const spendings = new Map<string, Spending>();
    for (const { clientId, delegation } of agents.items) {
      spendings.set(clientId, await this.mandates.spending(delegation));
    }
    const payments = await Promise.all(challenges.map((one) => this.payment(one, visit, nameOf(one.clientId))));
    const idle = await this.granted.withoutAny(agents.items, idleBefore(visit.now));
    return overviewPage({
      ...visit,
      pause,
      summary: { month, committed },
      payments,
      asked: await Promise.all(
        asked.items.map(async (mandate) => ({
          mandate,
          agent: nameOf(mandate.clientId),
          purpose: await this.purposes.of(mandate.mandateId),
        })),
      ),
      idle: idle.length,
      notices,
      agents,
      spendings,
      open,
      mandates,
      cityOf,
      done,
      trips: trips.items,
      orders,
      histories,
      nameOf,
      unreadable,
    });
  }

  /** A payment that waits, with all that its own page shows. */
  private async payment(
    challenge: ChallengeDetails,
    { holder, now }: Visit,
    agent: AgentName,
  ): Promise<WaitingPayment> {
    const { orderId: id, clientId, mandateId } = challenge;
    const { mandate } = await this.mandates.get(mandateId, holder);
    const people = await this.orders.travellers.of({ id }, { holder, clientId });
    const { limit, expiresAt } = mandate;
    return { challenge, agent, people, mandate: { limit, remaining: remainingOf(mandate), expiresAt }, now };
  }

  /** The delegation of an agent that the traveller authorized at least once. @throws NotFound */
  private async knownAgent(holder: string, clientId: string): Promise<KnownDelegation> {
    const delegation = await this.agents.delegation(holder, clientId);
    if (delegation.status === 'unknown') throw new NotFound();
    return delegation;
  }
}
