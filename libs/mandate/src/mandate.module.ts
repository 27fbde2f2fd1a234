import { Module } from '@nestjs/common';
import { DelegationModule } from '#delegation';
import { ApproveMandateHandler } from './approve-mandate.js';
import { NarrowMandateHandler, ResumeMandateHandler } from './change-mandate.js';
import { CreateMandateHandler } from './create-mandate/create-mandate.js';
import { MandatesController } from './mandates.controller.js';
import { PendingMandates } from './pending-mandates.js';
import { MandateLines } from './read-mandates/mandate-lines.js';
import { MandatesOfAgent } from './read-mandates/mandates-of-agent.js';
import { Mandates } from './read-mandates/mandates.js';

@Module({
  imports: [DelegationModule],
  controllers: [MandatesController],
  providers: [
    ApproveMandateHandler,
    CreateMandateHandler,
    MandateLines,
    Mandates,
    MandatesOfAgent,
    NarrowMandateHandler,
    PendingMandates,
    ResumeMandateHandler,
  ],
  exports: [Mandates, MandatesOfAgent],
})
export class MandateModule {}
