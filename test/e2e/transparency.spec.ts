import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { CHAIN_START, chainedHash } from '#event-store';
import { canonicalJson } from '#kernel';
import { operatorMessage } from '#runtime';
import { nodeCrypto } from '#transparency';
import { TestWitness } from '../../libs/transparency/src/testing/index.js';
import {
  appendLeaf,
  decodeBundle,
  EMPTY,
  entriesPath,
  formatVerifierKey,
  hashesOf,
  hex,
  leafHash,
  markOf,
  parseCheckpoint,
  parseEntry,
  parseNote,
  parsePolicy,
  parseVerifierKey,
  rootOf,
  tilePath,
  verifierKey,
  verifyCheckpoint,
  verifyNote,
  widthIn,
} from '#verifier';
import { tellNotGiven, tellSkipped } from '#testing';
import { sealed } from '../support/sealed.js';
import { newFolder, removeFolder } from '../support/service.js';
import { ServiceOnFiles } from '../support/service-under-test.js';
import { areServersUsed } from '../support/stores.js';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';

/** The program `go`, and the folder of sources in which it finds `sumdb/note` and `sumdb/tlog` of golang.org/x/mod. */
const { GO = '', GOPATH = '' } = process.env;

/** Whether Go is given; where not, that what needs it is skipped is said aloud. */
const hasGo = (suite: string): boolean => {
  const isGiven = GO !== '' && GOPATH !== '';
  if (!isGiven) tellNotGiven(suite, 'GO', 'GOPATH');
  return isGiven;
};

/** Builds the verifier of test/go into a folder; returns how it is run: what it writes, or an Error with what it objects to. */
const buildVerifier = async (folder: string): Promise<(address: string, vkey: string) => Promise<string>> => {
  const run = promisify(execFile);
  const program = join(folder, 'verify');
  const env = { ...process.env, GO111MODULE: 'off', GOFLAGS: '', GOCACHE: join(tmpdir(), 'alcada-go-cache') };
  await run(GO, ['build', '-o', program, resolve('test/go/verify.go')], { env });
  return async (address, vkey) => (await run(program, [address, vkey])).stdout;
};

const { sha256 } = nodeCrypto;
const test = new ServiceOnFiles({ TLOG_INTERVAL: '0.05' });

const ask = (path: string) => fetch(`${test.origin}/tlog/${path}`);
const bytesOf = async (path: string) => new Uint8Array(await (await ask(path)).arrayBuffer());

/** A case that takes files away, where there are any. */
const inFolder: typeof it | typeof it.skip = areServersUsed() ? it.skip : it;
if (areServersUsed()) tellSkipped("the loss of the log's files", 'servers hold them');

const grow = async (count: number): Promise<void> => {
  const { events, clock } = test.service.dependencies;
  let hash = CHAIN_START;
  const noted = Array.from({ length: count }, (_, revision) => {
    const id = randomUUID();
    const actor = { holder: null, clientId: null };
    const cause = { $causationId: randomUUID(), $correlationId: randomUUID() };
    const metadata = { ...cause, actor, eventId: id, occurredAt: clock.now(), schemaVersion: 1 };
    const event = { stream: 'note-1', revision, type: 'Noted', data: '{}' };
    hash = chainedHash(hash, { ...event, metadata: canonicalJson(metadata) });
    return { id, type: 'Noted', data: '{}', metadata: canonicalJson({ ...metadata, hash }) };
  });
  await events.append('note-1', -1, noted);
};

describe('the transparency log', () => {
  it('shows a stranger every event: a signed checkpoint, its tiles, and the entries they are of', async () => {
    await sealed(test.service);
    const answer = await ask('checkpoint');
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const note = parseNote(await answer.text());
    const key = parseVerifierKey((await (await ask('key')).text()).trim(), sha256);
    expect(await verifyNote(note, [key], nodeCrypto)).toEqual([key]);
    const { origin, size, root } = parseCheckpoint(note.text);
    expect(origin).toBe(key.name);

    let edge = EMPTY;
    const shown: string[] = [];
    for (let index = 0; widthIn(size, 0, index) > 0; index += 1) {
      const width = widthIn(size, 0, index);
      const hashes = hashesOf(await bytesOf(tilePath({ level: 0, index, width }))).map(hex);
      const entries = decodeBundle(await bytesOf(entriesPath({ index, width })));
      expect(entries.map((entry) => hex(leafHash(sha256, entry)))).toEqual(hashes);
      for (const entry of entries) {
        edge = appendLeaf(sha256, edge, leafHash(sha256, entry));
        shown.push(JSON.stringify(parseEntry(entry)));
      }
    }
    expect(hex(rootOf(sha256, edge))).toBe(hex(root));

    const { events, transparency } = test.service.dependencies;
    const stored: string[] = [];
    for await (const { stream, revision, metadata } of events.readAll(null)) {
      if (!stream.startsWith('traffic-'))
        stored.push(
          JSON.stringify({
            mark: markOf(nodeCrypto.sha256, transparency.pseudonyms.keyOf(stream), revision),
            hash: metadata.hash,
          }),
        );
    }
    expect(shown).toEqual(stored.slice(0, size));
    expect(size).toBeGreaterThan(10);
  });

  it('says at its own address what is where, and lets pages of any origin read all of it', async () => {
    const answer = await fetch(`${test.origin}/tlog`, { headers: { origin: 'https://monitor.example' } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    const { checkpoint, key } = (await answer.json()) as { readonly checkpoint: string; readonly key: string };
    for (const address of [checkpoint, key, `${test.origin}/tlog/tile/0/000.p/1`]) {
      const file = await fetch(address, { headers: { origin: 'https://monitor.example' } });
      expect([file.status, file.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    }
  });

  it('serves tiles for ever, the checkpoint anew, and nothing that is not sealed', async () => {
    const { size } = await sealed(test.service);
    const tile = await ask(tilePath({ level: 0, index: 0, width: Math.min(size, 256) }));
    expect(tile.headers.get('content-type')).toBe('application/octet-stream');
    expect(tile.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const checkpoint = await ask('checkpoint');
    expect(checkpoint.headers.get('cache-control')).toBe('no-cache');
    const again = { headers: { 'if-none-match': checkpoint.headers.get('etag') ?? '' } };
    expect((await fetch(`${test.origin}/tlog/checkpoint`, again)).status).toBe(304);
    for (const path of [
      'tile/0/001',
      'tile/1/000',
      'tile/0/1',
      'tile/entries/999',
      'tile/7',
      'tile/0/000.p/256',
      'nothing',
    ])
      expect((await ask(path)).status).toBe(404);
  });

  const withGo = hasGo('the transparency log, verified in Go') ? it : it.skip;
  withGo('is verified by a program without any code of ours, which finds what was changed', async () => {
    await grow(600); // tiles that are full, and one of the level above
    const { size } = await sealed(test.service);
    expect(size).toBeGreaterThan(600);
    const folder = await newFolder();
    const verify = await buildVerifier(folder);
    const vkey = (await (await ask('key')).text()).trim();
    expect(await verify(`${test.origin}/tlog`, vkey)).toMatch(
      new RegExp(`^${size} entries, ${size} of them marked, root `),
    );
    const stranger = parseVerifierKey(vkey, sha256);
    const other = verifierKey({ ...stranger, publicKey: stranger.publicKey.toReversed() }, sha256);
    const refused = verify(`${test.origin}/tlog`, formatVerifierKey(other));
    await expect(refused).rejects.toThrow('no verifiable signatures');

    for (const [changed, why] of [
      ['/tile/entries/', 'entry 7 is not the one that the tree holds'],
      ['/tile/0/', 'downloaded inconsistent tile'],
      ['/checkpoint', 'invalid signature'],
    ] as const) {
      const liar = createServer((request, response) => {
        void fetch(`${test.origin}${request.url}`).then(async (answer) => {
          const body = Buffer.from(await answer.arrayBuffer());
          // Within the eighth entry or hash of a full tile, and the size.
          const place = changed === '/checkpoint' ? body.indexOf('\n') + 1 : Math.floor((body.length / 256) * 7.5);
          if (request.url?.includes(changed)) body[place] = (body[place] ?? 0) ^ 1;
          response.writeHead(answer.status).end(body);
        });
      }).listen(0, '127.0.0.1');
      await once(liar, 'listening');
      const { port } = liar.address() as AddressInfo;
      await expect(verify(`http://127.0.0.1:${port}/tlog`, vkey)).rejects.toThrow(why);
      liar.close();
    }
    await removeFolder(folder);
  });

  it('is offered to witnesses, and shows what they cosign', async () => {
    const witness = await TestWitness.start('W');
    witness.trusted = (await (await ask('key')).text()).trim().split('\n');
    const file = join(test.folder, 'witnesses');
    await writeFile(file, `${witness.line}quorum W\n`);
    await test.stop();
    await test.start({ TLOG_INTERVAL: '0.05', TLOG_WITNESSES: file });
    const keys = [parseVerifierKey((await (await ask('key')).text()).trim(), sha256)];
    const policy = {
      ...parsePolicy(await readFile(file, 'utf8'), sha256),
      logs: keys.map((key) => ({ key, url: null })),
    };
    const { clock } = test.service.dependencies;
    const { size } = await sealed(test.service);
    while (witness.cosigned.get(keys[0]?.name ?? '')?.size !== size) await clock.sleep(10);
    const shown = async () => (await ask('checkpoint')).text();
    while (parseNote(await shown()).signatures.length < 2) await clock.sleep(10);
    expect(await verifyCheckpoint(await shown(), policy, nodeCrypto)).toMatchObject({ size, witnesses: ['W'] });
    await witness.stop();
    // A witness that has gone is in nobody's way.
    expect((await fetch(`${test.origin}/api/v1/flights`)).status).toBe(200);
  });

  inFolder('refuses to start over a log that does not hold what was sealed', async () => {
    await test.stop();
    for (const suffix of ['', '-wal', '-shm']) await rm(join(test.folder, `events.db${suffix}`), { force: true });
    for (const suffix of ['', '-wal', '-shm']) await rm(join(test.folder, `read-models.db${suffix}`), { force: true });
    const refusal: unknown = await test.start().then(
      () => null,
      (error: unknown) => error,
    );
    expect(operatorMessage(refusal)).toContain('ahead of the log');
  });
});
