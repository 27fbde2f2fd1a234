import { Query } from '@nestjs/cqrs';
import type { Delegation } from './delegation.state.js';

/** What a traveller lets one agent do, as its stream has it now; `unknown` where they never let it in. */
export class GetDelegation extends Query<Delegation> {
  constructor(
    readonly holder: string,
    readonly clientId: string,
  ) {
    super();
  }
}
