import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { GetDelegationHandler } from './get-delegation.handler.js';
import { ListAgentsHandler } from './list-agents.handler.js';
import { SetSpendingCapHandler } from './set-spending-cap.handler.js';

/** What a traveller sees of their agents, and how much they let each of them spend. */
@Module({
  imports: [CqrsModule],
  providers: [GetDelegationHandler, ListAgentsHandler, SetSpendingCapHandler],
})
export class DelegationModule {}
