import { readFileSync } from 'node:fs';
import { DamagedFile } from './sqlite.errors.js';

/** The parts of a write-ahead log in bytes (https://www.sqlite.org/fileformat2.html, The Write-Ahead Log). */
const [HEADER, FRAME_HEADER] = [32, 24];

/** `0x377f0682` or, where checksums are taken over big-endian words, `0x377f0683`. */
const MAGIC = 0x377f0682;

type Sum = readonly [number, number];

/** SQLite takes a damaged frame for the log's end; if more than one commit follows, they would be lost. @throws DamagedFile */
export const checkWal = (path: string): void => {
  const wal = readWal(path);
  if (wal.length <= HEADER) return; // no frame, and the header is flushed before the first one is written
  const header = headerOf(wal);
  if (!header) throw new DamagedFile('the header of its write-ahead log is damaged');
  const { pageSize, salts, words } = header;
  let sum: Sum | null = header.sum;
  let lost = 0;
  for (let at = HEADER; at + FRAME_HEADER + pageSize <= wal.length; at += FRAME_HEADER + pageSize) {
    if (!salts.equals(wal.subarray(at + 8, at + 16))) {
      sum = null; // of an earlier log that was written over, or damaged
      continue;
    }
    sum &&= nextSum(wal, at, pageSize, words, sum);
    if (!sum && wal.readUInt32BE(at + 4) > 0) lost += 1;
  }
  if (lost > 1) throw new DamagedFile(`its write-ahead log is damaged before its last ${lost} commits`);
};

const readWal = (path: string): Buffer => {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
};

type ReadWord = (wal: Buffer, at: number) => number;

/** Null where it is none. */
const headerOf = (wal: Buffer) => {
  const magic = wal.readUInt32BE(0);
  if (magic !== MAGIC && magic !== MAGIC + 1) return null;
  const words: ReadWord =
    magic === MAGIC ? (bytes, at) => bytes.readUInt32LE(at) : (bytes, at) => bytes.readUInt32BE(at);
  const sum = sumOf(wal, 0, HEADER - 8, words, [0, 0]);
  if (!isStored(wal, HEADER - 8, sum)) return null;
  return { pageSize: wal.readUInt32BE(8), salts: wal.subarray(16, 24), words, sum };
};

/** The checksum up to the end of a frame; null where the frame has another one. */
const nextSum = (wal: Buffer, at: number, pageSize: number, words: ReadWord, before: Sum): Sum | null => {
  const sum = sumOf(wal, at + FRAME_HEADER, pageSize, words, sumOf(wal, at, 8, words, before));
  return isStored(wal, at + 16, sum) ? sum : null;
};

const isStored = (wal: Buffer, at: number, [one, other]: Sum): boolean =>
  wal.readUInt32BE(at) === one && wal.readUInt32BE(at + 4) === other;

const sumOf = (wal: Buffer, at: number, length: number, words: ReadWord, [first, second]: Sum): Sum => {
  let [one, other] = [first, second];
  for (let place = at; place < at + length; place += 8) {
    one = (one + words(wal, place) + other) >>> 0;
    other = (other + words(wal, place + 4) + one) >>> 0;
  }
  return [one, other];
};
