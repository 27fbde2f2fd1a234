import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { exportBundle, NothingToExport } from '#audit';
import { SECRETS } from '#documents';
import type { Instant } from '#kernel';
import { openTransparency, readTlogKeys, TLOG_KEYS } from '#transparency';
import { type About, type Subject, SUBJECTS } from '#verifier';
import { type Cli, json, report, withStoresToRead } from '../command-line.js';
import { count, instantOf } from './format.js';
import { idOf } from './ids.js';

interface Options extends Readonly<Partial<Record<Subject, string>>> {
  readonly since?: Instant;
  readonly out: string;
  readonly json?: true;
}

const aboutIn = (options: Options, command: Command): readonly [Subject, string] => {
  const [subject, ...more] = SUBJECTS.filter((name) => options[name] !== undefined);
  if (subject === undefined || more.length > 0)
    return command.error('error: give one of --mandate, --order, --holder and --since');
  return [subject, options[subject] ?? ''];
};

/** Writes a file that is there only once it is whole. It may name people, so only the one who runs the command can read it. */
const writeWhole = async (file: string, lines: AsyncIterable<string>): Promise<void> => {
  const partial = `${file}.partial`;
  try {
    await pipeline(Readable.from(lines), createWriteStream(partial, { mode: 0o600 }));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
};

/** `alcada audit export`: a bundle that can be verified on a machine without the server. */
export const addExportCommand = (audit: Command, { config, write, stderr }: Cli): void => {
  const command = audit
    .command('export')
    .description('write a bundle that anybody with the key of the log can verify')
    .option(
      '--mandate <id>',
      'a mandate (its id, or the first eight characters), its agent, its orders and their bookings',
    )
    .option('--order <id>', 'an order (its id, or the first eight characters), its booking, its mandate and its agent')
    .option('--holder <id>', 'everything of a traveller')
    .option('--since <time>', 'the whole log from then on, such as 2026-01-15 or 2026-01-15T12:00:00Z', instantOf)
    .requiredOption('--out <file>', 'where to write it, as JSON Lines')
    .action(async (options: Options) => {
      const [subject, given] = aboutIn(options, command);
      const settings = await config();
      const made = await withStoresToRead(settings, async (ports) => {
        await ports.documents.prepare(SECRETS);
        await ports.documents.prepare(TLOG_KEYS);
        // Opening would make what a first start makes, and this only reads.
        if (!(await readTlogKeys(ports.documents))) throw new NothingToExport('nothing is sealed yet');
        const { log } = await openTransparency(ports, settings.keyEncryptionKeys, settings.tlogOrigin);
        const isShort = subject === 'mandate' || subject === 'order';
        const id = isShort ? await idOf(subject, given, ports.events, stderr) : given;
        const about: About = { [subject]: id };
        const bundle = await exportBundle(about, { events: ports.events, log });
        await writeWhole(options.out, bundle.lines);
        return { out: options.out, events: bundle.events, size: bundle.size };
      });
      const text = report(`${count(made.events, 'event')} written to ${made.out}.`, [
        ['as of', count(made.size, 'sealed entry', 'sealed entries')],
        ['verify', `alcada audit verify --bundle ${made.out} --key <line of "alcada tlog key">`],
        ['', 'Give the key by another way than the bundle: it is what the reader trusts.'],
      ]);
      write(options.json ? json(made) : text);
    });
};
