import type { StoredEvent } from '#event-store';
import { CHAIN_START, hex, type LoggedEvent } from '#verifier';

/** What the first event of a stream is chained to, in hex. */
export const FIRST_HASH = hex(CHAIN_START);

/** A stored event as bundles and proofs carry it: all that its hash and its entry in the log are made of. */
export const loggedEvent = (
  { stream, revision, type, data, metadata }: StoredEvent,
  previousHash: string,
  pseudonym: string,
): LoggedEvent => ({ stream, revision, type, data, metadata: { ...metadata }, previousHash, pseudonym });
