export type { ApiDocument } from './api-document.js';
export { REFERENCE_PATHS, REFERENCE_STYLES, type ReferenceLinks, referencePage } from './reference.page.js';
