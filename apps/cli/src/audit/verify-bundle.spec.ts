import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ownFolder } from '#testing';
import { verifyBundleFile } from './verify-bundle.js';

const folder = ownFolder();
const key = [readFileSync('docs/audit-vectors/key', 'utf8').trim()];
const bundle = 'docs/audit-vectors/sound.jsonl';
const MEBIBYTE = Buffer.alloc(1_048_576, 'a');

let server: Server | undefined;
afterEach(() => new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined))));

describe('what is not trusted', () => {
  it('is read no further than a proof can go', async () => {
    const proof = join(folder, 'long.tlog-proof');
    const bytes = [Buffer.from('c2sp.org/tlog-proof'), ...Array.from({ length: 4 }, () => MEBIBYTE)];
    writeFileSync(proof, Buffer.concat(bytes));
    await expect(verifyBundleFile({ bundle: proof, key })).rejects.toThrow('it has more than 4194304 bytes');
  });

  it('is read no further than a file of a log can go', async () => {
    let sent = 0;
    const chunks = function* () {
      for (; sent < 64; sent += 1) yield MEBIBYTE;
    };
    const listening = createServer((_, response) => Readable.from(chunks()).pipe(response));
    server = listening;
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    const log = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
    const { breaches } = await verifyBundleFile({ bundle, key, log });
    expect(breaches.map(({ rule, message }) => [rule, message])).toEqual([['log', 'it has more than 16777472 bytes']]);
    expect(sent).toBeLessThan(64);
  });
});
