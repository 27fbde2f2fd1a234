import { securityLog } from '#events';
import type { ListedKey } from '#oauth';
import { decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import { apiAt, tokensFor } from '../support/agent.js';
import { alcada } from '../support/alcada.js';
import { anError } from '../support/matchers.js';
import { type Environment, LATER, letPass, startService } from '../support/service.js';
import { ServiceOnFiles } from '../support/service-under-test.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('it asks for a server that is stopped');

const tested = new ServiceOnFiles();

const alcadaKeys = async (...args: readonly string[]): Promise<string> => keysCommand(args);
const keysCommand = async (args: readonly string[], environment: Environment = {}): Promise<string> => {
  const ended = await alcada(tested.folder, ['keys', ...args], { environment: { ...LATER, ...environment } });
  if (ended.code !== 0) throw new Error(ended.stderr);
  return ended.stdout;
};
const listed = async (): Promise<readonly ListedKey[]> => JSON.parse(await alcadaKeys('list', '--json')) as ListedKey[];

const publishedKids = async (): Promise<readonly (string | undefined)[]> => {
  const { keys } = (await (await fetch(`${tested.origin}/oauth/jwks`)).json()) as JSONWebKeySet;
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
    const { access_token: old } = await tokensFor(tested.origin);
    await tested.stop();
    expect(await alcadaKeys('rotate')).toMatch(/^New signing key/);
    const [newest, before] = await listed();
    expect(newest).toMatchObject({ state: 'next', verifiesUntil: null });
    expect(before).toMatchObject({
      kid: decodeProtectedHeader(old).kid,
      state: 'signs',
      verifiesUntil: expect.any(String),
    });
    await tested.start();
    expect(await publishedKids()).toEqual([newest?.kid, before?.kid]);
    expect(decodeProtectedHeader((await tokensFor(tested.origin)).access_token).kid).toBe(before?.kid);
    letPass(tested.service, 370_000); // every document that was cached without it is gone

    const { access_token: fresh } = await tokensFor(tested.origin);
    expect(decodeProtectedHeader(fresh).kid).toBe(newest?.kid);
    expect(await publishedKids()).toEqual([newest?.kid, before?.kid]);
    for (const token of [old, fresh]) {
      expect(await apiAt(tested.origin, token).get('/bookings')).toMatchObject({ status: 200 });
    }
    letPass(tested.service, 3_660_000);
    expect(await publishedKids()).toEqual([newest?.kid]);
  });

  it('list tells nothing of the private part', async () => {
    await tested.stop();
    try {
      const members = ['createdAt', 'kid', 'signs', 'signsFrom', 'state', 'verifiesUntil'];
      expect(Object.keys((await listed())[0] ?? {}).sort()).toEqual(members);
      expect(await alcadaKeys('list')).toMatch(/^Signing keys\.\n {2}\S+ {2}made \S+, signs\n/);
    } finally {
      await tested.start();
    }
  });

  it('revoke withdraws a stolen key at once: what it signed is refused, another signs, and it is recorded', async () => {
    const { access_token: stolen } = await tokensFor(tested.origin);
    const kid = decodeProtectedHeader(stolen).kid ?? '';
    expect(await apiAt(tested.origin, stolen).get('/bookings')).toMatchObject({ status: 200 });
    await tested.stop();
    await expect(alcadaKeys('revoke', 'unknown')).rejects.toThrow('there is no signing key unknown');
    expect(await alcadaKeys('revoke', kid)).toMatch(/^Signing key withdrawn[^]*signs\n$/);
    await tested.start();
    expect(await apiAt(tested.origin, stolen).get('/bookings')).toMatchObject(anError(401, 'invalid_token'));
    expect(await publishedKids()).not.toContain(kid);
    const { access_token: fresh } = await tokensFor(tested.origin);
    expect(await apiAt(tested.origin, fresh).get('/bookings')).toMatchObject({ status: 200 });
    const recorded: unknown[] = [];
    const { events, clock } = tested.service.dependencies;
    for await (const { type, data } of events.readStream(securityLog.streamOf(clock.now())))
      recorded.push({ type, data });
    expect(recorded).toContainEqual({ type: 'SigningKeyRevoked', data: { kid, revokedAt: expect.any(String) } });
  });

  it('reencrypt lets the stored keys follow another KEY_ENCRYPTION_KEY, and changes none of them', async () => {
    const { access_token: token } = await tokensFor(tested.origin);
    const before = await publishedKids();
    await tested.stop();
    const [first, second] = [{ KEY_ENCRYPTION_KEY: 'ab'.repeat(32) }, { KEY_ENCRYPTION_KEY: 'cd'.repeat(32) }];
    const both = { ...second, KEY_ENCRYPTION_KEY_PREVIOUS: first.KEY_ENCRYPTION_KEY };
    await (await startService(tested.folder, first)).stop();
    await (await startService(tested.folder, both)).stop(); // reads them all, and leaves them
    await (await startService(tested.folder, first)).stop();
    const secrets = 7; // of five HMACs and the locators, and the key of the transparency log
    const reencrypted = before.length + secrets;
    expect(JSON.parse(await keysCommand(['reencrypt', '--json'], both))).toEqual({ reencrypted });
    expect(JSON.parse(await keysCommand(['reencrypt', '--json'], both))).toEqual({ reencrypted: 0 });
    await expect(startService(tested.folder, first)).rejects.toThrow('another KEY_ENCRYPTION_KEY');
    await tested.start(second);
    expect(await publishedKids()).toEqual(before);
    expect(await apiAt(tested.origin, token).get('/bookings')).toMatchObject({ status: 200 });
  });
});
