import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { EmbeddedDocuments } from '#documents';
import { FixedClock, ownFolder } from '#testing';
import { nodeCrypto, openTlogKeys, type TlogKeys } from '#transparency';
import { formatVerifierKey, parseNote, verifyNote } from '#verifier';
import { run } from './run.js';

const folder = ownFolder();

const tlog = async (...args: readonly string[]): Promise<string> => {
  const written = { stdout: '', stderr: '' };
  const code = await run(['tlog', ...args], {
    env: { DATA_DIR: folder },
    stdin: Readable.from(''),
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
  });
  if (code !== 0) throw new Error(written.stderr);
  return written.stdout;
};

/** Does what a server does with the keys while it runs. */
const asServer = async <Result>(work: (keys: TlogKeys) => Promise<Result>): Promise<Result> => {
  const clock = new FixedClock();
  const documents = await EmbeddedDocuments.open({ file: join(folder, 'documents.db'), durability: 'normal', clock });
  try {
    return await work(await openTlogKeys(documents, [], { first: 'log.example/tlog', configured: null }, clock));
  } finally {
    await documents.close();
  }
};

describe('alcada tlog', () => {
  it('has no key to show before the first start, and none to rotate', async () => {
    await expect(tlog('key')).rejects.toThrow('there is no data in');
    await expect(tlog('rotate')).rejects.toThrow('the log has no key yet: the first start of the server makes one');
    await expect(tlog('key')).rejects.toThrow('the log has no key yet');
  });

  it('leads from one key to the next, with a time between in which both sign', async () => {
    const [first] = await asServer((keys) => keys.verifierKeys());
    const line = first ? formatVerifierKey(first) : '';
    expect(await tlog('key')).toBe(`${line}\n`);
    const fingerprint = createHash('sha256').update(`${line}\n`).digest('hex');
    expect(JSON.parse(await tlog('key', '--json'))).toEqual({
      origin: 'log.example/tlog',
      keys: [{ vkey: line, fingerprint }],
      retired: [],
    });
    await expect(tlog('retire')).rejects.toThrow('rotate first');

    expect(await tlog('rotate')).toContain(
      `  signs  ${line}\n         SHA-256 ${fingerprint}\n  signs  log.example/tlog+`,
    );
    await expect(tlog('rotate')).rejects.toThrow('two keys sign already');
    const both = await tlog('key');
    expect(both).toMatch(new RegExp(`^${line.replaceAll(/[+/.]/g, '\\$&')}\n[^\n]+\n$`));
    const signers = await asServer(async (keys) => {
      const note = parseNote(`text\n\n${await keys.sign('text\n')}`);
      return verifyNote(note, await keys.verifierKeys(), nodeCrypto);
    });
    expect(signers.map((key) => `${formatVerifierKey(key)}\n`).join('')).toBe(both);

    expect(await tlog('retire')).toContain(`  retired  ${line}\n`);
    expect(`${line}\n${await tlog('key')}`).toBe(both);
  });
});
