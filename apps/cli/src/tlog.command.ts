import type { Command } from 'commander';
import { fingerprintOf, readTlogKeys, retireTlogKey, rotateTlogKeys, TLOG_KEYS } from '#transparency';
import { formatVerifierKey } from '#verifier';
import type { Documents } from '#documents';
import { logLines } from './backup/backup.command.js';
import { keptCheckpoint, succeededBy, succeedLog } from './backup/next-log.js';
import { type Cli, json, type JsonOption, type Line, printed, withStores, withStoresToRead } from './command-line.js';

interface ShownKeys {
  readonly origin: string;
  readonly keys: readonly { readonly vkey: string; readonly fingerprint: string }[];
  readonly retired: readonly string[];
}

const shown = async (documents: Documents): Promise<ShownKeys> => {
  await documents.prepare(TLOG_KEYS);
  const known = await readTlogKeys(documents);
  if (!known) throw new Error('the log has no key yet: the first start of the server makes one');
  const keys = known.keys.map((key) => ({ vkey: formatVerifierKey(key), fingerprint: fingerprintOf(key) }));
  return { origin: known.origin, keys, retired: known.retired };
};

const lines = ({ keys, retired }: ShownKeys): readonly Line[] => [
  ...keys.flatMap(({ vkey, fingerprint }): Line[] => [
    ['signs', vkey],
    ['', `SHA-256 ${fingerprint}`],
  ]),
  ...retired.map((vkey): Line => ['retired', vkey]),
];

/** `alcada tlog`: the keys that sign the checkpoints of the transparency log. */
export const defineTlog = (tlog: Command, { config, write }: Cli): void => {
  tlog
    .command('key')
    .description('print the verifier keys of the log, a line each: two during a rotation')
    .option('--json', 'print one JSON document, with fingerprints and the retired keys')
    .action(async (options: JsonOption) => {
      const known = await withStoresToRead(await config(), ({ documents }) => shown(documents));
      write(options.json ? json(known) : known.keys.map(({ vkey }) => `${vkey}\n`).join(''));
    });

  tlog
    .command('begin')
    .description('freeze the log and begin the next one, with another origin and new keys')
    .option('--last <checkpoint>', 'the newest checkpoint that was published, which the next log names')
    .addHelpText(
      'after',
      `
For stores that were put back to an earlier moment by tools of their own, before anything starts on them: what was
published since is signed, and another history must not bear its name. alcada restore does it by itself. The old log
stays served as it was signed last, below /tlog/1. Interrupted, nothing starts until it is run again.`,
    )
    .action(async (options: JsonOption & { readonly last?: string }) => {
      const settings = await config();
      const next = await withStores(settings, async (ports) => {
        if (options.last === undefined) return succeedLog(ports, settings, null);
        const begun = await succeededBy(options.last, ports, settings);
        return begun ?? succeedLog(ports, settings, await keptCheckpoint(options.last, ports.documents));
      });
      write(printed(options, next, 'The next log begins.', logLines(next)));
    });

  tlog
    .command('rotate')
    .description('create a second key: both sign from now on, until retire')
    .action(async (options: JsonOption) => {
      const settings = await config();
      const known = await withStores(settings, async ({ documents }) => {
        await shown(documents);
        await rotateTlogKeys(documents, settings.keyEncryptionKeys);
        return shown(documents);
      });
      const heading =
        'Two keys sign now. Publish the second one, give it to the witnesses, and retire the first later.';
      write(printed(options, known, heading, lines(known)));
    });

  tlog
    .command('retire')
    .description('end the older of two keys, and delete its private half; what it signed still verifies')
    .action(async (options: JsonOption) => {
      const known = await withStores(await config(), async ({ documents }) => {
        await shown(documents);
        await retireTlogKey(documents);
        return shown(documents);
      });
      write(printed(options, known, 'The older key is retired.', lines(known)));
    });
};
