import { Module } from '@nestjs/common';
import { OAuthModule } from '#oauth';
import { EventStreams } from './event-streams.js';
import { EventsController } from './events.controller.js';
import { Notices } from './notices/notices.js';
import { Outbox } from './outbox.js';
import { Subscriptions } from './webhooks/subscriptions.js';
import { PlatformEndpoints } from './webhooks/platform-endpoints.js';
import { Verification } from './webhooks/verification.js';
import { Webhooks } from './webhooks/webhooks.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';

/** Wants `Endpoints`, `Deliveries`, `RemotePosts` and `MailSettings` from the application, globally. */
@Module({
  imports: [OAuthModule],
  controllers: [EventsController, WebhooksController],
  providers: [EventStreams, Notices, Outbox, Subscriptions, PlatformEndpoints, Verification, Webhooks],
  exports: [Notices, Outbox, Subscriptions, PlatformEndpoints],
})
export class OutboxModule {}
