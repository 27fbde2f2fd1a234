import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { GetAgencyHandler } from './get-agency.handler.js';
import { ListAgentsHandler } from './list-agents.handler.js';
import { SetSpendingCapHandler } from './set-spending-cap.handler.js';

/** What a traveller sees of their agents, and how much they let each of them spend. */
@Module({
  imports: [CqrsModule],
  providers: [GetAgencyHandler, ListAgentsHandler, SetSpendingCapHandler],
})
export class AgencyModule {}
