export { AttachedMetadata, changed, type Metadata, pageWithMetadata } from './attached-metadata.js';
export { HasMetadata, IsMetadata, MetadataDto } from './metadata.dto.js';
