import { createHash, generateKeyPairSync } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { alcada } from '../support/alcada.js';
import { ownFolder } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';
import { swept } from '../support/sweep.js';
import { damageOf } from './damages.js';
import { type Prepared, prepare } from './prepared.js';

stayEmbedded('it damages files');

/** The damages that have no choice in them come first. */
const SHORT = [8, 16, 22, 24, 28];
const SEEDS = swept({ short: SHORT, middle: [...seedsTo(30), 37, 47, 48, 59], full: seedsTo(2_000) });
/** Of which damages every command is tried; of the others those by which somebody finds out what has happened. */
const EVERY = new Set(swept({ short: SHORT, middle: SHORT, full: SEEDS }));
/** Whether those that write are tried where one was refused, too: all of them open the folder alike. */
const IS_PATIENT = swept({ short: false, middle: true, full: true });

function seedsTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, seed) => seed);
}

interface Given extends Pick<Prepared, 'checkpoint' | 'ids'> {
  /** A folder or file that is not there yet. */
  readonly place: string;
  /** The folder's files as a backup, whose description fits them. */
  readonly backup: string;
  /** A file with a client's public key. */
  readonly jwks: string;
}
type Command = (given: Given) => readonly string[];

/** The commands by which somebody finds out what has happened, and puts by what is left. */
const FIRST: readonly Command[] = [
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

/** The others that read a data folder. */
const READING: readonly Command[] = [
  ({ checkpoint }) => ['audit', 'diff', checkpoint, checkpoint],
  ({ ids }) => ['audit', 'mandate', ids.mandate],
  ({ ids }) => ['audit', 'order', ids.order],
  ({ ids }) => ['audit', 'booking', ids.booking],
  ({ ids }) => ['audit', 'holder', ids.holder],
  () => ['audit', 'agent', 'alcada-pilot'],
  ({ ids, place }) => ['audit', 'export', '--mandate', ids.mandate, '--out', place],
  ({ ids, place }) => ['audit', 'export', '--order', ids.order, '--out', place],
  ({ ids, place }) => ['audit', 'export', '--holder', ids.holder, '--out', place],
  ({ place }) => ['audit', 'export', '--since', '2020-01-01', '--out', place],
  () => ['client', 'list'],
  () => ['traveller', 'list'],
  () => ['auditor', 'list'],
  ({ place }) => ['replay', '--to', '2999-01-01T00:00:00Z', '--into', place],
];

/** Those that write to it, each to what those before it left. */
const WRITING: readonly Command[] = [
  () => ['client', 'add', 'novo-agente', '--redirect-uri', 'http://127.0.0.1:4711/volta'],
  () => ['client', 'rotate-secret', 'novo-agente'],
  ({ jwks }) => ['client', 'replace-keys', 'novo-agente', '--jwks', jwks],
  () => ['client', 'remove', 'novo-agente'],
  () => ['traveller', 'add', 'nova@example.com'],
  () => ['traveller', 'set-password', 'nova@example.com'],
  () => ['traveller', 'set-email', 'nova@example.com', 'outra@example.com'],
  () => ['traveller', 'remove', 'outra@example.com'],
  () => ['auditor', 'add', 'auditora@example.com'],
  () => ['auditor', 'remove', 'auditora@example.com'],
  ({ ids }) => ['flight', 'cancel', ...ids.flight, '--reason', 'neve'],
  () => ['keys', 'rotate'],
  ({ ids }) => ['keys', 'revoke', ids.kid],
  () => ['keys', 'reencrypt'],
  () => ['tlog', 'rotate'],
  () => ['tlog', 'retire'],
  () => ['tlog', 'begin'],
  () => ['rebuild', '--all'],
  () => ['end-access', '--end-mandates'],
  ({ ids }) => ['erase', '--holder', ids.holder],
  ({ place }) => ['backup', '--move', place],
];

/** Those that make a data folder of the backup. */
const RESTORING: readonly Command[] = [
  ({ backup }) => ['restore', backup],
  ({ backup }) => ['restore', backup, '--despite-breaches'],
];

const ALL = [...FIRST, ...READING, ...RESTORING, ...WRITING];

/** What a command may end with 1 for: what it looked at, and could read. */
const VERDICT =
  /: (?:novo-agente has no keys here|KEY_ENCRYPTION_KEY is not set|no server answers at|the log has no key yet|nothing is sealed yet|One thing is wrong|\d+ things are wrong|\d+ breach)/;

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

const made = (place: string): readonly string[] => {
  const beside = readdirSync(dirname(place)).filter((name) => name.startsWith(basename(place)));
  return beside.flatMap((name) => {
    const path = join(dirname(place), name);
    return statSync(path).isDirectory() ? readdirSync(path) : [name];
  });
};

const root = ownFolder();
let prepared: Prepared;
beforeAll(async () => {
  prepared = await prepare(root);
  const { publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(join(root, 'jwks'), JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one' }] }));
});

describe('every command on a damaged folder (docs/operations.md, Damaged data)', () => {
  it.each(SEEDS)(
    'answers with an exit code of ours and a sentence, and waits for nothing: damage %i',
    async (seed) => {
      const folder = join(root, `damaged-${seed}`);
      const { kind, into } = damageOf(seed, prepared);
      into(folder);
      const given: Given = {
        ...prepared,
        place: join(root, `place-${seed}`),
        backup: join(root, `put-by-${seed}`),
        jwks: join(root, 'jwks'),
      };
      putBy(folder, given.backup);
      let isClosed = false;
      for (const command of EVERY.has(seed) ? ALL : FIRST) {
        if (isClosed && !IS_PATIENT && WRITING.includes(command)) continue;
        const args = command(given);
        const dataDir = RESTORING.includes(command) ? given.place : folder;
        const { code, stderr } = await alcada(dataDir, args, { input: 'uma-senha-bem-longa\n' });
        const said = {
          code: [0, 1, 78].includes(code),
          why: code !== 1 || VERDICT.test(stderr),
          stack: /^ +at /m.exec(stderr),
          // What it was to make is whole, or not there.
          left: code === 0 ? [] : made(given.place),
        };
        expect([kind, args, stderr, said]).toEqual([
          kind,
          args,
          stderr,
          { code: true, why: true, stack: null, left: [] },
        ]);
        isClosed ||= code === 78 && WRITING.includes(command);
        await rm(given.place, { recursive: true, force: true });
      }
      for (const done of [folder, given.backup]) await rm(done, { recursive: true, force: true });
    },
    ALL.length * PATIENCE,
  );
});
