import { Query } from '@nestjs/cqrs';
import type { Agency } from './agency.state.js';

/** What a traveller lets one agent do, as its stream has it now; `unknown` where they never let it in. */
export class GetAgency extends Query<Agency> {
  constructor(
    readonly holder: string,
    readonly clientId: string,
  ) {
    super();
  }
}
