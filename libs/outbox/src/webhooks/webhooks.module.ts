import { Module } from '@nestjs/common';
import { OutboxModule } from '../outbox.module.js';
import { Subscriptions } from './subscriptions.js';
import { ToldPlatforms } from './told-platforms.js';
import { Verification } from './verification.js';
import { Webhooks } from './webhooks.js';
import { WebhooksController } from './webhooks.controller.js';

/** The endpoints of agents. `Endpoints`, `Deliveries` and `RemotePosts` come from the application, globally. */
@Module({
  imports: [OutboxModule],
  controllers: [WebhooksController],
  providers: [Webhooks, Subscriptions, ToldPlatforms, Verification],
  exports: [Subscriptions, ToldPlatforms],
})
export class WebhooksModule {}
