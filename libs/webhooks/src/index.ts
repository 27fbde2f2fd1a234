export { Deliveries, DELIVERIES } from './deliveries.js';
export { Dispatcher, type SendingFigures } from './dispatcher.js';
export { Endpoints, reencryptWebhooks, WEBHOOKS } from './endpoints.js';
export type { DisabledReason, Webhook } from './stored-webhook.js';
export { SubscriptionRefused, Subscriptions, type SubscriptionKey } from './subscriptions.js';
export { type PlatformPosts, type PostTo, ToldPlatforms } from './told-platforms.js';
export { OUTGOING } from './webhooks.controller.js';
export { WebhooksModule } from './webhooks.module.js';
