import { apiAt, tokensFor } from '../support/agent.js';
import { refusalOf, refused } from '../support/refusal.js';
import { Setting } from '../support/setting.js';

const setting = new Setting();
let token: string;
beforeAll(async () => {
  token = (await tokensFor(setting.origin)).access_token;
});

/** Every operation that needs a token, with the scopes it needs. */
const OPERATIONS: readonly (readonly [method: string, path: string, scopes: readonly string[]])[] = [
  ['POST', '/bookings', ['booking:write']],
  ['GET', '/bookings', ['booking:write']],
  ['GET', '/bookings/1', ['booking:write']],
  ['PATCH', '/bookings/1', ['booking:write']],
  ['POST', '/mandates', ['mandate:create']],
  ['GET', '/mandates', ['mandate:create']],
  ['GET', '/mandates/1', ['mandate:create']],
  ['GET', '/mandates/1/events', ['mandate:create']],
  ['DELETE', '/mandates/1', ['mandate:create']],
  ['POST', '/orders', ['order:write', 'payment:execute']],
  ['GET', '/orders', ['receipt:read']],
  ['GET', '/orders/1', ['receipt:read']],
  ['GET', '/orders/1/receipt', ['receipt:read']],
];

const PUBLIC = ['/health', '/flights', '/flights/AL1201', '/flights/AL1201/fares?budget=1'];

const metadata = () => `resource_metadata="${setting.origin}/.well-known/oauth-protected-resource/api/v1"`;

/** What an operation answers to an `Authorization` header: its refusal, traces included, and its challenge. */
const judged = async (authorization: string | null, method = 'GET', path = '/bookings') => {
  let challenge: string | null = null;
  const refusal = await refusalOf(setting.service, async () => {
    const more: Record<string, string> = authorization === null ? {} : { authorization };
    const answer = await apiAt(setting.origin).call<never>(method, path, undefined, more);
    challenge = answer.headers.get('www-authenticate');
    return answer;
  });
  return { ...refusal, challenge };
};

describe('without a token', () => {
  it.each(OPERATIONS)('%s %s tells where to get one', async (method, path) =>
    expect(await judged(null, method, path)).toEqual({
      ...refused(401, 'token_missing'),
      challenge: `Bearer ${metadata()}, DPoP algs="ES256 EdDSA Ed25519"`,
    }),
  );
});

describe('a token with too little', () => {
  it.each(OPERATIONS)('does not do for %s %s, which names all it needs', async (method, path, scopes) => {
    const lacking = scopes[0] === 'receipt:read' ? 'booking:write' : 'receipt:read';
    expect(await judged(`Bearer ${await tokenOf(lacking)}`, method, path)).toEqual(insufficient(scopes));
  });
});

const tokens = new Map<string, Promise<string>>();
const tokenOf = (scope: string): Promise<string> => {
  const known = tokens.get(scope) ?? tokensFor(setting.origin, { scopes: [scope] }).then((made) => made.access_token);
  tokens.set(scope, known);
  return known;
};
const insufficient = (scopes: readonly string[]) => ({
  ...refused(403, 'insufficient_scope'),
  challenge: `Bearer error="insufficient_scope", scope="${scopes.join(' ')}", ${metadata()}`,
});

describe('a public operation', () => {
  it.each(PUBLIC)('(%s) ignores what is sent as a token', async (path) => {
    for (const authorization of ['Bearer garbage', 'Basic YTpi', `Bearer ${token}`]) {
      const answer = await apiAt(setting.origin).call('GET', path, undefined, { authorization });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([200, null]);
    }
  });
});

describe('a bad token', () => {
  it('is told to be one, and leaves no trace', async () =>
    expect(await judged(`Bearer ${token}x`)).toEqual({
      ...refused(401, 'invalid_token'),
      challenge: `Bearer error="invalid_token", ${metadata()}`,
    }));
});
