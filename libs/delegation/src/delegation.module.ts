import { Module } from '@nestjs/common';
import { GetDelegationHandler } from './get-delegation.js';
import { ListAgentsHandler } from './list-agents.js';

/** What a traveller sees of their agents. */
@Module({
  providers: [GetDelegationHandler, ListAgentsHandler],
})
export class DelegationModule {}
