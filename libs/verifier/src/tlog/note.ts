import { base64, concat, fromBase64, hex, Malformed, utf8 } from '../bytes.js';
import type { Crypto, Sha256 } from '../crypto.js';

/** One signature line of a note, of whatever algorithm. */
export interface NoteSignature {
  readonly name: string;
  /** Lower-case hex of its four bytes. */
  readonly keyId: string;
  readonly signature: Uint8Array;
}

/** A signed note (C2SP signed-note): text ending in a newline, and who signed it. Nothing is verified yet. */
export interface Note {
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** The types of signature that are understood: Ed25519 over the text, and an Ed25519 cosignature of a checkpoint. */
export const ED25519 = 0x01;
export const COSIGNATURE = 0x04;

/** Who may have signed a note. */
export interface VerifierKey {
  readonly name: string;
  readonly keyId: string;
  readonly type: typeof ED25519 | typeof COSIGNATURE;
  /** 32 bytes (RFC 8032). */
  readonly publicKey: Uint8Array;
}

/** A note that no known key signed, or with a signature of a known key that is none. */
export class Unverified extends Error {
  override readonly name = 'Unverified';
}

/** The most signature lines that are looked at, as in Go's sumdb/note. */
const MOST_SIGNATURES = 100;
/** The name, where it can be one of a key. @throws Malformed */
export const keyName = (name: string): string => {
  if (name === '' || /[\p{White_Space}+]/u.test(name)) {
    throw new Malformed('a key name is empty, or has a space or a plus in it');
  }
  return name;
};

/** @throws Malformed */
export const parseNote = (note: string): Note => {
  if (Array.from(note).some((character) => character < ' ' && character !== '\n')) {
    throw new Malformed('a signed note has no control characters but newlines');
  }
  const end = note.lastIndexOf('\n\n') + 1;
  if (end === 0) throw new Malformed('a signed note ends in an empty line and its signatures');
  return { text: note.slice(0, end), signatures: parseSignatures(note.slice(end + 1)) };
};

/** Signature lines alone, as a witness returns them: one or more, each ending in a newline. @throws Malformed */
export const parseSignatures = (lines: string): readonly NoteSignature[] => {
  if (!lines.endsWith('\n')) throw new Malformed('the signatures of a note end in a newline');
  const signatures = lines.slice(0, -1).split('\n');
  if (signatures.length > MOST_SIGNATURES) throw new Malformed(`a note of more than ${MOST_SIGNATURES} signatures`);
  return signatures.map(parseSignature);
};

const parseSignature = (line: string): NoteSignature => {
  const [dash, name, encoded, ...more] = line.split(' ');
  if (dash !== '—' || name === undefined || encoded === undefined || more.length > 0) {
    throw new Malformed('a signature line of a note is an em dash, a key name and a signature in base64');
  }
  const bytes = fromBase64(encoded);
  if (bytes.length < 5) throw new Malformed('a signature of a note is longer than the id of its key');
  return { name: keyName(name), keyId: hex(bytes.slice(0, 4)), signature: bytes.slice(4) };
};

/** One signature line, with its newline. */
export const signatureLine = ({ name, keyId, signature }: NoteSignature): string =>
  `— ${keyName(name)} ${base64(concat(idBytes(keyId), signature))}\n`;

const idBytes = (keyId: string): Uint8Array => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, Number.parseInt(keyId, 16));
  return bytes;
};

/** A key with the id that its name, type and bytes give it. @throws Malformed where the name cannot be one */
export const verifierKey = ({ name, type, publicKey }: Omit<VerifierKey, 'keyId'>, sha256: Sha256): VerifierKey => {
  const digest = sha256(concat(utf8(`${keyName(name)}\n`), Uint8Array.of(type), publicKey));
  return { name, type, publicKey, keyId: hex(digest.slice(0, 4)) };
};

/** The key as one line of text, a `vkey`. */
export const formatVerifierKey = ({ name, keyId, type, publicKey }: VerifierKey): string =>
  `${name}+${keyId}+${base64(concat(Uint8Array.of(type), publicKey))}`;

/** The key of a `vkey`. @throws Malformed, also where its id is not that of its name and bytes */
export const parseVerifierKey = (vkey: string, sha256: Sha256): VerifierKey => {
  const [, name, keyId, encoded] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(vkey) ?? [];
  if (name === undefined || keyId === undefined || encoded === undefined) {
    throw new Malformed(
      'a verifier key is a name, the id of the key in hex and its bytes in base64, joined by plus signs',
    );
  }
  const bytes = fromBase64(encoded);
  const [type] = bytes;
  if ((type !== ED25519 && type !== COSIGNATURE) || bytes.length !== 33) {
    throw new Malformed(`the key of ${name} is neither an Ed25519 key nor one of Ed25519 cosignatures`);
  }
  const key = verifierKey({ name, type, publicKey: bytes.slice(1) }, sha256);
  if (key.keyId !== keyId) throw new Malformed(`the key of ${name} does not have the id ${keyId}`);
  return key;
};

/** The `keys` that signed a note; unknown signatures are ignored. @throws Unverified: none, or a forged one of a known key */
export const verifyNote = async (
  { text, signatures }: Note,
  keys: readonly VerifierKey[],
  crypto: Crypto,
): Promise<readonly VerifierKey[]> => {
  const signers = [];
  for (const key of keys) {
    const own = signatures.filter(({ name, keyId }) => name === key.name && keyId === key.keyId);
    for (const { signature } of own) {
      if (!(await isBy(key, text, signature, crypto)))
        throw new Unverified(`the signature of ${key.name} is not by its key`);
    }
    if (own.length > 0) signers.push(key);
  }
  if (signers.length === 0) throw new Unverified('no known key has signed this');
  return signers;
};

const isBy = async (
  { type, publicKey }: VerifierKey,
  text: string,
  signature: Uint8Array,
  { verifyEd25519 }: Crypto,
): Promise<boolean> => {
  if (type === ED25519) return signature.length === 64 && verifyEd25519(publicKey, utf8(text), signature);
  const parts = decodeCosignature(signature);
  return parts !== null && verifyEd25519(publicKey, cosignedMessage(parts.timestamp, text), parts.signature);
};

/** What a cosignature signs (C2SP tlog-cosignature): at this time (POSIX s) its signer had seen no larger tree of this log. */
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
