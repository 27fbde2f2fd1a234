export { notFoundPage } from './storefront.page.js';
export { DemonstrationModule, PlaygroundModule, StorefrontModule } from './storefront.module.js';
export type { ApiDocument } from './reference/api-document.js';
export { REFERENCE_PATHS, REFERENCE_STYLES, type ReferenceLinks, referencePage } from './reference/reference.page.js';
