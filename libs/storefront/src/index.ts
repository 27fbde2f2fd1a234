export { notFoundPage } from './not-found.page.js';
export { StorefrontModule } from './storefront.module.js';
