import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { alcada } from '../support/alcada.js';
import { newFolder, removeFolder } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';
import { swept } from '../support/sweep.js';
import { damageOf } from './damages.js';
import { type Prepared, prepare } from './prepared.js';

stayEmbedded('it damages files');

/** The damages that have no choice in them come first. */
const SEEDS = swept({ short: [5, 6, 8, 11, 23], middle: seedsTo(30), full: seedsTo(2_000) });

function seedsTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, seed) => seed);
}

/** The commands that read a data folder; `place`: a folder that is not there yet. */
const COMMANDS: readonly ((place: string) => readonly string[])[] = [
  () => ['audit', 'verify'],
  () => ['doctor'],
  () => ['status'],
  () => ['keys', 'list'],
  () => ['tlog', 'key'],
  () => ['rebuild', 'list'],
  (place) => ['backup', place],
];

/** How long (ms) a verdict may take, where the folder has some hundred events and the machine is busy. */
const PATIENCE = 60_000;

let root: string;
let prepared: Prepared;
beforeAll(async () => {
  root = await newFolder();
  prepared = await prepare(root);
});
afterAll(() => removeFolder(root));

describe('every command on a damaged folder (docs/operations.md, Damaged data)', () => {
  it.each(SEEDS)(
    'answers with an exit code of ours and a sentence, and waits for nothing: damage %i',
    async (seed) => {
      const folder = join(root, `damaged-${seed}`);
      const { kind, into } = damageOf(seed, prepared);
      into(folder);
      for (const [place, args] of COMMANDS.entries()) {
        const { code, stderr } = await alcada(folder, args(join(root, `backup-${seed}-${place}`)));
        expect([kind, args('')[0], [0, 1, 78].includes(code), code === 0 || stderr.length > 0]).toEqual([
          kind,
          args('')[0],
          true,
          true,
        ]);
      }
      await rm(folder, { recursive: true });
    },
    COMMANDS.length * PATIENCE,
  );
});
