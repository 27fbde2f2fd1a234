import { type Asking, valueOf } from './members.js';
import { type Composed, encoded, JSON_TYPE } from './requests.js';
import type { Operation, Tool } from './surface.js';
import { isObject, jsonOf, Raw } from './values.js';
import { KINDS } from './world.js';

/** A request that can be had in any length, to see what a byte more costs. */
export interface Big {
  /** The longest that is read at all, in bytes: a head has room for 16 KiB, a body for 64. */
  readonly most: number;
  readonly of: (bytes: number) => Composed;
}

const [HEAD, BODY] = [14 * 1024, 63 * 1024];

/** Pieces of which long texts are made: each means something to some parser, pattern or encoder. */
const PIECES = [
  ...['a', ' ', '\t', '0', '9', '.', ',', ';', '=', '-', '/', '%', '%20', '%25', '&a=1', '&', '"', '\\', "'", '<', '>'],
  ...[
    'é',
    'e\u0301',
    '😀',
    '\u0130',
    'ﬃ',
    'AL1201 ',
    '4242 ',
    '../',
    'x@',
    '&amp;',
    'a, ',
    'a; ',
    'a=1; ',
    '1.1.1.1, ',
  ],
  ...[
    'a/b;q=0.1, ',
    'W/"x", ',
    'handling=strict, ',
    'foo="',
    '"a, ',
    ';q="',
    '[',
    '{"a":',
    '00-',
    'e30.',
    'eyJ9.',
    'a.b.',
  ],
  ...['\u2028', 'São Paulo ', '9e9', '1-', '--', '__', 'k=', 'bytes=0-1,'],
] as const;

const HEADERS = [
  ...['cookie', 'accept', 'accept-encoding', 'accept-language', 'if-none-match', 'if-match', 'authorization', 'prefer'],
  ...[
    'x-forwarded-for',
    'forwarded',
    'traceparent',
    'tracestate',
    'origin',
    'idempotency-key',
    'content-type',
    'range',
  ],
  ...[
    'x-request-id',
    'user-agent',
    'referer',
    'mcp-protocol-version',
    'x-forwarded-host',
    'expect',
    'connection',
    'dpop',
  ],
] as const;

const filled = (piece: string, bytes: number): string =>
  piece.repeat(Math.max(0, Math.floor(bytes / Buffer.byteLength(piece))));
const numbered = (bytes: number, of: (at: number) => string): string =>
  Array.from({ length: Math.max(0, Math.floor(bytes / of(9_999).length)) }, (_, at) => of(at)).join('');

/** JSON of about so many bytes in the place of a member. */
const longValue = ({ random }: Asking): ((bytes: number) => Raw) => {
  const piece = random.pick(PIECES);
  const escaped = JSON.stringify(piece).slice(1, -1);
  return random.pick<(bytes: number) => Raw>([
    (bytes) => new Raw(`"${filled(escaped, bytes)}"`),
    (bytes) => new Raw(`" ${filled(escaped, bytes)}x"`),
    (bytes) => new Raw(`"${filled('\\u0301', bytes)}"`),
    (bytes) => new Raw(`[${filled(`"${escaped}",`, bytes)}0]`),
    (bytes) => new Raw(`[${filled('{},', bytes)}{}]`),
    (bytes) => new Raw(`[${filled('{"a":[]},', bytes)}{}]`),
    (bytes) => new Raw(`[${numbered(bytes, (at) => `${at},`)}0]`),
    (bytes) => new Raw(`{${numbered(bytes, (at) => `"k${at}":0,`)}"z":0}`),
    (bytes) => new Raw(`{${numbered(bytes, (at) => `"${escaped}${at}":{},`)}"z":0}`),
    (bytes) => new Raw(`{${filled('"__proto__":{},', bytes)}"z":0}`),
    (bytes) => new Raw(filled('9', bytes)),
  ]);
};

/** A value with one member of it, at any depth, long. */
const longIn = (asking: Asking, value: unknown, long: unknown): unknown => {
  const { random } = asking;
  if (!isObject(value) || Object.keys(value).length === 0) return long;
  const name = random.pick([...Object.keys(value), 'unknown']);
  const member = value[name];
  return { ...value, [name]: isObject(member) && random.chance(0.6) ? longIn(asking, member, long) : long };
};

/** A request for an operation with something long in it: in a member, a parameter, a header, a field or its path. */
export const bigRequest = (asking: Asking, operation: Operation, tool: Tool): Big => {
  const { random, actor } = asking;
  const { method } = operation;
  const kind = KINDS.find((one) => operation.path.includes(`/${one}/`) || operation.path.includes(`{${one}}`));
  const path = operation.path.replaceAll(/\{\w+\}/g, kind ? (actor.pinned[kind][0] ?? 'x') : 'AL1201');
  const base = {
    host: '127.0.0.1',
    'x-forwarded-for': '10.0.0.2',
    authorization: `Bearer ${actor.token}`,
    accept: 'application/json, text/event-stream',
  };
  // HEAD keeps no stream open.
  const sentAs = method === 'GET' && path.endsWith('/stream') ? 'HEAD' : method;
  const request = (headers: Readonly<Record<string, string>>, target: string, body: Buffer | null): Composed => {
    const length = body && { 'content-length': String(body.length) };
    const all = Object.entries({ ...base, ...headers, ...length });
    return { operation, actor, tool: null, isMangled: true, sent: { method: sentAs, target, headers: all, body } };
  };
  const piece = random.pick(PIECES);
  const name = random.pick([
    ...operation.parameters.filter((one) => one.in === 'query').map((one) => one.name),
    'q',
    'resource',
  ]);
  const text = encoded(piece);
  const query = random.pick<(bytes: number) => string>([
    (bytes) => `${name}=${filled(text, bytes)}`,
    (bytes) => filled(`${name}=${text}&`, bytes),
    (bytes) => numbered(bytes, (at) => `k${at}=${text}&`),
    (bytes) => filled(piece.replaceAll(/[^!-~]/g, '+'), bytes),
  ]);
  const inQuery: Big = { most: HEAD, of: (bytes) => request({}, `${path}?${query(bytes)}`, null) };
  const header = random.pick(HEADERS);
  const shown = Buffer.from(piece)
    .toString('latin1')
    .replaceAll(/[^\t -~\x80-\xff]/g, '+');
  const prefix = header === 'authorization' ? random.pick(['Bearer ', 'Basic ', '']) : '';
  const inHeader: Big = {
    most: HEAD,
    of: (bytes) => request({ [header]: `${prefix}${filled(shown, bytes)}` }, path, null),
  };
  if (method === 'GET' || random.chance(0.15)) return random.chance(0.5) ? inQuery : inHeader;
  const isForm = !path.startsWith('/api/') && path !== '/mcp';
  if (isForm)
    return {
      most: BODY,
      of: (bytes) => request({ 'content-type': 'application/x-www-form-urlencoded' }, path, Buffer.from(query(bytes))),
    };
  const long = longValue(asking);
  const args = valueOf('', tool.inputSchema, asking);
  const seed = random.below(2 ** 31);
  const valid =
    path === '/mcp'
      ? { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool.name, arguments: args } }
      : operation.body && !path.endsWith('/call')
        ? valueOf('', operation.body, asking)
        : { tool: tool.name, arguments: args };
  const of = (bytes: number): Composed => {
    const again: Asking = { ...asking, random: random.at(seed) };
    const body = Buffer.from(jsonOf(longIn(again, valid, long(bytes - 400))));
    return request({ 'content-type': JSON_TYPE }, path, body);
  };
  return { most: BODY, of };
};
