import { spawnSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { SCRIPT } from './steps.page.js';

/** The value of an expression in the scope of the script, on a page without the playground. */
const valueOf = (expression: string): unknown => {
  const document = { getElementById: () => null, addEventListener: () => undefined };
  const page = { atob, URLSearchParams, document, location: { search: '' } };
  return JSON.parse(String(runInNewContext(`${SCRIPT.body}; JSON.stringify(${expression})`, page)));
};

const HOSTILE = { name: `d'Ávila "$HOME" \`id\` \\ $(id)` };

/** What a shell makes of a call of curl. */
const argumentsIn = (text: string): readonly string[] => {
  const script = `curl() { printf '%s\\036' "$@"; }\n${text}`;
  const { stdout } = spawnSync('sh', ['-euc', script], { encoding: 'utf8' });
  return stdout.split('\u001e').slice(0, -1);
};

describe('the script of the playground', () => {
  it('masks every secret that it knows, wherever it appears', () => {
    const secret = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.assinatura';
    const shown = valueOf(`(secrets.push('${secret}'), masked('Bearer ${secret} e token=${secret}'))`);
    expect(shown).toBe('Bearer eyJhbGci…tura (47 caracteres) e token=eyJhbGci…tura (47 caracteres)');
  });

  it('reads the claims of a token', () => {
    const claims = { scope: 'booking:write', jti: '???>>>' };
    const token = `a.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c`;
    expect(valueOf(`claimsOf('${token}')`)).toEqual(claims);
  });

  it.each([
    ['GET', '/flights', [['q', 'são paulo']], { path: '/flights?q=s%C3%A3o+paulo', body: null }],
    ['GET', '/orders/{id}/receipt', [['id', 'a/b']], { path: '/orders/a%2Fb/receipt', body: null }],
    [
      'POST',
      '/mandates',
      [
        ['limit.amount', 1],
        ['limit.currency', 'BRL'],
        ['durationMinutes', 60],
        ['travellers.0.givenName', 'Ana'],
        ['travellers.0.familyName', 'Sá'],
      ],
      {
        path: '/mandates',
        body: {
          limit: { amount: 1, currency: 'BRL' },
          durationMinutes: 60,
          travellers: [{ givenName: 'Ana', familyName: 'Sá' }],
        },
      },
    ],
  ])('makes a call from a form: %s %s', (method, path, entries, call) => {
    expect(valueOf(`callOf('${method}', '${path}', ${JSON.stringify(entries)})`)).toEqual(call);
  });

  it('finds a place in an answer, or undefined', () => {
    expect(valueOf(`placeIn({ items: [{ id: 7 }] }, 'items.0.id')`)).toBe(7);
    expect(valueOf(`placeIn({ items: [] }, 'items.0.id') ?? 'nada'`)).toBe('nada');
  });

  it('says in words what an answer warns of', () => {
    const warnings = [
      { in: 'body', field: 'passangers', message: 'é desconhecido e foi ignorado; talvez seja passengers' },
    ];
    expect(valueOf(`warningsIn(${JSON.stringify({ id: 1, warnings })})`)).toEqual([
      'Aviso: passangers é desconhecido e foi ignorado; talvez seja passengers.',
    ]);
    expect(valueOf('warningsIn({ id: 1 })')).toEqual([]);
  });

  it.each([
    ['GET', 'http://voos.example/api/v1/flights?q=d%27Oeste', {}, null],
    ['POST', 'http://voos.example/x', { Authorization: 'Bearer segredo', 'Content-Type': 'application/json' }, HOSTILE],
  ])('makes a call that a shell takes for what it says, without the token: %s %s', (method, url, headers, body) => {
    const call = String(
      valueOf(`curlOfCall('${method}', '${url}', ${JSON.stringify(headers)}, ${JSON.stringify(body)})`),
    );
    expect(call).not.toContain('segredo');
    const [first, ...others] = argumentsIn(`TOKEN=t\n${call}`);
    if (body === null) expect([first, ...others]).toEqual([url]);
    else {
      const sent = ['-H', 'Authorization: Bearer t', '-H', 'Content-Type: application/json', '-d', expect.anything()];
      expect([first, ...others]).toEqual(['-X', method, url, ...sent]);
      expect(JSON.parse(others.at(-1) ?? '')).toEqual(body);
    }
  });

  it("makes one of the server's requests, with variables for what is secret", () => {
    const request = [
      'POST /oauth/token HTTP/1.1',
      'Host: voos.example',
      'Authorization: Basic base64(alcada-pilot:••••)',
      '',
      'grant_type=authorization_code\n&code=abc\n&redirect_uri=http%3A%2F%2Fvoos.example\n&code_verifier=••••',
    ].join('\n');
    const call = String(valueOf(`curlOfExchange('http://voos.example', ${JSON.stringify(request)})`));
    expect(call).not.toMatch(/abc|•/);
    expect(argumentsIn(`CLIENT_SECRET='s c' CODE=1 CODE_VERIFIER=2\n${call}`)).toEqual([
      ...['-X', 'POST', 'http://voos.example/oauth/token', '-u', 'alcada-pilot:s c'],
      ...['-d', 'grant_type=authorization_code', '-d', 'code=1'],
      ...['-d', 'redirect_uri=http%3A%2F%2Fvoos.example', '-d', 'code_verifier=2'],
    ]);
  });

  it('writes nothing but text, and stores nothing that would outlive the page', () => {
    expect(SCRIPT.body).not.toMatch(
      /innerHTML|outerHTML|insertAdjacent|document\.write|localStorage|sessionStorage|cookie/,
    );
  });
});
