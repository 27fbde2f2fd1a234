import { Module } from '@nestjs/common';
import { CreateMandateHandler } from './create-mandate.handler.js';
import { CreatedMandateHandler } from './created-mandate.handler.js';
import { GetMandateHandler } from './get-mandate.handler.js';
import { ListMandatesHandler } from './list-mandates.handler.js';
import { MandateOfHolderHandler } from './mandate-of-holder.handler.js';
import { MandateStatementHandler } from './mandate-statement.handler.js';
import { MandatesController } from './mandates.controller.js';
import { MandatesOfHolderHandler } from './mandates-of-holder.handler.js';

@Module({
  controllers: [MandatesController],
  providers: [
    CreateMandateHandler,
    CreatedMandateHandler,
    GetMandateHandler,
    ListMandatesHandler,
    MandateOfHolderHandler,
    MandatesOfHolderHandler,
    MandateStatementHandler,
  ],
})
export class MandateModule {}
