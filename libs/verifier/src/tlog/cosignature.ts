import { concat, utf8 } from '../bytes.js';

/**
 * What an Ed25519 cosignature of a checkpoint signs (C2SP tlog-cosignature): that as of this time, in POSIX seconds, its
 * signer had seen no larger tree of this log, and that it grew out of every earlier one.
 */
export const cosignedMessage = (timestamp: bigint, body: string): Uint8Array =>
  utf8(`cosignature/v1\ntime ${timestamp}\n${body}`);

/** A cosignature as it stands in a note: the time (8 bytes, big-endian), then 64 bytes of Ed25519. */
export const encodeCosignature = (timestamp: bigint, signature: Uint8Array): Uint8Array => {
  const time = new Uint8Array(8);
  new DataView(time.buffer).setBigUint64(0, timestamp);
  return concat(time, signature);
};

/** Its parts; null where it has another length, or a time above 2^63 - 1. */
export const decodeCosignature = (
  bytes: Uint8Array,
): { readonly timestamp: bigint; readonly signature: Uint8Array } | null => {
  if (bytes.length !== 8 + 64) return null;
  const timestamp = new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0);
  return timestamp >> 63n === 0n ? { timestamp, signature: bytes.slice(8) } : null;
};
