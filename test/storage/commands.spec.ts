import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
const SEEDS = swept({ short: [5, 6, 8, 11, 23], middle: [...seedsTo(30), 37, 47, 48, 59], full: seedsTo(2_000) });

function seedsTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, seed) => seed);
}

/** What a command is given besides the folder. */
interface Given {
  /** A folder that is not there yet. */
  readonly place: string;
  /** The newest checkpoint that somebody kept of the log. */
  readonly checkpoint: string;
  /** The folder's files as a backup, whose description fits them. */
  readonly backup: string;
}

/** The commands that read a data folder, or what was put by of it. */
const COMMANDS: readonly ((given: Given) => readonly string[])[] = [
  () => ['audit', 'verify'],
  ({ checkpoint }) => ['audit', 'verify', '--checkpoint', checkpoint],
  ({ backup }) => ['restore', '--check', backup],
  () => ['doctor'],
  () => ['status'],
  () => ['keys', 'list'],
  () => ['tlog', 'key'],
  () => ['rebuild', 'list'],
  ({ place }) => ['backup', place],
];

/** What a command may end with 1 for: what it looked at, and could read. */
const VERDICT = /: (?:no server answers at|the log has no key yet|One thing is wrong|\d+ things are wrong|\d+ breach)/;

/** How long (ms) a verdict may take, where the folder has some hundred events and the machine is busy. */
const PATIENCE = 60_000;

/** Makes a backup of files that were damaged before they were described: their bytes are as they were put by. */
const putBy = (folder: string, backup: string): void => {
  mkdirSync(backup);
  const files = ['events.db', 'documents.db'].map((name) => {
    if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(backup, name));
    const bytes = existsSync(join(backup, name)) ? readFileSync(join(backup, name)) : Buffer.alloc(0);
    return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  });
  const told = { format: 2, version: '1.0.0', madeAt: '2026-01-15T12:00:00.000Z', log: null, keys: 'in clear', files };
  writeFileSync(join(backup, 'backup.json'), JSON.stringify(told));
};

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
      const given: Given = {
        place: join(root, `backup-${seed}`),
        checkpoint: prepared.checkpoint,
        backup: join(root, `put-by-${seed}`),
      };
      putBy(folder, given.backup);
      for (const command of COMMANDS) {
        const args = command(given);
        const { code, stderr } = await alcada(folder, args);
        const said = {
          code: [0, 1, 78].includes(code),
          why: code !== 1 || VERDICT.test(stderr),
          stack: /^ +at /m.exec(stderr),
        };
        expect([kind, args, stderr, said]).toEqual([kind, args, stderr, { code: true, why: true, stack: null }]);
      }
      for (const made of [folder, given.place, given.backup]) await rm(made, { recursive: true, force: true });
    },
    COMMANDS.length * PATIENCE,
  );
});
