export { AttachedMetadata } from './attached-metadata.js';
export { changed, type Metadata } from './metadata.js';
export { HasMetadata, IsMetadata, MetadataDto } from './metadata.dto.js';
export { MetadataModule, metadataOf, pageWithMetadata, ReadMetadata } from './read-metadata.js';
