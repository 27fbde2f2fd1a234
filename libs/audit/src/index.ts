export * from './verify-log.js';
export { type Bundle, type BundleSources, exportBundle, NothingToExport } from './export-bundle.js';
