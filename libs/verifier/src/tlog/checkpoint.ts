import { base64, base64url, concat, fromBase64, fromDecimal, Malformed, utf8 } from '../bytes.js';
import type { Sha256 } from '../crypto.js';

/** The head of a log at a size, as its note states it (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** Which log this is: the name of its key too. */
  readonly origin: string;
  readonly size: number;
  /** 32 bytes: the root of the tree (RFC 6962, section 2.1). */
  readonly root: Uint8Array;
}

export const formatCheckpoint = ({ origin, size, root }: Checkpoint): string => `${origin}\n${size}\n${base64(root)}\n`;

/** What the text of a note states; lines of extensions are let pass. @throws Malformed */
export const parseCheckpoint = (text: string): Checkpoint => {
  const [origin, size, root, ...extensions] = text.split('\n');
  const isWhole = extensions.pop() === '' && extensions.every((line) => line !== '');
  if (!origin || size === undefined || root === undefined || !isWhole) {
    throw new Malformed('a checkpoint is three lines: its origin, its size and its root');
  }
  const hash = fromBase64(root);
  if (hash.length !== 32) throw new Malformed('the root of a checkpoint is 32 bytes');
  return { origin, size: fromDecimal(size), root: hash };
};

/** Bytes of a block of SHA-256 (FIPS 180-4). */
const BLOCK = 64;

/** HMAC-SHA-256 (RFC 2104), by a key of at most 64 bytes. */
export const hmac = (sha256: Sha256, key: Uint8Array, message: Uint8Array): Uint8Array => {
  const padded = (pad: number): Uint8Array => Uint8Array.from({ length: BLOCK }, (_, place) => (key[place] ?? 0) ^ pad);
  return sha256(concat(padded(0x5c), sha256(concat(padded(0x36), message))));
};

/** What stands for an event in its entry of the log: without its stream's key nobody knows whose it is. */
export const markOf = (sha256: Sha256, key: Uint8Array, revision: number): string =>
  base64url(hmac(sha256, key, utf8(String(revision))));
