import { Get, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { AuditPage } from '#events';
import { CurrentVisit, FormFields, type Parameters, type Visit } from '#identity';
import type { Page, SeeOther } from '#site';
import { AuditorPages, IsAbout } from '../auditor.guard.js';
import { HOME, MOVEMENTS, pathTo, SEARCH } from '../layout/return-targets.js';
import { filtersIn, monthOf, queryOf } from '../movements/filters.js';
import { AgentsNamed } from '../movements/movements.controller.js';
import { Movements } from '../movements/movements.js';
import { RecordView } from '../record-view.js';
import { searchPage } from './search.page.js';
import { Subjects, TravellerAccounts } from './subjects.js';

/** So many charges and refusals the first page begins with. */
const NEWEST = 10;

/** `{site_url}/auditoria`: where an auditor begins, with what a complaint names. */
@AuditorPages('auditoria')
export class SearchController {
  constructor(
    private readonly subjects: Subjects,
    private readonly travellers: TravellerAccounts,
    private readonly movements: Movements,
    private readonly names: AgentsNamed,
    private readonly commands: CommandBus,
  ) {}

  @Get()
  @IsAbout(() => HOME)
  async show(@CurrentVisit() visit: Visit): Promise<Page> {
    const newest = await this.movements.page({}, undefined, NEWEST);
    const [names, month] = [await this.names.in(newest.items), monthOf(visit.now)];
    return searchPage({ ...visit, search: null, newest, names, month });
  }

  /** An address is in no query, which logs keep: only the form looks one up. */
  @Get('busca')
  @IsAbout(() => SEARCH)
  search(@CurrentVisit() visit: Visit, @Query('id') asked: unknown): Promise<Page | SeeOther> {
    return this.answer(typeof asked === 'string' ? asked : '', visit);
  }

  @Post('busca')
  @IsAbout(() => SEARCH)
  async searchForm(@CurrentVisit() visit: Visit, @FormFields() fields: Parameters): Promise<Page | SeeOther> {
    const asked = fields.optional('id') ?? '';
    if (!asked.includes('@')) return this.answer(asked, visit);
    const holder = await this.travellers.holderOf(asked);
    // In the log, whether there is such an account or not, before anything is answered.
    await this.record(visit, 'address', holder);
    return holder === null
      ? searchPage({ ...visit, search: { id: '', found: [] } })
      : { location: pathTo({ kind: 'traveller', id: holder }) };
  }

  private record({ holder: auditor, context }: Visit, page: AuditPage, subject: string | null): Promise<void> {
    const { actor: _, ...cause } = context;
    return this.commands.execute(new RecordView({ auditor, page, subject }, cause));
  }

  private async answer(asked: string, visit: Visit): Promise<Page | SeeOther> {
    const id = asked.trim().slice(0, 200);
    if (id === '') return { location: pathTo(HOME) };
    const found = await this.subjects.find(id);
    const [only, ...others] = found;
    if (only && others.length === 0) return { location: pathTo(only) };
    // What a page shows of anybody is in the log by its id, or by the beginning that several share.
    if (only) await this.record(visit, 'search', id);
    const filters = only ? null : filtersIn(id, visit.now);
    return filters
      ? { location: `${pathTo(MOVEMENTS)}?${queryOf(filters)}` }
      : searchPage({ ...visit, search: { id, found } });
  }
}
