export { openTestDocuments, openTestStores } from './test-documents.js';
