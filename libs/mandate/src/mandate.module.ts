import { Module } from '@nestjs/common';
import { DelegationModule } from '#delegation';
import { CreatedMandateHandler, CreateMandateHandler } from './create-mandate/create-mandate.js';
import { ApproveMandateHandler } from './approve-mandate.js';
import { PendingMandates } from './pending-mandates.js';
import { NarrowMandateHandler, ResumeMandateHandler } from './change-mandate.js';
import { AgentSpendingHandler } from './read-mandates/agent-spending.js';
import { CommittedMoneyHandler } from './read-mandates/committed-money.js';
import { GetMandateHandler } from './read-mandates/get-mandate.js';
import { ListMandatesHandler } from './read-mandates/list-mandates.js';
import { MandateHistoryHandler } from './read-mandates/mandate-history.js';
import { MandateLines } from './read-mandates/mandate-lines.js';
import { MandatesEndedUnderHandler } from './read-mandates/mandates-ended-under.js';
import { MandatesOfAgentHandler } from './read-mandates/mandates-of-agent.js';
import { MandateStatementHandler } from './read-mandates/mandate-statement.js';
import { MandatesController } from './mandates.controller.js';

@Module({
  imports: [DelegationModule],
  controllers: [MandatesController],
  providers: [
    AgentSpendingHandler,
    ApproveMandateHandler,
    PendingMandates,
    CommittedMoneyHandler,
    CreateMandateHandler,
    CreatedMandateHandler,
    GetMandateHandler,
    ListMandatesHandler,
    MandateHistoryHandler,
    MandateLines,
    MandatesEndedUnderHandler,
    MandatesOfAgentHandler,
    MandateStatementHandler,
    NarrowMandateHandler,
    ResumeMandateHandler,
  ],
})
export class MandateModule {}
