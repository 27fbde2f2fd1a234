import { Query } from '@nestjs/cqrs';
import type { ListPage } from '#read-models';
import type { GrantedMandate } from './mandate.state.js';

/** The mandates of a holder, whatever agent they are bound to, newest first. */
export class MandatesOfHolder extends Query<ListPage<GrantedMandate>> {
  constructor(
    readonly holder: string,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
  ) {
    super();
  }
}
