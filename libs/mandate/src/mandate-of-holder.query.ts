import { Query } from '@nestjs/cqrs';
import type { GrantedMandate } from './mandate.state.js';

/** A mandate as its stream has it now, for its holder's own pages. */
export class MandateOfHolder extends Query<GrantedMandate> {
  constructor(
    readonly mandateId: string,
    readonly holder: string,
  ) {
    super();
  }
}
