import { type Asking, canaryOf } from './members.js';
import { authorized, bodied, type Composed, encoded, headed, JSON_TYPE } from './requests.js';
import { EDGE, type Foreseen, type Operation } from './surface.js';
import { jsonOf, TEXTS } from './values.js';
import { KINDS, someId } from './world.js';

type Fields = readonly (readonly [name: string, value: string])[];

/** Statuses that mean no more than what they say; what has a code of its own is named with it. */
const foreseen = (statuses: readonly number[]): ReadonlyMap<number, Foreseen> =>
  new Map(statuses.map((status) => [status, { codes: null, headers: [], forms: new Map<string, null>() }]));

const operation = (method: string, path: string, statuses: readonly number[]): Operation => ({
  name: `${method} ${path}`,
  method,
  path,
  parameters: [],
  body: null,
  scopes: [],
  answers: foreseen([...EDGE, ...statuses]),
});

const PROOF_CODES = ['invalid_dpop_proof', 'use_dpop_nonce'];
/** OAuth's endpoints, with the codes of RFC 6749 §5.2, RFC 7009, RFC 7662, RFC 9126 and RFC 9449 that each may answer. */
const OAUTH_CODES: Readonly<Record<string, readonly string[]>> = {
  token: [
    'invalid_request',
    'invalid_client',
    'invalid_grant',
    'invalid_scope',
    'invalid_target',
    'unsupported_grant_type',
    ...PROOF_CODES,
  ],
  revoke: ['invalid_request', 'invalid_client', 'invalid_grant'],
  introspect: ['invalid_request', 'invalid_client'],
  par: [
    'invalid_request',
    'invalid_client',
    'invalid_scope',
    'invalid_target',
    'invalid_authorization_details',
    'unsupported_response_type',
    ...PROOF_CODES,
  ],
  register: ['invalid_request', 'invalid_client_metadata', 'invalid_redirect_uri'],
};
const PUSHED = 'par';
const REGISTERS = '/oauth/register';
const CREATES = [PUSHED, 'register'];
const PARSERS = ['malformed_json', 'payload_too_large', 'unsupported_media_type'];
const OAUTH = Object.entries(OAUTH_CODES).map(([name, codes]): Operation => {
  const { answers, ...rest } = operation('POST', `/oauth/${name}`, [CREATES.includes(name) ? 201 : 200, 401, 403]);
  const coded = new Set([...codes, ...PARSERS, 'rate_limited']);
  return {
    ...rest,
    answers: new Map([...answers].map(([status, known]) => [status, { ...known, codes: status < 400 ? null : coded }])),
  };
});

const AUTHORIZE = operation('GET', '/oauth/authorize', [200, 302, 303]);

const GETS = [
  ...['/', '/?q=recife', '/voos', '/voos/sao-paulo-belo-horizonte-al1201', '/observability', '/verificar', '/docs'],
  ...[
    '/docs/agents',
    '/docs/en',
    '/docs/en/agents',
    '/docs/orders',
    '/docs/search?q=x',
    '/assets/reference.css',
    '/llms.txt',
    '/robots.txt',
    '/sitemap.xml',
    '/webmcp.js',
  ],
  ...['/docs/erros', '/docs/erros/rate_limited', '/docs/errors', '/docs/errors/none'],
  ...['/assets/site.css', '/assets/icon.svg', '/conectar/retorno', '/tlog/checkpoint', '/tlog/key', '/tlog/tile/0/000'],
  ...[
    '/tlog/tile/entries/000',
    '/tlog/tile/0/x',
    '/.well-known/webmcp.json',
    '/.well-known/oauth-authorization-server',
  ],
  ...['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp', '/oauth/jwks'],
  ...['/oauth/schemas/payment_mandate.json', '/oauth/playground', '/oauth/playground/pedido', '/oauth/logout'],
  ...['/oauth/consent/{id}', '/conta', '/conta/mandatos', '/conta/pedidos', '/conta/mandatos/{mandates}', '/mcp'],
  ...['/conta/mandatos/{mandates}/historico.jsonl', '/conta/mandatos/{mandates}/decidir', '/conta/pedidos/{orders}'],
  ...['/conta/mandatos/{mandates}/reduzir', '/conta/mandatos/{mandates}/revogar', '/conta/agentes/{id}'],
  ...['/conta/pedidos/{orders}/historico.jsonl', '/conta/agentes/{id}/revogar', '/desafios/{orders}', '/auditoria'],
  ...[
    '/conta/pedidos/{orders}/cancelar',
    '/conta/viagens',
    '/conta/agentes',
    '/conta/limites',
    '/conta/acontecimentos',
  ],
  ...['/auditoria/mandatos/{mandates}', '/auditoria/pedidos/{orders}', '/auditoria/busca?q={mandates}', '/metrics'],
  ...['/api/v1/openapi.json', '/api/v1/openapi.yaml', '/api/v1/nowhere', '/api/v1', '/nowhere', '/.git/config'],
].map((path) => operation('GET', path, [200, 204, 302, 303, 304, 401, 403, 410, 422]));
const POSTS = [
  ...['/oauth/consent', '/oauth/login', '/oauth/logout', '/oauth/playground/token', '/oauth/playground/refresh'],
  ...['/oauth/playground/revoke', '/conta/agentes/{id}/limite', '/conta/agentes/{id}/mandatos', '/auditoria/entrar'],
  ...['/conta/agentes/{id}/revogar', '/conta/mandatos/{mandates}/decidir', '/conta/mandatos/{mandates}/pausar'],
  ...['/conta/mandatos/{mandates}/retomar', '/conta/mandatos/{mandates}/reduzir', '/conta/mandatos/{mandates}/revogar'],
  ...['/desafios/{orders}', '/conta/pedidos/{orders}/cancelar', '/auditoria/sair'],
].map((path) => operation('POST', path, [200, 302, 303, 401, 403, 422]));

/** All that is asked of addresses that the OpenAPI document does not describe. */
export const ELSEWHERE: readonly Operation[] = [...OAUTH, AUTHORIZE, ...GETS, ...POSTS];

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const CALLBACK = 'http://127.0.0.1:8765/callback';
const odd = ({ random }: Asking): string => random.pick(TEXTS);

const oauthFields = (asking: Asking, path: string): Fields => {
  const { random, world, actor } = asking;
  const spare = random.pick(world.spare);
  const client = random.chance(0.8) ? spare.client : random.pick(world.actors).client;
  const ofClient: Fields = [
    ['client_id', client.clientId],
    ...(random.chance(0.95)
      ? ([['client_secret', random.chance(0.95) ? client.secret : odd(asking)]] as const)
      : ([
          ['client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'],
          ['client_assertion', random.chance(0.5) ? random.pick(world.badTokens).token : odd(asking)],
        ] as const)),
  ];
  const token = random.pick([
    spare.tokens.refresh_token,
    spare.tokens.access_token,
    random.pick(world.badTokens).token,
    odd(asking),
  ]);
  const isPushed = path === `/oauth/${PUSHED}`;
  if (path === '/oauth/authorize' && random.chance(0.1))
    return [
      ['client_id', actor.client.clientId],
      ['request_uri', `urn:ietf:params:oauth:request_uri:${random.chance(0.5) ? random.word() : odd(asking)}`],
    ];
  if (isPushed || path === '/oauth/authorize')
    return [
      ['response_type', 'code'],
      ...(isPushed ? ofClient : ([['client_id', actor.client.clientId]] as const)),
      ['redirect_uri', CALLBACK],
      ['scope', random.pick(['booking:write receipt:read', 'mandate:create', odd(asking)])],
      ['state', random.word()],
      ['code_challenge', CHALLENGE],
      ['code_challenge_method', 'S256'],
      ...(random.chance(0.3) ? ([['authorization_details', detailsFor(asking)]] as const) : []),
      ...(random.chance(0.2) ? ([['prompt', random.pick(['none', 'login', 'consent', 'x'])]] as const) : []),
      ...(random.chance(0.2) ? ([['max_age', random.pick(['0', '60', '-1', odd(asking)])]] as const) : []),
      ...(random.chance(0.1) ? ([['dpop_jkt', random.pick([CHALLENGE, odd(asking)])]] as const) : []),
      ...(random.chance(0.1) ? ([['resource', random.pick(['x', 'http://127.0.0.1/mcp'])]] as const) : []),
    ];
  if (path !== '/oauth/token') return [...ofClient, ['token', token]];
  if (random.chance(0.4)) return [...ofClient, ['grant_type', 'refresh_token'], ['refresh_token', token]];
  const verifier = random.chance(0.7) ? 'v'.repeat(43) : odd(asking);
  return [
    ...ofClient,
    ['grant_type', random.chance(0.9) ? 'authorization_code' : odd(asking)],
    ['code', random.word()],
    ['code_verifier', verifier],
    ['redirect_uri', CALLBACK],
  ];
};

const detailsFor = ({ random }: Asking): string => {
  const detail = {
    type: 'payment_mandate',
    limit: { amount: 70_000, currency: 'BRL' },
    durationMinutes: 120,
    constraints: { to: ['REC'], maxOrders: 1 },
    purpose: 'Congresso em Recife',
  };
  return jsonOf(bodied(random, [detail]));
};

const metadataFor = (asking: Asking): object => ({
  client_name: asking.random.chance(0.5) ? 'Agente' : odd(asking),
  redirect_uris: [CALLBACK, asking.random.chance(0.7) ? 'https://agente.example/volta' : odd(asking)],
  token_endpoint_auth_method: asking.random.pick(['none', 'client_secret_basic', odd(asking)]),
  grant_types: ['authorization_code', 'refresh_token'],
});

const formFields = (asking: Asking): Fields => {
  const { random, actor } = asking;
  return [
    ['username', random.chance(0.5) ? 'ninguém@example.com' : odd(asking)],
    ['password', odd(asking)],
    ['decision', random.pick(['approve', 'deny', odd(asking)])],
    ['cap', random.pick(['', '100,00', '1.000', odd(asking)])],
    ['mode', random.pick(['ask', 'agent'])],
    ['csrf', odd(asking)],
    ['to', odd(asking)],
    ['return', odd(asking)],
    ['name', canaryOf(actor)],
  ];
};

/** Parameters with one gone, empty, doubled, odd, misspelled or joined by others. */
const broken = (asking: Asking, fields: Fields): Fields => {
  const { random } = asking;
  if (random.chance(0.5)) return fields;
  const at = random.below(fields.length);
  const [name, value] = fields[at] ?? ['', ''];
  const others = fields.filter((_, place) => place !== at);
  return random.pick<() => Fields>([
    () => others,
    () => [...others, [name, '']],
    () => [...fields, [name, value]],
    () => [...others, [name, odd(asking)]],
    () => [...others, [name, odd(asking)]],
    () => [...others, [`${name}x`, value]],
    () => [...fields, ...Array.from({ length: 51 }, (_, place) => [`p${place}`, 'x'] as const)],
    () => [...others, [name, 'x'.repeat(2_049)]],
  ])();
};

const formOf = (fields: Fields): string =>
  fields.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');

/** A request to an address that the OpenAPI document does not describe. */
export const otherRequest = (asking: Asking, operation: Operation): Composed => {
  const { random, world, actor } = asking;
  const { method } = operation;
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (random.chance(0.1)) return encoded(odd(asking));
    const kind = KINDS.find((one) => one === name);
    return kind ? someId(random, world, actor, kind) : random.pick(['alcada-pilot', 'outro-agente', 'x']);
  });
  const isProtocol = operation.path.startsWith('/oauth/') && (OAUTH.includes(operation) || operation === AUTHORIZE);
  const fields = broken(asking, isProtocol ? oauthFields(asking, operation.path) : formFields(asking));
  const isRead = method === 'GET';
  const registers = operation.path === REGISTERS;
  const isJson = !isRead && random.chance(registers ? 0.95 : 0.15);
  const body = isRead
    ? null
    : Buffer.from(
        isJson ? jsonOf(bodied(random, registers ? metadataFor(asking) : Object.fromEntries(fields))) : formOf(fields),
      );
  const target = operation === AUTHORIZE ? `${filled}?${formOf(fields)}` : filled;
  const isPage = !isProtocol && random.chance(0.4);
  const { headers } = isPage ? { headers: [['cookie', actor.cookie] as const] } : authorized(asking, false);
  const accept = random.chance(0.5) ? [['accept', 'text/html'] as const] : [];
  const type = body && (isJson ? JSON_TYPE : 'application/x-www-form-urlencoded');
  return {
    operation,
    actor: isPage ? actor : null,
    tool: null,
    isMangled: false,
    sent: { method, target, headers: headed(asking, [...headers, ...accept], body, type), body },
  };
};
