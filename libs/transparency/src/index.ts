export { type Head, Heads, type ReadHead, TLOG_HEAD } from './head.js';
export * from './keys.js';
export { FIRST_HASH, loggedEvent } from './logged-event.js';
export { nodeCrypto } from './node-crypto.js';
export { Pseudonyms } from './pseudonyms.js';
export { type Grown, StoredTiles, TLOG_TILES } from './stored-tiles.js';
export { NotSealed, type Sealed, TransparencyLog, type TransparencyLogParts } from './transparency-log.js';
export { TreeBuilder, type TreeGrowing, type TreeParts } from './tree-builder.js';
