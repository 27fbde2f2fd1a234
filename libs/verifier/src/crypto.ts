/** SHA-256 (FIPS 180-4): 32 bytes. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** What a verifier cannot compute by itself: given to it, so that the same modules run in Node and in a browser. */
export interface Crypto {
  readonly sha256: Sha256;
  /** Whether a signature (64 bytes) of a message is by this key (32 bytes): Ed25519, RFC 8032. */
  readonly verifyEd25519: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => Promise<boolean>;
}
