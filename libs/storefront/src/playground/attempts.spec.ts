import { newSecret } from '#identity';
import { openTestDocuments } from '../../../identity/src/testing/index.js';
import { Attempts } from './attempts.js';

let stores: ReturnType<typeof openTestDocuments>;
let attempts: Attempts;
beforeAll(async () => {
  stores = openTestDocuments();
  attempts = new Attempts(stores.documents, stores.clock);
  await attempts.onModuleInit();
});

const GONE = { reason: 'authorization_request_gone' };
const CODE = 'codigo';

/** An attempt that a browser began, and that came back with the code if `hasCode`. */
const begun = async (hasCode = true) => {
  const browserId = newSecret();
  const { state, challenge } = await attempts.begin(browserId);
  const from = { browserId, state };
  if (hasCode) await attempts.arrive(from, CODE);
  return { from, challenge };
};

describe('an attempt of the playground', () => {
  it('gives its verifier for the code that it came back with', async () => {
    const { from, challenge } = await begun();
    const verifier = await attempts.take(from, CODE);
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    expect(Buffer.from(digest).toString('base64url')).toBe(challenge);
    expect(verifier).toMatch(/^[A-Za-z0-9._~-]{43,128}$/);
  });

  it('gives its verifier once, even to two who ask at the same time', async () => {
    const { from } = await begun();
    const taken = await Promise.allSettled([attempts.take(from, CODE), attempts.take(from, CODE)]);
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(attempts.take(from, CODE)).rejects.toMatchObject(GONE);
  });

  it('can come back once', async () => {
    const { from } = await begun();
    await expect(attempts.arrive(from, 'outro')).rejects.toMatchObject(GONE);
    await expect(attempts.fail(from)).rejects.toMatchObject(GONE);
    await expect(attempts.take(from, CODE)).resolves.toEqual(expect.any(String));
  });

  it('ends with an error', async () => {
    const { from } = await begun(false);
    await attempts.fail(from);
    await expect(attempts.arrive(from, CODE)).rejects.toMatchObject(GONE);
  });

  it.each([
    ['another browser', async () => ({ ...(await begun()).from, browserId: newSecret() }), CODE],
    ['no browser', async () => ({ ...(await begun()).from, browserId: null }), CODE],
    ['another state', async () => ({ ...(await begun()).from, state: newSecret() }), CODE],
    ['another code', async () => (await begun()).from, 'outro'],
    ['a state that has not come back', async () => (await begun(false)).from, CODE],
  ])('gives nothing to %s', async (_, from, code) => {
    await expect(attempts.take(await from(), code)).rejects.toMatchObject(GONE);
  });

  it('lasts half an hour', async () => {
    const { from } = await begun();
    stores.clock.advance(1_800_000);
    await expect(attempts.take(from, CODE)).rejects.toMatchObject(GONE);
  });
});
