export { forgetSessions, SESSIONS } from './checkout/stored-session.js';
export { KEPT_CARDS, KeptCards } from './payment/kept-cards.js';
export { orderPosts } from './order/order-posts.js';
export { MessageSigner } from './signing/message-signer.js';
export { readKnownPlatforms } from './platform/known-platforms.js';
export { OF_PLATFORMS, Platforms } from './platform/platforms.js';
export { ucpErrors } from './ucp-error.js';
export { UcpModule } from './ucp.module.js';
export { UcpSettings } from './ucp-settings.js';
