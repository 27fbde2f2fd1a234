import { Get, Injectable, Query } from '@nestjs/common';
import { LimitedBy } from '#http';
import { CurrentVisit, NotFound } from '#identity';
import type { Instant } from '#kernel';
import { Clients, travellersName } from '#oauth';
import type { Page } from '#site';
import { AuditorPages, IsAbout } from '../auditor.guard.js';
import type { Audience } from '../layout/auditor-page.js';
import { MOVEMENTS } from '../layout/return-targets.js';
import { filtersOf } from './filters.js';
import { type Movement, Movements } from './movements.js';
import { movementsPage, type Names } from './movements.page.js';

/** What the agents of some movements are called. */
@Injectable()
export class AgentsNamed {
  constructor(private readonly clients: Clients) {}

  async in(movements: readonly Movement[]): Promise<Names> {
    const ids = [...new Set(movements.flatMap(({ clientId }) => clientId ?? []))];
    const found = await Promise.all(ids.map((id) => this.clients.find(id)));
    return new Map(ids.flatMap((id, at) => (found[at] ? [[id, travellersName(found[at])] as const] : [])));
  }
}

/** `{site_url}/auditoria/movimentos`: the newest charges and refusals of everybody. */
@AuditorPages('auditoria/movimentos')
export class MovementsController {
  constructor(
    private readonly movements: Movements,
    private readonly names: AgentsNamed,
  ) {}

  @Get()
  @LimitedBy('publicReads', 10)
  @IsAbout(() => MOVEMENTS)
  async show(@CurrentVisit() audience: Audience, @Query() query: Readonly<Record<string, unknown>>): Promise<Page> {
    const filters = filtersOf(query);
    const found = await this.movements.page(filters, instantIn(query['antes']));
    return movementsPage({ ...audience, filters, found, names: await this.names.in(found.items) });
  }
}

/** @throws NotFound where it is no instant */
const instantIn = (asked: unknown): Instant | undefined => {
  if (asked === undefined) return undefined;
  if (typeof asked !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(asked)) throw new NotFound();
  return asked;
};
