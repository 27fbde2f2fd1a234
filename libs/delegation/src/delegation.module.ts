import { Module } from '@nestjs/common';
import { Agents } from './agents.js';
import { SetApprovalModeHandler } from './set-approval-mode.js';

/** What a traveller sees of their agents, and an auditor of both. */
@Module({ providers: [Agents, SetApprovalModeHandler], exports: [Agents] })
export class DelegationModule {}
