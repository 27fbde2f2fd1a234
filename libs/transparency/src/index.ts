export { GrowingInThread } from './grow-in-thread.js';
export { type Head, Heads, TLOG_HEAD } from './head.js';
export * from './keys.js';
export { FIRST_HASH, loggedEvent } from './log-entries.js';
export { nodeCrypto } from './node-crypto.js';
export { openTransparency, type OpenTransparency, readWitnesses } from './open.js';
export {
  beginNextLog,
  pastHeads,
  type PastLog,
  PastLogs,
  reencryptPastLogs,
  type Succession,
  TLOG_PAST,
} from './past-logs.js';
export { Pseudonyms } from './pseudonyms.js';
export * from './sealer.js';
export { StoredTiles, TLOG_TILES } from './stored-tiles.js';
export { NotSealed, type Sealed, TransparencyLog } from './transparency-log.js';
export { TreeBuilder, type TreeGrowing } from './tree-builder.js';
export { type WitnessObserver, Witnesses } from './witnesses.js';
