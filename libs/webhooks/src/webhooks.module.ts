import { Module } from '@nestjs/common';
import { OutboxModule } from '#outbox';
import { Webhooks } from './webhooks.js';
import { WebhooksController } from './webhooks.controller.js';

/** The endpoints of agents. `Endpoints`, `Deliveries` and `RemotePosts` come from the application, globally. */
@Module({ imports: [OutboxModule], controllers: [WebhooksController], providers: [Webhooks] })
export class WebhooksModule {}
