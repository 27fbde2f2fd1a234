import { tokensFor } from '../support/agent.js';
import { bearer } from '../support/doors.js';
import { MeasuredService } from '../support/forked.js';
import { swept } from '../support/sweep.js';

/** The most CPU time (ms) that one request may cost: three times what we promise, so that a busy machine fails nothing. */
const MOST = 60;
/** How much more a request may cost that is twice as long. What costs less than the floor (ms) says nothing of growth. */
const [GROWTH, FLOOR] = [2.5, 10];
/** Bytes. A head has room for 16 KiB, a body for 64. */
const [HEAD, BODY] = [14 * 1024, 64 * 1024 - 64];

/** Every attack at every operation, or in turn one of so many at each. */
const EVERY = swept({ short: 11, middle: 1, full: 1 });

const service = new MeasuredService();
let token: string;
beforeAll(async () => {
  ({ access_token: token } = await tokensFor(service.origin));
});

/** What is sent beside method and path; `of`: as long as that many bytes. */
interface Attack {
  readonly name: string;
  /** The longest that is read at all. */
  readonly most: number;
  readonly of: (bytes: number) => Sent;
}
interface Sent {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
type Text = (bytes: number) => string;

const filled = (part: string, bytes: number): string => part.repeat(Math.max(0, Math.floor(bytes / part.length)));
const numbered = (bytes: number, of: (at: number) => string): string =>
  Array.from({ length: Math.floor(bytes / of(9_999).length) }, (_, at) => of(at)).join('');
const attacks = (most: number, texts: Readonly<Record<string, Text>>, sent: (text: string) => Sent): Attack[] =>
  Object.entries(texts).map(([name, textOf]) => ({ name, most, of: (bytes) => sent(textOf(bytes)) }));

const PARAMETERS: Readonly<Record<string, Text>> = {
  'one parameter repeated': (bytes) => filled('a=1&', bytes),
  'resource repeated': (bytes) => filled('resource=x&', bytes),
  'many parameters': (bytes) => numbered(bytes, (at) => `k${at}=&`),
  'a long text with accents': (bytes) => `q=${filled('e%CC%81', bytes)}`,
  'nothing but separators': (bytes) => filled('&', bytes),
};

const JSONS: Readonly<Record<string, Text>> = {
  'a string that never ends': (bytes) => `"${filled('\\"', bytes)}`,
  'a string that ends in a backslash': (bytes) => `{"a":"${filled('\\"', bytes - 9)}\\`,
  brackets: (bytes) => filled('[', bytes),
  'many lists': (bytes) => `[${filled('[[[[[[[[]]]]]]]],', bytes - 9)}0]`,
  'many members': (bytes) => `{${numbered(bytes - 20, (at) => `"k${at}":0,`)}"z":0}`,
  'a member repeated': (bytes) => `{${filled('"payment":{},', bytes - 20)}"limit":{}}`,
  'prototype keys': (bytes) => `{"payment":[${filled('{"__proto__":0},', bytes - 30)}0]}`,
  'a huge number': (bytes) => `{"passengers":${filled('9', bytes - 20)}}`,
  'a long name': (bytes) => `{"${filled('passangers9', bytes - 20)}":1}`,
};
/** Members that operations know, and what may stand in their place. */
const MEMBERS = ['payment', 'limit', 'scope', 'passengers', 'bookingId', 'flightNumber', 'q', 'budget'];
const VALUES: Readonly<Record<string, Text>> = {
  'lists of empty objects': (bytes) => `[${filled('{},', bytes - 9)}{}]`,
  'lists of numbers': (bytes) => `[${filled('0,', bytes - 9)}0]`,
  'texts with accents': (bytes) => `"${filled('e\\u0301', bytes - 9)}"`,
  blanks: (bytes) => `" ${filled(' ', bytes - 9)}x"`,
  'objects of many members': (bytes) => `{${numbered(bytes - 20, (at) => `"k${at}":0,`)}"z":0}`,
};
const membersOf = (valueOf: Text, bytes: number): string =>
  `{${MEMBERS.map((name) => `"${name}":${valueOf(bytes / MEMBERS.length - 20)}`).join(',')}}`;
const KNOWN: Readonly<Record<string, Text>> = Object.fromEntries(
  Object.entries(VALUES).map(([name, valueOf]) => [name, (bytes: number) => membersOf(valueOf, bytes)]),
);
/** The same through the doors of the tools. */
const CALLED = (wrap: (tool: string, args: string) => string): Readonly<Record<string, Text>> =>
  Object.fromEntries(
    ['search_flights', 'place_order'].flatMap((tool) =>
      Object.entries({ ...KNOWN, 'many members': JSONS['many members'] ?? String }).map(([name, textOf]) => [
        `${name} for ${tool}`,
        (bytes: number) => wrap(tool, textOf(bytes - 200)),
      ]),
    ),
  );

const QUERIES = attacks(HEAD, PARAMETERS, (query) => ({ query }));
const HEADERS = Object.entries({
  cookie: 'a=1; ',
  accept: 'a/b;q=0.1, ',
  'if-none-match': 'W/"x", ',
  authorization: 'Bearer a.',
  'x-forwarded-for': '1.1.1.1, ',
  prefer: 'handling=strict, ',
  traceparent: '00-',
}).map(([name, part]): Attack => {
  const of = (bytes: number): Sent => ({ headers: { [name]: filled(part, bytes).trim() } });
  return { name: `a long ${name}`, most: HEAD, of };
});
const OLD = 'created=1;expires=2;keyid="a";alg="ed25519";tag="web-bot-auth"';
/** Signed heads, of which as much is read; out of date, so that nobody's keys are asked for. */
const SIGNED = Object.entries({
  'many signatures': (bytes: number) => [
    numbered(bytes, (at) => `s${at}=("@authority");${OLD}, `).replace(/, $/, ''),
    numbered(bytes, (at) => `s${at}=:AAAA:, `).replace(/, $/, ''),
  ],
  'a signature of many components': (bytes: number) => [
    `s=("@authority"${filled(' "@path"', bytes - 120)});${OLD}`,
    's=:AAAA:',
  ],
}).map(([name, of]): Attack => {
  const headers = (bytes: number): Readonly<Record<string, string>> => {
    const [input = '', signature = ''] = of(bytes);
    return { 'signature-agent': '"https://agent.example"', 'signature-input': input, signature };
  };
  return { name, most: 4_000, of: (bytes) => ({ headers: headers(bytes) }) };
});
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const FORMS = attacks(BODY, PARAMETERS, (body) => ({ headers: FORM, body }));
const json = (body: string): Sent => ({
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body,
});
const BODIES = attacks(BODY, { ...JSONS, ...KNOWN }, json);
const DOORS: Readonly<Record<string, readonly Attack[]>> = {
  '/api/v1/webmcp/call': attacks(
    BODY,
    CALLED((tool, args) => `{"tool":"${tool}","arguments":${args}}`),
    json,
  ),
  '/mcp': attacks(
    BODY,
    CALLED((tool, args) => {
      const call = `"method":"tools/call","params":{"name":"${tool}","arguments":${args}}`;
      return `{"jsonrpc":"2.0","id":1,${call}}`;
    }),
    json,
  ),
};

/** What is no part of the API's description. */
const PAGES = ['/', '/voos', '/observability', '/docs', '/conta', '/oauth/authorize', '/oauth/login', '/nowhere'];
const POSTS = [
  ...['authorize', 'consent', 'login', 'logout', 'token', 'revoke', 'introspect', 'par', 'register'].map(
    (name) => `/oauth/${name}`,
  ),
  ...['/conta/agentes/x/limite', '/conta/mandatos/x/revogar', '/desafios/x', '/oauth/playground/token', '/mcp'],
];

/** Every operation: those that the service describes, and the others. */
const operations = async (): Promise<readonly { readonly method: string; readonly path: string }[]> => {
  const description = (await (await fetch(`${service.origin}/api/v1/openapi.json`)).json()) as {
    readonly paths: object;
  };
  const described = Object.entries(description.paths).flatMap(([path, item]: [string, object]) =>
    Object.keys(item).map((method) => ({
      // HEAD keeps no stream open, and costs what GET does.
      method: method === 'get' ? 'HEAD' : method.toUpperCase(),
      path: `/api/v1${path.replace('{flightNumber}', 'AL1201').replaceAll(/\{\w+\}/g, 'x')}`,
    })),
  );
  return [
    ...described,
    ...PAGES.map((path) => ({ method: 'GET', path })),
    ...POSTS.map((path) => ({ method: 'POST', path })),
  ];
};

describe('a request of up to 64 KiB', () => {
  it('costs little, and no more than its length, at every operation', async () => {
    const all = await operations();
    expect(all.length).toBeGreaterThan(30);
    const dear: string[] = [];
    let turn = 0;
    for (const { method, path } of all) {
      const isRead = ['GET', 'HEAD'].includes(method);
      const isApi = path.startsWith('/api/');
      const bodies = [...BODIES, ...SIGNED, ...(isApi ? [] : FORMS), ...(DOORS[path] ?? [])];
      // A few are enough to see what is wrong, and each takes long.
      if (dear.length > 2) break;
      const chosen = (isRead ? [...QUERIES, ...HEADERS, ...SIGNED] : bodies).filter(() => (turn += 1) % EVERY === 0);
      for (const attack of chosen) {
        // What is read before a token is asked for is read of a request with one as well.
        const authorization = isApi || path === '/mcp' ? bearer(token) : {};
        const cost = async (bytes: number): Promise<number> => {
          const { query = '', headers, body } = attack.of(bytes);
          const sent = { method, headers: { ...authorization, ...headers }, ...(body !== undefined && { body }) };
          const before = await service.spent();
          await (await fetch(`${service.origin}${path}?${query}`, { ...sent, redirect: 'manual' })).arrayBuffer();
          return (await service.spent()) - before;
        };
        // What seems dear is asked for again: the least is what the request costs, and not what else went on.
        let [half, whole] = [await cost(attack.most / 2), await cost(attack.most)];
        const isDear = () => whole > MOST || whole > GROWTH * Math.max(half, FLOOR);
        for (let again = 0; again < 12 && isDear(); again += 1) {
          half = Math.min(half, await cost(attack.most / 2));
          whole = Math.min(whole, await cost(attack.most));
        }
        if (isDear()) dear.push(`${method} ${path}, ${attack.name}: ${half.toFixed(1)} and ${whole.toFixed(1)} ms`);
      }
    }
    expect(dear).toEqual([]);
  }, 600_000);
});
