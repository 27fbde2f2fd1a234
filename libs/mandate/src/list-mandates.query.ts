import { Query } from '@nestjs/cqrs';
import type { Links } from '#http';
import type { ListPage } from '#read-models';
import type { MandateStatus } from './mandate.state.js';
import type { MandateView } from './mandate.view.js';

/** The holder's mandates of every client, newest first. `status` undefined: all of them. */
export class ListMandates extends Query<ListPage<MandateView>> {
  constructor(
    readonly holder: string,
    readonly status: MandateStatus | undefined,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
    readonly links: Links,
  ) {
    super();
  }
}
