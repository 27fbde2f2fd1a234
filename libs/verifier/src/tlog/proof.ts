import { base64, fromBase64, fromDecimal, Malformed } from '../bytes.js';
import { HASH_SIZE } from './tiles.js';

/** That an entry is in a log, for whoever is offline (C2SP tlog-proof). */
export interface TlogProof {
  /** Whatever else its reader needs; nothing vouches for it. */
  readonly extra: Uint8Array | null;
  /** The place of the entry; the first is 0. */
  readonly index: number;
  /** From the leaf's sibling up (RFC 6962 §2.1.1). */
  readonly hashes: readonly Uint8Array[];
  /** The signed note, verbatim. */
  readonly checkpoint: string;
}

const FIRST_LINE = 'c2sp.org/tlog-proof@v1';
/** No tree that can be counted is higher. */
const MOST_HASHES = 63;

/** The content of a file `.tlog-proof`. */
export const formatProof = ({ extra, index, hashes, checkpoint }: TlogProof): string =>
  [
    FIRST_LINE,
    ...(extra ? [`extra ${base64(extra)}`] : []),
    `index ${index}`,
    ...hashes.map(base64),
    '',
    checkpoint,
  ].join('\n');

/** @throws Malformed; the checkpoint is not looked at */
export const parseProof = (text: string): TlogProof => {
  const end = text.indexOf('\n\n');
  const [first, ...lines] = text.slice(0, end).split('\n');
  if (end < 0 || first !== FIRST_LINE) throw new Malformed(`this does not begin as a proof does: ${FIRST_LINE}`);
  const extra = lines[0]?.startsWith('extra ') ? (lines.shift()?.slice('extra '.length) ?? '') : null;
  const index = lines.shift();
  if (!index?.startsWith('index ')) throw new Malformed('a proof says the index of its entry');
  const hashes = lines.map(fromBase64);
  if (hashes.length > MOST_HASHES || hashes.some(({ length }) => length !== HASH_SIZE)) {
    throw new Malformed(`a proof has at most ${MOST_HASHES} hashes of ${HASH_SIZE} bytes`);
  }
  return {
    extra: extra === null ? null : fromBase64(extra),
    index: fromDecimal(index.slice('index '.length)),
    hashes,
    checkpoint: text.slice(end + 2),
  };
};
