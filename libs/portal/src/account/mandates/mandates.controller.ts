import { Get, Header, Param, Post, Query, type StreamableFile } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { LimitedBy } from '#http';
import { CurrentVisit, decisionIn, FormFields, type Parameters, type Visit } from '#identity';
import { DomainError, type ErrorCode, money, SYSTEM } from '#kernel';
import {
  ApproveMandate,
  type GrantedMandate,
  type HistoryLine,
  type HistoryPage,
  MandatePurposes,
  Mandates,
  NarrowMandate,
  PauseMandate,
  ResumeMandate,
  RevokeMandate,
  statusOf,
} from '#mandate';
import { Orders } from '#order';
import { ENTRY_PROBLEMS, entriesIn, grantedBy, type MandateEntry } from '#oauth';
import { amountIn, html, type Page, type SeeOther } from '#site';
import { requestedPage } from '../../page-parts.js';
import { Histories } from '../history/histories.js';
import { listPage, MANDATES } from '../layout/account-page.js';
import { AgentNames } from '../layout/agent-names.js';
import { pathTo } from '../layout/return-targets.js';
import { AccountPages, IsAbout } from '../session.guard.js';
import {
  approvalProblem,
  type MandateApproval,
  mandateApprovalPage,
  mandateEndPage,
  toMandateApproval,
} from './mandate-decision.pages.js';
import { endIn, type MandateNarrow, mandateNarrowPage } from './mandate-narrow.page.js';
import { mandateRows } from './mandate-rows.js';
import { mandatePage } from './mandate.page.js';
import { MANDATE_IS, toMandate, toMandateEnd, toMandateNarrow, toMandatePause } from './standing.js';
import type { Actors } from './statement-line.js';

const NO_ENTRY: MandateEntry = { limit: '', duration: '', unit: '' };
/** The mandate's page after its traveller did something to it, which it says. */
const done = (id: string): SeeOther => ({ location: `${pathTo(toMandate(id))}?feito` });

const MANDATES_A_PAGE = 20;
const ENTRIES_A_PAGE = 25;

/** Why a mandate is not narrowed though its page has the form: it waits, or it is over, or nearly. Its own page says so. */
const OVERTAKEN: readonly ErrorCode[] = ['invalid_validity', 'mandate_pending', 'mandate_revoked'];

/** `{site_url}/conta/mandatos`: what a traveller granted, what became of it, and the way to revoke it. */
@AccountPages('conta/mandatos')
export class MandatesController {
  constructor(
    private readonly mandates: Mandates,
    private readonly orders: Orders,
    private readonly commands: CommandBus,
    private readonly names: AgentNames,
    private readonly purposes: MandatePurposes,
    private readonly histories: Histories,
  ) {}

  @Get()
  @IsAbout(() => ({ kind: 'account', id: 'mandates' }))
  async list(@CurrentVisit() visit: Visit, @Query('cursor') cursor: unknown): Promise<Page> {
    const page = requestedPage(cursor, MANDATES_A_PAGE);
    const { holder } = visit;
    const found = await this.mandates.list(holder, undefined, page);
    const nameOf = await this.names.ofAll(holder, found.items);
    const purposes = await this.purposes.ofAll(found.items.map(({ mandateId }) => mandateId));
    return listPage(
      MANDATES,
      'mandato',
      { ...found, rows: html`${MANDATE_IS}${mandateRows(found.items, { nameOf, purposes, now: visit.now })}` },
      visit,
    );
  }

  @Get(':id')
  @IsAbout(toMandate)
  async show(
    @Param('id') id: string,
    @CurrentVisit() visit: Visit,
    @Query('cursor') cursor: unknown,
    @Query('feito') feito: unknown,
  ): Promise<Page> {
    const { holder } = visit;
    const page = requestedPage(cursor, ENTRIES_A_PAGE);
    const { mandate } = await this.mandates.get(id, holder);
    const history = await this.mandates.history(id, holder, page);
    const actors = await this.actorsIn(history, mandate);
    const purpose = await this.purposes.of(id);
    const integrity = await this.histories.integrityOf(`mandate-${id}`);
    const shown = { mandate, purpose, history, isNewest: page.cursor === undefined, integrity, actors };
    return mandatePage({ ...visit, ...shown, isDone: feito !== undefined });
  }

  @Get(':id/historico.jsonl')
  @LimitedBy('publicReads', 50)
  @IsAbout(toMandate)
  @Header('content-type', 'application/jsonl; charset=utf-8')
  @Header('content-disposition', 'attachment; filename="mandato.jsonl"')
  @Header('cache-control', 'no-store')
  async history(@Param('id') id: string, @CurrentVisit() { holder }: Visit): Promise<StreamableFile> {
    await this.mandates.get(id, holder);
    return this.histories.bundle({ mandate: id }, holder);
  }

  @Get(':id/decidir')
  @IsAbout(toMandateApproval)
  async ask(@Param('id') id: string, @CurrentVisit() visit: Visit): Promise<Page | SeeOther> {
    const { mandate } = await this.mandates.get(id, visit.holder);
    if (statusOf(mandate, visit.now) !== 'pending') return { location: pathTo(toMandate(id)) };
    return this.approvalPage(mandate, visit, null);
  }

  @Post(':id/decidir')
  @IsAbout(toMandateApproval)
  async decide(
    @Param('id') id: string,
    @CurrentVisit() visit: Visit,
    @FormFields() fields: Parameters,
  ): Promise<Page | SeeOther> {
    const { holder, context } = visit;
    const { mandate } = await this.mandates.get(id, holder);
    if (decisionIn(fields) === 'deny') {
      await this.commands.execute(new RevokeMandate(id, holder, context));
      return done(id);
    }
    const approved = mandate.pending?.approved;
    const [entry = NO_ENTRY] = entriesIn(fields, [mandate]);
    const granted = approved ? [approved] : grantedBy([entry], [mandate]);
    if (typeof granted === 'string')
      return this.approvalPage(mandate, visit, { entry, problem: ENTRY_PROBLEMS[granted] });
    const [terms = mandate] = granted;
    try {
      await this.commands.execute(new ApproveMandate(id, holder, terms, context));
    } catch (error) {
      const { mandate: now } = await this.mandates.get(id, holder);
      const problem = error instanceof DomainError && approvalProblem(error.code, now);
      if (!problem) throw error;
      return this.approvalPage(now, visit, { entry, problem });
    }
    return done(id);
  }

  @Post(':id/pausar')
  @IsAbout(toMandatePause)
  async pause(@Param('id') id: string, @CurrentVisit() { holder, context }: Visit): Promise<SeeOther> {
    await this.commands.execute(new PauseMandate(id, holder, context));
    return done(id);
  }

  @Post(':id/retomar')
  @IsAbout(toMandatePause)
  async resume(@Param('id') id: string, @CurrentVisit() { holder, context }: Visit): Promise<SeeOther> {
    await this.commands.execute(new ResumeMandate(id, holder, context));
    return done(id);
  }

  @Get(':id/reduzir')
  @IsAbout(toMandateNarrow)
  async showNarrow(@Param('id') id: string, @CurrentVisit() visit: Visit): Promise<Page> {
    return this.narrowPage(id, visit, null);
  }

  @Post(':id/reduzir')
  @IsAbout(toMandateNarrow)
  async narrow(
    @Param('id') id: string,
    @CurrentVisit() visit: Visit,
    @FormFields() fields: Parameters,
  ): Promise<Page | SeeOther> {
    const { holder, context, now } = visit;
    const entry = fields.entered('limit') ?? '';
    const amount = amountIn(entry);
    if (amount === 'unreadable') return this.narrowPage(id, visit, { entry });
    const { mandate } = await this.mandates.get(id, holder);
    const expiresAt = endIn(fields.entered('end'), now);
    const terms = {
      ...(amount !== null && { limit: money(amount, mandate.limit.currency) }),
      // While the page was open the mandate's own end may have come nearer than the one chosen: it stays.
      ...(expiresAt !== undefined && expiresAt < mandate.expiresAt && { expiresAt }),
    };
    if (!terms.expiresAt && (terms.limit?.amount ?? mandate.limit.amount) === mandate.limit.amount)
      return this.narrowPage(id, visit, 'same');
    try {
      await this.commands.execute(new NarrowMandate(id, holder, terms, context));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code === 'invalid_limit') return this.narrowPage(id, visit, { entry });
      if (!OVERTAKEN.includes(error.code)) throw error;
      return { location: pathTo(toMandate(id)) };
    }
    return done(id);
  }

  @Get(':id/revogar')
  @IsAbout(toMandateEnd)
  async confirm(@Param('id') id: string, @CurrentVisit() visit: Visit): Promise<Page> {
    const { mandate } = await this.mandates.get(id, visit.holder);
    return mandateEndPage({ ...visit, mandate, agent: await this.names.of(mandate) });
  }

  @Post(':id/revogar')
  @IsAbout(toMandateEnd)
  async revoke(@Param('id') id: string, @CurrentVisit() { holder, context }: Visit): Promise<SeeOther> {
    await this.commands.execute(new RevokeMandate(id, holder, context));
    return done(id);
  }

  private async actorsIn({ entries }: HistoryPage, { holder, clientId, grantedBy }: GrantedMandate): Promise<Actors> {
    const lines = entries.flat();
    const refunded = lines.flatMap(({ type, orderId }) => (type === 'MandateRefunded' ? (orderId ?? []) : []));
    const found = refunded.map(async (id) => [id, (await this.orders.cancellerOf(id)) ?? SYSTEM] as const);
    const cancellers = new Map(await Promise.all(found));
    const agents = [...lines, ...cancellers.values()].flatMap(({ clientId: id }) =>
      id === null ? [] : { clientId: id },
    );
    const nameOf = await this.names.ofAll(holder, [{ clientId }, ...agents]);
    const orders = await this.ordersIn(lines, holder);
    return { nameOf, cancellers, grantedBy, orders };
  }

  /** The orders that a statement names; one of which only the intention is known is left out. */
  private async ordersIn(lines: readonly HistoryLine[], holder: string): Promise<Actors['orders']> {
    const ids = new Set(lines.flatMap(({ orderId }) => orderId ?? []));
    const found = await Promise.all([...ids].map(async (id) => [id, await this.orders.found(id, holder)] as const));
    return new Map(found.flatMap(([id, order]) => (order ? [[id, order]] : [])));
  }

  private async approvalPage(mandate: GrantedMandate, visit: Visit, wrong: MandateApproval['wrong']): Promise<Page> {
    return mandateApprovalPage({ ...visit, mandate, agent: await this.names.of(mandate), wrong });
  }

  private async narrowPage(id: string, visit: Visit, sent: MandateNarrow['sent']): Promise<Page> {
    const { mandate } = await this.mandates.get(id, visit.holder);
    return mandateNarrowPage({ ...visit, mandate, agent: await this.names.of(mandate), sent });
  }
}
