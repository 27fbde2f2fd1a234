export { Deliveries, DELIVERIES } from './deliveries.js';
export { Dispatcher, type SendingFigures } from './dispatcher.js';
export { type DisabledReason, Endpoints, reencryptWebhooks, type Webhook, WEBHOOKS } from './endpoints.js';
export { WebhooksModule } from './webhooks.module.js';
