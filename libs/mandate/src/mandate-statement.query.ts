import { Query } from '@nestjs/cqrs';
import type { ListPage } from '#read-models';
import type { StatementLineView } from './statement-line.view.js';

/** What happened to a mandate, oldest first. */
export class MandateStatement extends Query<ListPage<StatementLineView>> {
  constructor(
    readonly mandateId: string,
    readonly holder: string,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
  ) {
    super();
  }
}
