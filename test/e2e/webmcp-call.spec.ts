import type { Answer } from '#agent';
import { agentAt, apiAt, tokensFor } from '../support/agent.js';
import type { Booking, Refused } from '../support/answers.js';
import { bearer } from '../support/doors.js';
import { anError } from '../support/matchers.js';
import { bodyOf, TRIP, wholeList } from '../support/purchase.js';
import { refusalOf, refused } from '../support/refusal.js';
import { letPass, startServiceInMemory } from '../support/service.js';
import { SmallSetting } from '../support/setting.js';

interface Result {
  readonly structuredContent: Booking;
}

const setting = new SmallSetting();

const CALL = '/webmcp/call';
const book = { tool: 'create_booking', arguments: TRIP };
const wrong = { tool: 'create_booking', arguments: { passengers: 0 } };

describe('POST /webmcp/call', () => {
  it.each([
    ['what is no JSON', '{', 'malformed_json'],
    ['no body', undefined, 'invalid_arguments'],
    ['a list', [book], 'invalid_arguments'],
    ['null', 'null', 'invalid_arguments'],
    ['no tool', { arguments: {} }, 'unknown_tool'],
    ['a tool that is no text', { tool: ['create_booking'], arguments: {} }, 'unknown_tool'],
    ['a tool nobody knows', { tool: 'delete_booking', arguments: {} }, 'unknown_tool'],
    ['__proto__', { tool: '__proto__', arguments: {} }, 'unknown_tool'],
    ['constructor', { tool: 'constructor', arguments: {} }, 'unknown_tool'],
    ['toString', { tool: 'toString', arguments: {} }, 'unknown_tool'],
    ['a name in capitals', { tool: 'CREATE_BOOKING', arguments: {} }, 'unknown_tool'],
    ['no arguments', { tool: 'create_booking' }, 'invalid_arguments'],
    ['arguments that are a list', { tool: 'create_booking', arguments: [] }, 'invalid_arguments'],
    ['arguments that are null', { tool: 'create_booking', arguments: null }, 'invalid_arguments'],
  ])('with %s is 400, before a token is looked at', async (_, body, error) => {
    for (const api of [setting.anyone, apiAt(setting.origin, 'x')]) {
      expect(await refusalOf(setting.service, () => api.post(CALL, body))).toEqual(refused(400, error));
    }
  });

  it('judges token and scopes before the arguments, with the challenge of the API', async () => {
    const receipts = await agentAt(setting.origin, { scopes: ['receipt:read'] });
    const ask = async (api: typeof receipts) => {
      const { status, headers, body } = await api.post<Refused>(CALL, wrong);
      return [status, body.error, headers.get('www-authenticate')];
    };
    const metadata = `resource_metadata="${setting.origin}/.well-known/oauth-protected-resource/api/v1"`;
    expect(await ask(setting.anyone)).toEqual([
      401,
      'token_missing',
      `Bearer ${metadata}, DPoP algs="ES256 EdDSA Ed25519"`,
    ]);
    expect(await ask(apiAt(setting.origin, 'x'))).toEqual([
      401,
      'invalid_token',
      `Bearer error="invalid_token", ${metadata}`,
    ]);
    expect(await ask(receipts)).toEqual([
      403,
      'insufficient_scope',
      `Bearer error="insufficient_scope", scope="booking:write", ${metadata}`,
    ]);
    expect(await ask(setting.ana)).toEqual([400, 'invalid_arguments', null]);
  });

  it('ignores a token where the tool is public: a broken one, an expired one', async () => {
    const service = await startServiceInMemory();
    const { access_token: token } = await tokensFor(service.origin);
    letPass(service, 3_601_000);
    const find = { tool: 'search_flights', arguments: {} };
    for (const one of [token, 'x']) expect((await apiAt(service.origin, one).post(CALL, find)).status).toBe(200);
    expect((await apiAt(service.origin, token).post(CALL, book)).status).toBe(401);
    await service.stop();
  });

  it('drops prototype keys of the arguments, and calls without them', async () => {
    const body =
      '{"tool":"create_booking","arguments":{"__proto__":{"passengers":9},"constructor":{"passengers":9},"flightNumber":"AL1201"}}';
    const { structuredContent } = bodyOf(await setting.ana.post<Result>(CALL, body), 200);
    expect(structuredContent).toMatchObject({ flightNumber: 'AL1201', passengers: 1 });
  });

  it('creates once under one Idempotency-Key, which is good for one call and no other', async () => {
    const count = async () => (await wholeList(setting.ana, '/bookings')).length;
    const before = await count();
    const send = (body: object, key = 'chave-1'): Promise<Answer<Result>> =>
      setting.ana.call('POST', CALL, body, { 'idempotency-key': key });
    const [first, again] = [await send(book), await send(book)];
    expect(again.body).toEqual(first.body);
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect((await send({ ...book, arguments: {} })).body).toMatchObject({
      isError: true,
      structuredContent: { error: 'idempotency_conflict', status: 422 },
    });
    expect(await send(book, 'chave com espaço')).toMatchObject(anError(400, 'invalid_idempotency_key'));
    expect(await count()).toBe(before + 1);
  });

  it('is limited as public reads are, of which it counts as three, whatever the tool', async () => {
    const service = await startServiceInMemory({ LIMIT_PUBLIC_READS: '9', TRUST_PROXY: '127.0.0.1' });
    const ask = async () => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.1', ...bearer('x') };
      const sent = { method: 'POST', headers, body: JSON.stringify(book) };
      return (await fetch(`${service.origin}/api/v1${CALL}`, sent)).status;
    };
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([401, 401, 401, 429]);
    await service.stop();
  });
});
