import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { MandateOfHolder, MandatesOfHolder, MandateStatement } from '#mandate';
import { html, type Page } from '#site';
import { ACCOUNT, accountPage, MANDATES } from '../layout/account-page.js';
import { AgentNames } from '../layout/agent-names.js';
import { nextLink, pageAsked } from '../layout/paging.js';
import type { Visit } from '../layout/visits.js';
import { mandatePage } from './mandate.page.js';
import { mandateEndPage } from './mandate-end.page.js';
import { mandateRows } from './mandate-rows.js';

const MANDATES_A_PAGE = 20;
const EVENTS_A_PAGE = 50;

/** What a traveller is shown of their mandates. Everything throws a DomainError that reads as "not found". */
@Injectable()
export class MandatePages {
  constructor(
    private readonly queries: QueryBus,
    private readonly names: AgentNames,
  ) {}

  /** All of them, page after page. */
  async list({ holder, visitor, now, urls }: Visit, cursor: unknown): Promise<Page> {
    const asked = pageAsked(cursor, MANDATES_A_PAGE);
    const { count, items, nextCursor } = await this.queries.execute(new MandatesOfHolder(holder, asked));
    const nameOf = await this.names.ofAll(items.map(({ clientId }) => clientId));
    return accountPage({
      title: MANDATES.name,
      visitor,
      urls,
      isBroad: true,
      trail: [ACCOUNT],
      content: html`<h1>${MANDATES.name}</h1>
        <p class="lead">${count === 0 ? 'Nenhum mandato ainda.' : `${count} no total, do mais novo ao mais antigo.`}</p>
        ${mandateRows(items, nameOf, now)} ${nextLink(MANDATES.path, nextCursor, 'Ver mandatos mais antigos')}`,
    });
  }

  async page(id: string, { holder, visitor, now, urls }: Visit, cursor: unknown): Promise<Page> {
    const asked = pageAsked(cursor, EVENTS_A_PAGE);
    const mandate = await this.queries.execute(new MandateOfHolder(id, holder));
    const statement = await this.queries.execute(new MandateStatement(id, holder, asked));
    const actors = statement.items.flatMap(({ clientId }) => clientId ?? []);
    const nameOf = await this.names.ofAll([mandate.clientId, ...actors]);
    return mandatePage({ mandate, statement, nameOf, visitor, now, urls });
  }

  async endPage(id: string, { holder, visitor, now, urls }: Visit): Promise<Page> {
    const mandate = await this.queries.execute(new MandateOfHolder(id, holder));
    return mandateEndPage({ mandate, agent: await this.names.of(mandate.clientId), visitor, now, urls });
  }
}
