import { Module } from '@nestjs/common';
import { GetDelegationHandler } from './get-delegation.js';
import { ListAgentsHandler } from './list-agents.js';
import { SetApprovalModeHandler } from './set-approval-mode.js';

/** What a traveller sees of their agents. */
@Module({
  providers: [GetDelegationHandler, ListAgentsHandler, SetApprovalModeHandler],
})
export class DelegationModule {}
