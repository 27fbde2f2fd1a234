import { base64, fromBase64, fromDecimal, Malformed } from '../bytes.js';

/** The head of a log at a size, as its note states it (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** Which log this is: the name of its key too. */
  readonly origin: string;
  /** Leaves. */
  readonly size: number;
  /** 32 bytes: the root of the tree (RFC 6962, section 2.1). */
  readonly root: Uint8Array;
}

/** The text that is signed. */
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
