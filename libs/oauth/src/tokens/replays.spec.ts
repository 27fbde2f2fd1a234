import { callApi, codeFields, newCode, newTokens, postToken, refreshFields } from '../testing/agent.js';
import { securityEvents } from '../testing/security-events.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

const SECOND = 1_000;
/** What nobody learns anything from. */
const REFUSED = { status: 400, body: { error: 'invalid_grant' } };

let server: TestServer;
let patient: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  patient = await startTestServer({ refreshReuseGrace: 5 * SECOND });
});
afterAll(async () => {
  await server.close();
  await patient.close();
});

const writtenBy = async (work: () => Promise<unknown>, where = server) => {
  const before = await securityEvents(where);
  await work();
  return (await securityEvents(where)).slice(before.length).map(({ type, data }) => ({ type, data }));
};

const idsOf = async (access: string) => {
  const { holder, clientId, grantId } = (await callApi(server, `Bearer ${access}`)).body;
  return { holder, clientId, grantId };
};

describe('a replayed code (RFC 9700 §2.1.1)', () => {
  it('is recorded once, with ids alone', async () => {
    const fields = codeFields(await newCode(server));
    const { body } = await postToken(server, fields);
    const ids = await idsOf(body['access_token'] ?? '');
    const replayedAt = server.clock.now();
    const written = await writtenBy(async () => {
      for (const _ of ['first', 'second']) expect(await postToken(server, fields)).toMatchObject(REFUSED);
    });
    expect(written).toEqual([{ type: 'CodeReplayed', data: { ...ids, replayedAt } }]);
  });

  it('without its verifier is neither recorded nor counted as one', async () => {
    const fields = codeFields(await newCode(server));
    await postToken(server, fields);
    const guessed = { ...fields, code_verifier: 'a'.repeat(43) };
    expect(await writtenBy(() => Promise.all([postToken(server, guessed), postToken(server, guessed)]))).toEqual([]);
  });

  it('of a race is recorded once, however many lose it', async () => {
    const fields = codeFields(await newCode(server));
    const written = await writtenBy(() => Promise.all(Array.from({ length: 5 }, () => postToken(server, fields))));
    expect(written.map(({ type }) => type)).toEqual(['CodeReplayed']);
  });
});

describe('a reused refresh token (RFC 9700 §4.14.2)', () => {
  it('is recorded once, with ids alone', async () => {
    const { access, refresh } = await newTokens(server);
    const ids = await idsOf(access);
    const reusedAt = server.clock.now();
    await postToken(server, refreshFields(refresh));
    const written = await writtenBy(async () => {
      for (const _ of ['first', 'second'])
        expect(await postToken(server, refreshFields(refresh))).toMatchObject(REFUSED);
    });
    expect(written).toEqual([{ type: 'RefreshReused', data: { ...ids, reusedAt } }]);
  });

  it('that somebody made up is not recorded', async () => {
    const { refresh } = await newTokens(server);
    const [grantId = ''] = refresh.split('.');
    expect(await writtenBy(() => postToken(server, refreshFields(`${grantId}.x.y`)))).toEqual([]);
  });
});

describe('the grace for networks that submit twice', () => {
  it('refuses the second use and keeps the family, even where both run at the same time', async () => {
    const { refresh } = await newTokens(patient);
    const written = await writtenBy(async () => {
      const answers = await Promise.all([1, 2, 3].map(() => postToken(patient, refreshFields(refresh))));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
      for (const { status, body } of answers) if (status === 400) expect(body['error']).toBe('invalid_grant');
      const won = answers.find(({ status }) => status === 200)?.body ?? {};
      patient.clock.advance(5 * SECOND - 1);
      expect((await postToken(patient, refreshFields(refresh))).body['error']).toBe('invalid_grant');
      expect(await callApi(patient, `Bearer ${won['access_token'] ?? ''}`)).toMatchObject({ status: 200 });
      expect(await postToken(patient, refreshFields(won['refresh_token']))).toMatchObject({ status: 200 });
    }, patient);
    expect(written).toEqual([]);
  });

  it('ends after its seconds', async () => {
    const { refresh } = await newTokens(patient);
    const { body } = await postToken(patient, refreshFields(refresh));
    patient.clock.advance(5 * SECOND);
    await postToken(patient, refreshFields(refresh));
    expect(await callApi(patient, `Bearer ${body['access_token'] ?? ''}`)).toMatchObject({ status: 401 });
  });

  it('covers the token that was rotated last: an older one is a reuse', async () => {
    const { refresh } = await newTokens(patient);
    const second = await postToken(patient, refreshFields(refresh));
    const third = await postToken(patient, refreshFields(second.body['refresh_token']));
    await postToken(patient, refreshFields(refresh));
    expect(await callApi(patient, `Bearer ${third.body['access_token'] ?? ''}`)).toMatchObject({ status: 401 });
  });
});
