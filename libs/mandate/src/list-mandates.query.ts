import { Query } from '@nestjs/cqrs';
import type { BaseUrls } from '#http';
import type { MandateListView } from './mandate-list.view.js';
import type { MandateStatus } from './mandate.state.js';

/**
 * The holder's mandates of every client, newest first, with the cap of the client that asks. `status` undefined: all of
 * them.
 */
export class ListMandates extends Query<MandateListView> {
  constructor(
    readonly party: { readonly holder: string; readonly clientId: string },
    readonly status: MandateStatus | undefined,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
    readonly urls: BaseUrls,
  ) {
    super();
  }
}
