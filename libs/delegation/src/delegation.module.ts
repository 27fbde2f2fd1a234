import { Module } from '@nestjs/common';
import { GetDelegationHandler } from './get-delegation.js';
import { ListAgentsHandler } from './list-agents.js';
import { ListTravellersHandler } from './list-travellers.js';
import { SetApprovalModeHandler } from './set-approval-mode.js';

/** What a traveller sees of their agents, and an auditor of both. */
@Module({
  providers: [GetDelegationHandler, ListAgentsHandler, ListTravellersHandler, SetApprovalModeHandler],
})
export class DelegationModule {}
