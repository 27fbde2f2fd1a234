import type { Ids } from './ids.port.js';

/**
 * What something that is written belongs to, and what made it be written. Both ids are ours, whatever a caller sends, and
 * both are a place in a trace (docs/adr/0054).
 */
export interface Cause {
  /**
   * Id of everything that began together: a random UUID, whose digits without the hyphens are the id of a trace (W3C
   * Trace Context §3.2.2.3). The name of the work where it has no trace.
   */
  readonly correlationId: string;
  /**
   * Id of what directly made it be written, a request or a piece of work: 16 hexadecimal digits, its span in that trace
   * (§3.2.2.4). The name of the work where it has no trace.
   */
  readonly causationId: string;
}

/** A new cause. `correlationId`: a random UUID of ours that has no cause yet. */
export const newCause = (ids: Ids, correlationId: string = ids.next()): Cause => {
  const random = ids.next();
  // 64 random bits: these two parts of a UUID hold neither its version nor its variant (RFC 9562 §5.4).
  return { correlationId, causationId: random.slice(0, 8) + random.slice(28) };
};
