import type { RunningApi } from '../../apps/api/src/start.js';
import { authorizationUrl, Browser, discover, pkce } from '#agent';
import { ANA, PILOT } from '../support/agent.js';
import type { Refused } from '../support/answers.js';
import { type Environment, ownFolder, startService, startServiceInMemory } from '../support/service.js';

const SMALL: Environment = { LIMIT_PUBLIC_READS: '10', LIMIT_TOKEN_REQUESTS: '4', LIMIT_CLIENT_FAILURES: '2' };

const folder = ownFolder(() => behindProxy.stop());
let behindProxy: RunningApi;
beforeAll(async () => {
  behindProxy = await startService(folder, { ...SMALL, TRUST_PROXY: '127.0.0.1' });
});

type Headers = Readonly<Record<string, string>>;

const inTurn = async (times: number, ask: () => Promise<Response>): Promise<readonly Response[]> => {
  const answers: Response[] = [];
  for (let asked = 0; asked < times; asked += 1) answers.push(await ask());
  return answers;
};
const statusesOf = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status);

const read = ({ origin }: RunningApi, headers: Headers, path = '/api/v1/flights/AL1201') =>
  fetch(origin + path, { headers });

const before = async ({ origin }: RunningApi, headers: Headers) => {
  const browser = new Browser(origin);
  const registration = { ...PILOT, redirectUri: 'http://127.0.0.1:8765/callback' };
  const asked = { scopes: ['booking:write'], state: 'x', challenge: pkce().challenge };
  const page = await browser.open(authorizationUrl(await discover(origin), registration, asked));
  return (username: string, password: string) => browser.submit(page, { username, password }, headers);
};

const from = (address: string): Headers => ({ 'x-forwarded-for': address });

describe('behind a trusted proxy', () => {
  it('public reads are limited by address, and by nothing the caller adds', async () => {
    const answers = await inTurn(11, () => read(behindProxy, from('198.51.100.1')));
    expect(statusesOf(answers)).toEqual([...Array<number>(10).fill(200), 429]);
    const refused = answers.at(-1);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await refused?.json()) as Refused).toEqual({
      error: 'rate_limited',
      message: 'Requisições demais; tente de novo em instantes.',
      details: { limit: 'public-reads', endsAt: expect.any(String) },
      doc_url: expect.stringMatching(/\/docs\/erros\/rate_limited$/),
      requestId: expect.any(String),
    });
    expect((await read(behindProxy, from('203.0.113.5, 198.51.100.1'))).status).toBe(429);
    expect((await read(behindProxy, { ...from('198.51.100.1'), authorization: 'Bearer x' })).status).toBe(429);
    expect((await read(behindProxy, from('198.51.100.1'), '/api/v1/health')).status).toBe(429);
    expect((await read(behindProxy, from('198.51.100.2'))).status).toBe(200);
  });

  it('nobody locks Ana out: whoever guesses waits, also after a restart, and she logs in from where she is', async () => {
    const guess = await before(behindProxy, from('198.51.100.7'));
    const guesses = await Promise.all(Array.from({ length: 15 }, () => guess(ANA.email, 'wrong')));
    // Five at least: on a busy machine the waits of 1, 2, 4 … seconds pass between guesses.
    const statuses = statusesOf(guesses);
    const compared = statuses.filter((status) => status === 403).length;
    expect({ statuses, others: new Set(statuses), compared: Math.max(compared, 5) }).toEqual({
      statuses,
      others: new Set([403, 429]),
      compared,
    });
    const [refused] = guesses.filter(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused?.html).toContain('Muitas tentativas de entrar.');
    await behindProxy.stop();
    behindProxy = await startService(folder, { ...SMALL, TRUST_PROXY: '127.0.0.1' });
    const again = await before(behindProxy, from('198.51.100.7'));
    let status = 403;
    for (let tried = 0; tried < 5 && status === 403; tried += 1) ({ status } = await again(ANA.email, 'wrong'));
    expect(status).toBe(429);
    expect(await (await before(behindProxy, from('198.51.100.8')))(ANA.email, ANA.password)).toMatchObject({
      status: 200,
      html: expect.stringContaining('name="decision"'),
    });
  });
});

describe('without a trusted proxy', () => {
  it('X-Forwarded-For changes nothing: a loopback address is not limited, whatever it calls itself', async () => {
    const service = await startServiceInMemory(SMALL);
    const reads = await inTurn(12, () => read(service, from('198.51.100.1')));
    expect(new Set(statusesOf(reads))).toEqual(new Set([200]));
    const guess = await before(service, from('198.51.100.1'));
    // Who guesses is slowed all the same: by the account alone.
    const guesses = await Promise.all(Array.from({ length: 15 }, () => guess(ANA.email, 'wrong')));
    expect(new Set(statusesOf(guesses))).toEqual(new Set([403, 429]));
    await service.stop();
  });
});
