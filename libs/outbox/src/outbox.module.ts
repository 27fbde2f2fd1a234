import { Module } from '@nestjs/common';
import { OAuthModule } from '#oauth';
import { EventStreams } from './event-streams.js';
import { EventsController } from './events.controller.js';
import { Outbox } from './outbox.js';

@Module({
  imports: [OAuthModule],
  controllers: [EventsController],
  providers: [EventStreams, Outbox],
  exports: [Outbox],
})
export class OutboxModule {}
