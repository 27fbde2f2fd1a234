import { Query } from '@nestjs/cqrs';
import type { ListPage } from '#read-models';
import type { AgentListItem } from './agents.projection.js';

/** The agents a traveller ever let in, those of the latest consent first. */
export class ListAgents extends Query<ListPage<AgentListItem>> {
  constructor(
    readonly holder: string,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
  ) {
    super();
  }
}
