export { AttachedMetadata, pageWithMetadata } from './attached-metadata.js';
export { changed, type Metadata } from './metadata.js';
export { HasMetadata, IsMetadata, MetadataDto } from './metadata.dto.js';
