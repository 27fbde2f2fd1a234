import {
  cpSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Prepared } from './prepared.js';
import { randomFrom } from '#testing';

const FILES = ['events.db', 'documents.db', 'read-models.db'] as const;
type File = (typeof FILES)[number];

const PAGE = 4_096;
const SECTOR = 512;

const randomBy = (seed: number) => {
  const random = randomFrom(seed);
  return (below: number): number => (random() * 2 ** 32) % below;
};

type Random = ReturnType<typeof randomBy>;

const change = (path: string, work: (bytes: Buffer) => unknown): void => {
  const bytes = readFileSync(path);
  work(bytes);
  writeFileSync(path, bytes);
};

const pageIn = (bytes: Buffer, random: Random): number => random(Math.floor(bytes.length / PAGE)) * PAGE;

const flip = (bytes: Buffer, at: number, mask: number): number => bytes.writeUInt8(bytes.readUInt8(at) ^ mask, at);

/** A damage to one file of a folder that was closed; `older`: the file as it was at an earlier moment. */
type ToFile = (path: string, random: Random, older: string) => void;

const TO_CLOSED: Readonly<Record<string, ToFile>> = {
  'a bit is flipped': (path, random) => change(path, (bytes) => flip(bytes, random(bytes.length), 1 << random(8))),
  'a byte is flipped': (path, random) => change(path, (bytes) => flip(bytes, random(bytes.length), 1 + random(255))),
  'a byte that is not zero is flipped': (path, random) =>
    change(path, (bytes) => {
      let at = random(bytes.length);
      while (bytes[at] === 0) at = (at + 1) % bytes.length;
      flip(bytes, at, 1 << random(8));
    }),
  'a digit is another one': (path, random) =>
    change(path, (bytes) => {
      let at = random(bytes.length);
      const isDigit = (byte = 0) => byte >= 0x30 && byte <= 0x39;
      while (!isDigit(bytes[at])) at = (at + 1) % bytes.length;
      bytes[at] = 0x30 + (((bytes[at] ?? 0) - 0x30 + 1 + random(9)) % 10);
    }),
  'a page is zero': (path, random) => change(path, (bytes) => bytes.fill(0, ...span(pageIn(bytes, random), PAGE))),
  'a sector is zero': (path, random) =>
    change(path, (bytes) => bytes.fill(0, ...span(random(Math.floor(bytes.length / SECTOR)) * SECTOR, SECTOR))),
  'a sector is noise': (path, random) =>
    change(path, (bytes) => {
      const [from, to] = span(random(Math.floor(bytes.length / SECTOR)) * SECTOR, SECTOR);
      for (let at = from; at < to; at += 1) bytes[at] = random(256);
    }),
  'a page stands in the place of another': (path, random) =>
    change(path, (bytes) => bytes.copy(bytes, pageIn(bytes, random), ...span(pageIn(bytes, random), PAGE))),
  'a page is as it was earlier': (path, random, older) =>
    change(path, (bytes) => {
      const before = readFileSync(older);
      const at = pageIn(before, random);
      before.copy(bytes, at, ...span(at, PAGE));
    }),
  'it is cut': (path, random) => truncateSync(path, random(statSync(path).size)),
  'it is cut after a page': (path, random) => truncateSync(path, pageIn(readFileSync(path), random)),
  'it is missing': (path) => rmSync(path),
  'it is as it was earlier': (path, _, older) => copyFileSync(older, path),
};

const span = (from: number, length: number): [number, number] => [from, from + length];

const TO_WAL: Readonly<Record<string, (path: string, random: Random) => void>> = {
  'a byte is flipped': (path, random) => change(path, (bytes) => flip(bytes, random(bytes.length), 1 + random(255))),
  'a sector is zero': (path, random) =>
    change(path, (bytes) => bytes.fill(0, ...span(random(Math.floor(bytes.length / SECTOR)) * SECTOR, SECTOR))),
  'it is cut': (path, random) => truncateSync(path, random(readFileSync(path).length)),
  'it is missing': (path) => rmSync(path),
};

export interface Damage {
  /** Of what kind, for the count. */
  readonly kind: string;
  readonly into: (folder: string) => void;
}

const toFile = (file: File, what: string, work: ToFile, seed: number, { closed, older }: Prepared): Damage => ({
  kind: `${file}: ${what}`,
  into: (folder) => {
    cpSync(closed, folder, { recursive: true });
    work(join(folder, file), randomBy(seed), join(older, file));
  },
});

const toWal = (file: File, what: string, seed: number, { killed }: Prepared): Damage => ({
  kind: `${file}-wal: ${what}`,
  into: (folder) => {
    cpSync(killed, folder, { recursive: true });
    const path = join(folder, `${file}-wal`);
    rmSync(join(folder, `${file}-shm`), { force: true });
    if (existsSync(path)) TO_WAL[what]?.(path, randomBy(seed));
  },
});

const WHOLE: Readonly<Record<string, (folder: string, prepared: Prepared) => void>> = {
  'no damage': (folder, { closed }) => cpSync(closed, folder, { recursive: true }),
  killed: (folder, { killed }) => cpSync(killed, folder, { recursive: true }),
  'no write-ahead log': (folder, { killed }) => {
    cpSync(killed, folder, { recursive: true });
    for (const file of FILES)
      for (const part of ['-wal', '-shm']) rmSync(join(folder, `${file}${part}`), { force: true });
  },
  'documents and read models exchanged': (folder, { closed }) => {
    cpSync(closed, folder, { recursive: true });
    renameSync(join(folder, 'documents.db'), join(folder, 'x.db'));
    renameSync(join(folder, 'read-models.db'), join(folder, 'documents.db'));
    renameSync(join(folder, 'x.db'), join(folder, 'read-models.db'));
  },
  'read models newer than both': (folder, { closed, older }) => {
    cpSync(older, folder, { recursive: true });
    copyFileSync(join(closed, 'read-models.db'), join(folder, 'read-models.db'));
  },
};

/** How often a kind is drawn for each drawing of one that has no choice in it. */
const OFTEN = 8;

const CLOSED = Object.entries(TO_CLOSED).flatMap(([what, work]) => {
  const isRandom = !what.startsWith('it is missing') && what !== 'it is as it was earlier';
  return Array.from({ length: isRandom ? OFTEN : 1 }, () => ({ what, work }));
});

/** The damage of a seed; the first seeds are the damages that have no choice in them. */
export const damageOf = (seed: number, prepared: Prepared): Damage => {
  const fixed = fixedDamages(prepared);
  const one = fixed[seed];
  if (one) return one;
  const random = randomBy(seed);
  const file = FILES[random(FILES.length)] ?? 'events.db';
  if (random(4) === 0) {
    const kinds = Object.keys(TO_WAL).filter((what) => what !== 'it is missing');
    return toWal(file, kinds[random(kinds.length)] ?? '', seed, prepared);
  }
  const { what, work } = CLOSED[random(CLOSED.length)] ?? { what: '', work: () => undefined };
  return toFile(file, what, work, seed, prepared);
};

const fixedDamages = (prepared: Prepared): readonly Damage[] => [
  ...Object.entries(WHOLE).map(([kind, make]): Damage => ({ kind, into: (folder) => make(folder, prepared) })),
  ...FILES.flatMap((file) => [
    ...['it is missing', 'it is as it was earlier'].map((what) =>
      toFile(file, what, TO_CLOSED[what] ?? (() => undefined), 1, prepared),
    ),
    toWal(file, 'it is missing', 1, prepared),
  ]),
];
