import type { CollectionSpec } from '#documents';

/** Buyers' names and documents by order id, apart from the log, so that they can be erased (docs/decisions.md, Streams and events). */
export const BUYERS: CollectionSpec = { name: 'buyers', indexes: [] };
