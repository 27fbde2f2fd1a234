import { Module } from '@nestjs/common';
import { GetDelegationHandler } from './get-delegation.js';
import { ListAgentsHandler } from './list-agents.js';
import { SetSpendingCapHandler } from './set-spending-cap.js';

/** What a traveller sees of their agents, and how much they let each of them spend. */
@Module({
  providers: [GetDelegationHandler, ListAgentsHandler, SetSpendingCapHandler],
})
export class DelegationModule {}
