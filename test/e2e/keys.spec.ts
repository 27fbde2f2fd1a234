import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '#config';
import type { ListedKey } from '#oauth';
import { decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import type { RunningApi } from '../../apps/api/src/start.js';
import { createProgram } from '../../apps/cli/src/program.js';
import { apiAt, tokensFor } from '../support/agent.js';
import { letPass, newFolder, removeFolder, startService } from '../support/service.js';
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
const alcadaKeys = async (...args: readonly string[]): Promise<string> => {
  let written = '';
  const program = createProgram({
    config: () => readConfig(storesOf(folder)),
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

  it('rotate makes a key that signs from the next start on, while the old one verifies what it signed', async () => {
    const { access_token: old } = await tokensFor(service.origin);
    await service.stop();
    expect(await alcadaKeys('rotate')).toMatch(/^New signing key/);
    const [newest, before] = await listed();
    expect(newest?.verifiesUntil).toBeNull();
    expect(before).toMatchObject({ kid: decodeProtectedHeader(old).kid, verifiesUntil: expect.any(String) });
    service = await startService(folder);
    letPass(service, 500); // a key signs once all who verify had the time to hear of it, however fast the start was

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
      expect(Object.keys((await listed())[0] ?? {}).sort()).toEqual(['createdAt', 'kid', 'verifiesUntil']);
      expect(await alcadaKeys('list')).toMatch(/^Signing keys\.\n {2}\S+ {2}made \S+, signs\n/);
    } finally {
      service = await startService(folder);
    }
  });
});
