import { decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import { apiAt, tokensFor } from '../support/agent.js';
import { alcada } from '../support/alcada.js';
import { LATER, letPass } from '../support/service.js';
import { ServiceOnFiles } from '../support/service-under-test.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('it asks for a server that is stopped');

const tested = new ServiceOnFiles();

const jwks = async () => {
  const answer = await fetch(`${tested.origin}/oauth/jwks`);
  const { keys } = (await answer.json()) as JSONWebKeySet;
  const [, maxAge] = /max-age=(\d+)/.exec(answer.headers.get('cache-control') ?? '') ?? [];
  return { kids: keys.map(({ kid }) => kid), maxAge: Number(maxAge) * 1_000 };
};
/** Runs a command while the service is stopped. */
const keys = async (...args: readonly string[]): Promise<void> => {
  await tested.stop();
  expect(await alcada(tested.folder, ['keys', ...args], { environment: LATER })).toMatchObject({ code: 0, stderr: '' });
  await tested.start();
};
const newToken = async (): Promise<string> => (await tokensFor(tested.origin)).access_token;
const kidOf = (token: string): string => decodeProtectedHeader(token).kid ?? '';

describe('the keys of access tokens', () => {
  it('sign nothing that a cached JWKS could not verify, and once stolen verify nothing', async () => {
    const first = kidOf(await newToken());
    await keys('rotate');
    const { kids, maxAge } = await jwks();
    expect(kids).toHaveLength(2);
    letPass(tested.service, maxAge); // whoever asked before the rotation asks again by now
    expect(kidOf(await newToken())).toBe(first);
    letPass(tested.service, 70_000);
    const token = await newToken();
    expect(kidOf(token)).toBe(kids[0]);
    expect(await apiAt(tested.origin, token).get('/bookings')).toMatchObject({ status: 200 });

    await keys('revoke', kidOf(token));
    const refused = { status: 401, body: { error: 'invalid_token' } };
    expect(await apiAt(tested.origin, token).get('/bookings')).toMatchObject(refused);
    expect((await jwks()).kids).not.toContain(kidOf(token));
    expect(await apiAt(tested.origin, await newToken()).get('/bookings')).toMatchObject({ status: 200 });
  });
});
