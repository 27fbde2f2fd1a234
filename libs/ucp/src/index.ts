export { readKnownPlatforms } from './platform/known-platforms.js';
export { OF_PLATFORMS, Platforms } from './platform/platforms.js';
export { UcpModule } from './ucp.module.js';
