import type { StoredEvent } from '#event-store';
import { type ByKey, type ByMark, type ByPseudonym, CHAIN_START, hex, type LoggedEvent } from '#verifier';

/** What the first event of a stream is chained to, in hex. */
export const FIRST_HASH = hex(CHAIN_START);

/** A stored event as bundles and proofs carry it: all that its hash and its entry in the log are made of. */
export const loggedEvent = <Naming extends ByPseudonym | ByKey | ByMark>(
  { stream, revision, type, data, metadata }: StoredEvent,
  previousHash: string,
  naming: Naming,
): LoggedEvent<Naming> => ({ stream, revision, type, data, metadata: { ...metadata }, previousHash, ...naming });
