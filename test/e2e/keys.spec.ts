import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '#config';
import { securityLog } from '#events';
import type { ListedKey } from '#oauth';
import { decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import type { RunningApi } from '../../apps/api/src/start.js';
import { createProgram } from '../../apps/cli/src/program.js';
import { apiAt, tokensFor } from '../support/agent.js';
import { type Environment, LATER, letPass, newFolder, removeFolder, startService } from '../support/service.js';
import { stayEmbedded, storesOf } from '../support/stores.js';

stayEmbedded('it asks for a server that is stopped');

let folder: string;
let service: RunningApi;
beforeAll(async () => {
  folder = await newFolder();
  service = await startService(folder);
});
afterAll(async () => {
  await service.stop();
  await removeFolder(folder);
});

/** What `alcada keys …` writes. */
const alcadaKeys = async (...args: readonly string[]): Promise<string> => keysCommand(args);
const keysCommand = async (args: readonly string[], environment: Environment = {}): Promise<string> => {
  let written = '';
  const program = createProgram({
    config: () => readConfig({ ...LATER, ...storesOf(folder), ...environment }),
    write: (text) => (written += text),
  });
  await program.parseAsync(['keys', ...args], { from: 'user' });
  return written;
};
const listed = async (): Promise<readonly ListedKey[]> => JSON.parse(await alcadaKeys('list', '--json')) as ListedKey[];

const publishedKids = async (): Promise<readonly (string | undefined)[]> => {
  const { keys } = (await (await fetch(`${service.origin}/oauth/jwks`)).json()) as JSONWebKeySet;
  return keys.map(({ kid }) => kid);
};

describe('alcada keys', () => {
  it('refuses to touch the keys of a server that runs, and says so', async () => {
    await expect(alcadaKeys('rotate')).rejects.toThrow(
      /another process holds it\nIf a server runs on .*, stop it first/,
    );
    expect(await publishedKids()).toHaveLength(1);
  });

  it('rotate makes a key that is published before it signs, while the old one verifies what it signed', async () => {
    const { access_token: old } = await tokensFor(service.origin);
    await service.stop();
    expect(await alcadaKeys('rotate')).toMatch(/^New signing key/);
    const [newest, before] = await listed();
    expect(newest).toMatchObject({ state: 'next', verifiesUntil: null });
    expect(before).toMatchObject({
      kid: decodeProtectedHeader(old).kid,
      state: 'signs',
      verifiesUntil: expect.any(String),
    });
    service = await startService(folder);
    expect(await publishedKids()).toEqual([newest?.kid, before?.kid]);
    expect(decodeProtectedHeader((await tokensFor(service.origin)).access_token).kid).toBe(before?.kid);
    letPass(service, 370_000); // every document that was cached without it is gone

    const { access_token: fresh } = await tokensFor(service.origin);
    expect(decodeProtectedHeader(fresh).kid).toBe(newest?.kid);
    expect(await publishedKids()).toEqual([newest?.kid, before?.kid]);
    for (const token of [old, fresh]) {
      expect(await apiAt(service.origin, token).get('/bookings')).toMatchObject({ status: 200 });
    }
    letPass(service, 3_660_000);
    expect(await publishedKids()).toEqual([newest?.kid]);
  });

  it('list tells nothing of the private part', async () => {
    await service.stop();
    try {
      const members = ['createdAt', 'kid', 'signsFrom', 'state', 'verifiesUntil'];
      expect(Object.keys((await listed())[0] ?? {}).sort()).toEqual(members);
      expect(await alcadaKeys('list')).toMatch(/^Signing keys\.\n {2}\S+ {2}made \S+, signs\n/);
    } finally {
      service = await startService(folder);
    }
  });

  it('revoke withdraws a stolen key at once: what it signed is refused, another signs, and it is recorded', async () => {
    const { access_token: stolen } = await tokensFor(service.origin);
    const kid = decodeProtectedHeader(stolen).kid ?? '';
    expect(await apiAt(service.origin, stolen).get('/bookings')).toMatchObject({ status: 200 });
    await service.stop();
    await expect(alcadaKeys('revoke', 'unknown')).rejects.toThrow('there is no signing key unknown');
    expect(await alcadaKeys('revoke', kid)).toMatch(/^Signing key withdrawn[^]*signs\n$/);
    service = await startService(folder);
    expect(await apiAt(service.origin, stolen).get('/bookings')).toMatchObject({
      status: 401,
      body: { error: 'invalid_token' },
    });
    expect(await publishedKids()).not.toContain(kid);
    const { access_token: fresh } = await tokensFor(service.origin);
    expect(await apiAt(service.origin, fresh).get('/bookings')).toMatchObject({ status: 200 });
    const recorded: unknown[] = [];
    const { events, clock } = service.dependencies;
    for await (const { type, data } of events.readStream(securityLog.streamOf(clock.now())))
      recorded.push({ type, data });
    expect(recorded).toContainEqual({ type: 'SigningKeyRevoked', data: { kid, revokedAt: expect.any(String) } });
  });

  it('reencrypt lets the stored keys follow another KEY_ENCRYPTION_KEY, and changes none of them', async () => {
    const { access_token: token } = await tokensFor(service.origin);
    const before = await publishedKids();
    await service.stop();
    const [first, second] = [{ KEY_ENCRYPTION_KEY: 'ab'.repeat(32) }, { KEY_ENCRYPTION_KEY: 'cd'.repeat(32) }];
    const both = { ...second, KEY_ENCRYPTION_KEY_PREVIOUS: first.KEY_ENCRYPTION_KEY };
    await (await startService(folder, first)).stop();
    await (await startService(folder, both)).stop(); // reads them all, and leaves them
    await (await startService(folder, first)).stop();
    const secrets = 3; // of the HMACs
    const reencrypted = before.length + secrets;
    expect(JSON.parse(await keysCommand(['reencrypt', '--json'], both))).toEqual({ reencrypted });
    expect(JSON.parse(await keysCommand(['reencrypt', '--json'], both))).toEqual({ reencrypted: 0 });
    await expect(startService(folder, first)).rejects.toThrow('another KEY_ENCRYPTION_KEY');
    service = await startService(folder, second);
    expect(await publishedKids()).toEqual(before);
    expect(await apiAt(service.origin, token).get('/bookings')).toMatchObject({ status: 200 });
  });
});
