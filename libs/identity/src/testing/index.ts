export { openTestDocuments, openTestStores } from './test-documents.js';
export { testIdentitySettings } from './test-settings.js';
