import { Module } from '@nestjs/common';
import { CreatedMandateHandler, CreateMandateHandler } from './create-mandate/create-mandate.js';
import { GetMandateHandler } from './read-mandates/get-mandate.js';
import { ListMandatesHandler } from './read-mandates/list-mandates.js';
import { MandateOfHolderHandler } from './mandate-of-holder.handler.js';
import { MandateStatementHandler } from './read-mandates/mandate-statement.js';
import { MandatesOfHolderHandler } from './mandates-of-holder.handler.js';
import { MandatesController } from './mandates.controller.js';

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
