import { Module } from '@nestjs/common';
import { Agents } from './delegation/agents.js';
import { SetApprovalModeHandler } from './delegation/set-approval-mode.js';
import { ApproveMandateHandler } from './approve-mandate.js';
import { NarrowMandateHandler, ResumeMandateHandler } from './change-mandate.js';
import { CreateMandateHandler } from './create-mandate/create-mandate.js';
import { MandatesController } from './mandates.controller.js';
import { PendingMandates } from './pending-mandates.js';
import { MandateLines } from './read-mandates/mandate-lines.js';
import { MandatesOfAgent } from './read-mandates/mandates-of-agent.js';
import { Mandates } from './read-mandates/mandates.js';

@Module({
  controllers: [MandatesController],
  providers: [
    Agents,
    ApproveMandateHandler,
    CreateMandateHandler,
    MandateLines,
    Mandates,
    MandatesOfAgent,
    NarrowMandateHandler,
    PendingMandates,
    ResumeMandateHandler,
    SetApprovalModeHandler,
  ],
  exports: [Agents, Mandates, MandatesOfAgent],
})
export class MandateModule {}
