export { notFoundPage } from './storefront.page.js';
export { StorefrontModule } from './storefront.module.js';
