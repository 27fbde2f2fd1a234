export { notFoundPage } from './storefront.page.js';
export { DemonstrationModule, PlaygroundModule, StorefrontModule } from './storefront.module.js';
export type { ApiDocument } from './reference/api-document.js';
export { partPath, type ReferenceLinks, referenceOf } from './reference/reference.js';
export { REFERENCE_STYLES, referencePage, SEARCH_PART, searchPage } from './reference/reference.page.js';
