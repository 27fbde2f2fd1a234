import { askedFor, type Asking, valueOf } from './members.js';
import type { Random } from './random.js';
import type { Operation, Tool } from './surface.js';
import { brokenIn, jsonOf, oddValue, TEXTS } from './values.js';
import type { Sent } from './wire.js';
import { type Actor, type Kind, KINDS, someId } from './world.js';

export interface Composed {
  readonly operation: Operation;
  readonly sent: Sent;
  /** Whose token it carries; null: none, or one that opens nothing or not all. */
  readonly actor: Actor | null;
  /** The tool that it calls, well or badly. */
  readonly tool: Tool | null;
  /** Whether its bytes were broken, so that it may be any request or none. */
  readonly isMangled: boolean;
}

type Header = readonly [name: string, value: string];

export const JSON_TYPE = 'application/json';

/** Percent-encodes even what is no text, such as half a surrogate pair. */
export const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

/** Where nobody else calls from but who is to meet the limits. */
export const FLOODING = '203.0.113.7';

/** An address that nobody else calls from, so that limits by address bind nobody but the one who is to meet them. */
const addressFor = (random: Random): string =>
  random.chance(0.03) ? FLOODING : `10.${random.below(256)}.${random.below(256)}.${random.below(256)}`;

/** The token of a request, and whose it is where it opens all that its actor may do. */
export const authorized = (
  { random, world, actor }: Asking,
  isNeeded: boolean,
): { readonly headers: readonly Header[]; readonly actor: Actor | null } => {
  const bearer = (token: string): Header => ['authorization', `Bearer ${token}`];
  if (random.chance(isNeeded ? 0.85 : 0.3)) return { headers: [bearer(actor.token)], actor };
  const { token, holder } = random.pick(world.badTokens);
  const odd = random.pick(TEXTS).replaceAll(/[^ -~\x80-\xff]/g, '');
  if (random.chance(0.4))
    return { headers: [bearer(token)], actor: world.actors.find((one) => one.holder === holder) ?? null };
  return {
    actor: null,
    headers: random.pick<() => readonly Header[]>([
      () => [],
      () => [['authorization', odd]],
      () => [['authorization', `Basic ${Buffer.from(odd).toString('base64')}`]],
      () => [bearer(odd)],
    ])(),
  };
};

/** Headers that a client may send beside, well formed or not. */
const besides = (random: Random): readonly Header[] => {
  if (!random.chance(0.3)) return [];
  const odd = () => random.pick(TEXTS).replaceAll(/[^ -~\x80-\xff]/g, '');
  const more: readonly (() => Header)[] = [
    () => ['prefer', random.pick(['handling=strict', 'handling=lenient', 'foo="', odd()])],
    () => ['idempotency-key', random.pick([`k${random.below(50)}`, random.word(), 'a b', 'x'.repeat(255), odd()])],
    () => ['if-none-match', random.pick(['*', '"x"', 'W/"x", "y"', odd()])],
    () => ['accept', random.pick(['text/html', '*/*', 'application/json;q=0', 'text/csv', odd()])],
    () => ['accept-encoding', random.pick(['gzip', 'br', 'identity;q=0', odd()])],
    () => ['origin', random.pick(['https://evil.example', 'null', odd()])],
    () => ['cookie', random.pick([`alcada=${odd()}`, '__Host-session=x', 'a=1; '.repeat(200), odd()])],
    () => ['traceparent', random.pick([`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, odd()])],
    () => ['dpop', random.pick(['a.b.c', 'e30.e30.', 'a.b.c, a.b.c', odd()])],
    () => ['x-request-id', random.pick(['mine', 'a b', 'x'.repeat(65), odd()])],
    () => ['x-forwarded-for', random.pick(['::1', '1.2.3.4, 5.6.7.8', '999.1.1.1', 'x', odd()])],
    () => ['x-forwarded-host', 'evil.example'],
    () => [
      'signature-agent',
      random.pick(['a="https://agente.example"', '"https://chatgpt.com"', 'a="data:,x"', odd()]),
    ],
    () => ['range', 'bytes=0-1'],
    () => ['expect', random.pick(['100-continue', 'x'])],
    () => ['content-encoding', random.pick(['gzip', 'x'])],
    () => [random.pick(['x-http-method-override', 'transfer', '__proto__', 'constructor']), odd()],
    () => ['if-modified-since', random.pick([new Date(0).toUTCString(), odd()])],
  ];
  const signed = random.chance(0.03) ? signedOddly(random, odd) : [];
  return [random.pick(more)(), ...(random.chance(0.3) ? [random.pick(more)()] : []), ...signed];
};

/** Headers of an HTTP message signature, none right, and none of a host whose keys would be fetched. */
const signedOddly = (random: Random, odd: () => string): readonly Header[] => {
  const covered = random.pick(['"@authority"', '"@method" "@path"', '"x";sf "@query-param";name="q"', '', odd()]);
  const time = () => random.pick(['1', '999999999999999', '-1', '1.5', '"x"']);
  const rest = random.pick([`;keyid="${'k'.repeat(43)}"`, ';nonce=:AA==:', ';alg="hmac-sha256"', odd()]);
  const tag = random.pick(['web-bot-auth', 'x']);
  const input = `a=(${covered});created=${time()};expires=${time()}${rest};tag="${tag}"`;
  return [
    ['signature-input', random.pick([input, `${input}, ${input.replace('a=', 'b=')}`, 'x'.repeat(4_097), odd()])],
    ['signature', random.pick(['a=:AAAA:', 'a=:AAAA:, b=:AAAA:', 'a=1', odd()])],
  ];
};

/** Host, address and length, then what else stands in a head. */
export const headed = (
  { random }: Asking,
  headers: readonly Header[],
  body: Buffer | null,
  type: string | null,
): readonly Header[] => {
  const more = besides(random);
  const isSaid = (name: string) => more.some(([one]) => one === name);
  return [
    ['host', '127.0.0.1'],
    ...(isSaid('x-forwarded-for') ? [] : [['x-forwarded-for', addressFor(random)] as const]),
    ...headers,
    ...(type === null ? [] : [['content-type', type] as const]),
    ...more,
    ...(body === null ? [] : [['content-length', String(body.length)] as const]),
  ];
};

const kindIn = (path: string): Kind | undefined => KINDS.find((kind) => path.includes(`/${kind}/`));

/** The path of an operation with something in the place of its parameters, and its query. */
const targetOf = (asking: Asking, { method, path, parameters }: Operation): string => {
  const { random, world, actor } = asking;
  const kind = kindIn(path);
  const filled = path.replaceAll(/\{\w+\}/g, () => {
    if (random.chance(0.08)) return encoded(random.pick(TEXTS));
    return encoded(
      kind ? someId(random, world, actor, kind, method !== 'GET') : String(valueOf('flightNumber', {}, asking)),
    );
  });
  const isTraffic = path.includes('agent-traffic');
  const asked = parameters.flatMap(({ in: place, name, required, schema }): [string, string][] => {
    if (place !== 'query' || (!required && random.chance(0.6))) return [];
    if (random.chance(0.12)) return [[name, random.pick(TEXTS)]];
    const value = askedFor(name, schema, asking, isTraffic);
    return random.chance(0.03)
      ? [
          [name, value],
          [name, value],
        ]
      : [[name, value]];
  });
  if (random.chance(0.06)) asked.push([random.pick(TEXTS), random.pick(TEXTS)]);
  if (required(random, asked)) asked.splice(random.below(asked.length), 1);
  const query = asked.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  return query === '' ? filled : `${filled}?${query}`;
};

/** Whether one of the parameters is left out after all. */
const required = (random: Random, asked: readonly unknown[]): boolean => asked.length > 0 && random.chance(0.05);

/** The value of a body: of its form, with one member broken, or something else altogether. */
export const bodied = (random: Random, valid: unknown): unknown => {
  if (random.chance(0.6)) return valid;
  if (random.chance(0.1)) return oddValue(random);
  const broken = brokenIn(random, valid);
  return random.chance(0.2) ? brokenIn(random, broken) : broken;
};

/** Who a token is of names themselves in what is sent under it: a thing is theirs whose token made it. */
const by = (asking: Asking, actor: Actor | null): Asking => (actor ? { ...asking, actor } : asking);

export const restRequest = (asking: Asking, operation: Operation): Composed => {
  const { random } = asking;
  const { actor, headers } = authorized(asking, operation.scopes.length > 0);
  const body =
    operation.body && !random.chance(0.03)
      ? Buffer.from(jsonOf(bodied(random, valueOf('', operation.body, by(asking, actor)))))
      : null;
  const key = operation.parameters.some(({ name }) => name === 'Idempotency-Key') && random.chance(0.15);
  const keyed: readonly Header[] = key ? [['idempotency-key', `k${random.below(40)}`]] : [];
  const method = operation.method === 'GET' && random.chance(0.05) ? 'HEAD' : operation.method;
  const head = headed(asking, [...headers, ...keyed], body, body && typeFor(random));
  return {
    operation,
    actor,
    tool: null,
    isMangled: false,
    sent: { method, target: targetOf(asking, operation), headers: head, body },
  };
};

const typeFor = (random: Random): string =>
  random.chance(0.97)
    ? JSON_TYPE
    : random.pick([
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/json; charset=utf-16',
        'x',
        ';',
        'application/json;;',
        'application/problem+json',
      ]);

/** Tools that end or change what they name. */
const ENDING: Readonly<Record<string, { readonly member: string; readonly kind: Kind }>> = {
  revoke_mandate: { member: 'mandateId', kind: 'mandates' },
  change_booking: { member: 'bookingId', kind: 'bookings' },
};

export const toolRequest = (asking: Asking, operation: Operation, tool: Tool): Composed => {
  const { random, world } = asking;
  const { actor, headers } = authorized(asking, tool.scopes.length > 0);
  const valid = valueOf('', tool.inputSchema, by(asking, actor)) as object;
  const ended = ENDING[tool.name];
  const args = bodied(
    random,
    ended ? { ...valid, [ended.member]: someId(random, world, asking.actor, ended.kind, true) } : valid,
  );
  const call =
    operation.path === '/mcp'
      ? { jsonrpc: '2.0', id: random.below(9), method: 'tools/call', params: { name: tool.name, arguments: args } }
      : { tool: tool.name, arguments: args };
  const whole = random.chance(0.1) ? brokenIn(random, call) : call;
  const body = Buffer.from(jsonOf(whole));
  const accept: readonly Header[] =
    operation.path === '/mcp' && !random.chance(0.05) ? [['accept', 'application/json, text/event-stream']] : [];
  const head = headed(asking, [...headers, ...accept], body, typeFor(random));
  return {
    operation,
    actor,
    tool: whole === call ? tool : null,
    isMangled: whole !== call,
    sent: { method: 'POST', target: operation.path, headers: head, body },
  };
};
