import { utf8 } from '../bytes.js';
import { canonicalJson } from '../canonical-json.js';
import type { Sha256 } from '../crypto.js';

/** Bytes of a digest: as many as nobody finds two contents for, the one who wrote them included. */
export const DIGEST_SIZE = 16;

/** What stands for some content where only its being the same is asked: SHA-256 of its canonical JSON, cut. */
export type Digest = Uint8Array;

export const digestOf = (sha256: Sha256, content: unknown): Digest =>
  sha256(utf8(canonicalJson(content))).subarray(0, DIGEST_SIZE);

/** Whether two digests are of one content. */
export const isSameDigest = (one: Digest, other: Digest): boolean => one.every((byte, at) => byte === other[at]);
