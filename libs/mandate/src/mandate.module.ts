import { Module } from '@nestjs/common';
import { CreatedMandateHandler, CreateMandateHandler } from './create-mandate/create-mandate.js';
import { GetMandateHandler } from './read-mandates/get-mandate.js';
import { ListMandatesHandler } from './read-mandates/list-mandates.js';
import { MandateStatementHandler } from './read-mandates/mandate-statement.js';
import { MandatesController } from './mandates.controller.js';

@Module({
  controllers: [MandatesController],
  providers: [
    CreateMandateHandler,
    CreatedMandateHandler,
    GetMandateHandler,
    ListMandatesHandler,
    MandateStatementHandler,
  ],
})
export class MandateModule {}
