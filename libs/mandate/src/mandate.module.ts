import { Module } from '@nestjs/common';
import { CheckoutModule } from '#checkout';
import { Agents } from './delegation/agents.js';
import { EndMandatesHandler, SetApprovalModeHandler, SetSpendingCapHandler } from './delegation/set-terms.js';
import { ApproveMandateHandler } from './approve-mandate.js';
import {
  NarrowMandateHandler,
  PauseMandateHandler,
  ResumeMandateHandler,
  RevokeMandateHandler,
} from './change-mandate.js';
import { CreateMandateHandler } from './create-mandate/create-mandate.js';
import { MandatesController } from './mandates.controller.js';
import { AlignAgentHandler, PauseAgentsHandler, ResumeAgentsHandler } from './pause/pause-agents.js';
import { PendingMandates } from './pending-mandates.js';
import { MandateLines } from './read-mandates/mandate-lines.js';
import { MandatesOfAgent } from './read-mandates/mandates-of-agent.js';
import { Mandates } from './read-mandates/mandates.js';

@Module({
  imports: [CheckoutModule],
  controllers: [MandatesController],
  providers: [
    Agents,
    AlignAgentHandler,
    ApproveMandateHandler,
    CreateMandateHandler,
    EndMandatesHandler,
    MandateLines,
    Mandates,
    MandatesOfAgent,
    NarrowMandateHandler,
    PauseAgentsHandler,
    PauseMandateHandler,
    PendingMandates,
    ResumeAgentsHandler,
    ResumeMandateHandler,
    RevokeMandateHandler,
    SetApprovalModeHandler,
    SetSpendingCapHandler,
  ],
  exports: [Agents, Mandates, MandatesOfAgent],
})
export class MandateModule {}
