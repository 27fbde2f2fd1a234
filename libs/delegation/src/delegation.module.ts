import { Module } from '@nestjs/common';
import { GetDelegationHandler } from './get-delegation.handler.js';
import { ListAgentsHandler } from './list-agents.handler.js';
import { SetSpendingCapHandler } from './set-spending-cap.handler.js';

/** What a traveller sees of their agents, and how much they let each of them spend. */
@Module({
  providers: [GetDelegationHandler, ListAgentsHandler, SetSpendingCapHandler],
})
export class DelegationModule {}
