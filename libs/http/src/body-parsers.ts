import { hash } from 'node:crypto';
import type {
  FastifyInstance,
  FastifyRequest,
  onSendHookHandler,
  preParsingHookHandler,
  RequestPayload,
} from 'fastify';
import { DomainError } from '#kernel';
import { API } from './base-urls.js';
import { configOf } from './request.js';

/** Largest body accepted, in bytes (docs/decisions.md, Errors: 64 KiB). */
export const BODY_LIMIT = 64 * 1024;

/** In how many pieces a body may come: each is work whatever its length, so 64 KiB byte by byte cost more than the longest. */
const MOST_PIECES = 1_024;

/** Has Fastify refuse a body in too many pieces as it refuses one that is too long: 413, and the connection ends. */
const countPieces: preParsingHookHandler = ({ method }, _reply, payload: RequestPayload, done) => {
  if (method !== 'GET' && method !== 'HEAD') {
    let pieces = 0;
    payload.receivedEncodedLength = 0;
    payload.on('data', () => {
      pieces += 1;
      if (pieces > MOST_PIECES) payload.receivedEncodedLength = Infinity;
    });
  }
  done(null, payload);
};

/** Ends the connection after an answer to who still sends chunks: Node would read them to their end, wherever that is. */
const endUnread: onSendHookHandler = ({ raw }, reply, payload, done) => {
  if (raw.headers['transfer-encoding'] !== undefined && !raw.complete) void reply.header('connection', 'close');
  done(null, payload);
};

const isApi = (request: FastifyRequest): boolean => request.url.startsWith(`/${API}`);

/** JSON everywhere; forms (as `URLSearchParams`, so that a repeated field shows) outside the API; all else is 415. */
export const useBodyParsers = (fastify: FastifyInstance): void => {
  fastify.removeAllContentTypeParsers();
  fastify.addHook('preParsing', countPieces);
  fastify.addHook('onSend', endUnread);
  fastify.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    try {
      if (isAltered(request, body)) throw new DomainError('invalid_signature', ALTERED);
      if (configOf(request).keepsBody) request.bodyAsSent = body;
      done(null, parseJson(body));
    } catch (error) {
      done(error as Error);
    }
  });
  fastify.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (request, body, done) => {
      if (body === '') done(null, undefined);
      else if (isApi(request)) done(new DomainError('unsupported_media_type'));
      else if (isOversizedForm(body)) done(new DomainError('payload_too_large'));
      else if (isAltered(request, body)) done(new DomainError('invalid_signature', ALTERED));
      else done(null, new URLSearchParams(body));
    },
  );
  fastify.addContentTypeParser<string>('*', { parseAs: 'string' }, (_, body, done) => {
    if (body === '') done(null, undefined);
    else done(new DomainError('unsupported_media_type'));
  });
};

const ALTERED = { reason: 'digest_mismatch' } as const;

/** Whether a signature covers a body, and this is another one. */
const isAltered = ({ signature, headers }: FastifyRequest, body: string): boolean =>
  signature?.outcome === 'verified' && signature.coversRequest && !isDigestOf(headers['content-digest'], body);

/** Deepest nesting of a body. No body of ours has more than three levels; thousands would overflow who walks it. */
const MAX_DEPTH = 32;

/** The most members and elements of a body, at all levels: what libraries do with each costs far more than reading it. */
const MAX_MEMBERS = 1_000;

/** A JSON body without prototype keys; undefined where it is empty. @throws DomainError `payload_too_large`, `malformed_json` */
export const parseJson = (body: string): unknown => {
  if (body === '') return undefined;
  if (isOversized(body)) throw new DomainError('payload_too_large');
  try {
    return withoutPrototypeKeys(JSON.parse(body));
  } catch (error) {
    throw new DomainError('malformed_json', undefined, { cause: error });
  }
};

const [QUOTE, BACKSLASH, COMMA, AMPERSAND] = [0x22, 0x5c, 0x2c, 0x26];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Whether a JSON text nests too deep or has too many members: by commas, looking at each character once before it is parsed. */
const isOversized = (text: string): boolean => {
  let depth = 0;
  let members = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) inString = !inString;
    else if (inString) at += character === BACKSLASH ? 1 : 0;
    else if (character === COMMA) members += 1;
    else if (character === OPEN_LIST || character === OPEN_OBJECT) {
      depth += 1;
      members += 1;
    } else if (character === CLOSE_LIST || character === CLOSE_OBJECT) depth -= 1;
    if (depth > MAX_DEPTH || members > MAX_MEMBERS) return true;
  }
  return false;
};

/** Whether a form has more parameters than a JSON body may have members. */
const isOversizedForm = (text: string): boolean => {
  let parameters = 1;
  for (let at = 0; at < text.length && parameters <= MAX_MEMBERS; at += 1) {
    if (text.charCodeAt(at) === AMPERSAND) parameters += 1;
  }
  return parameters > MAX_MEMBERS;
};

/** Keys that lead to a prototype: no body has them. */
export const DROPPED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/** Takes the prototype keys out of a parsed body, in place: a reviver would cost ten times as much. */
const withoutPrototypeKeys = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  for (const [key, member] of Object.entries(value)) {
    if (DROPPED_KEYS.has(key)) Reflect.deleteProperty(value, key);
    else withoutPrototypeKeys(member);
  }
  return value;
};

const MEMBER = /(?:^|,)\s*sha-(256|512)=:([A-Za-z0-9+/]+={0,2}):/g;

/** Whether a body is the one of its `Content-Digest` (RFC 9530 §2): there is an active digest, and each is the body's. */
export const isDigestOf = (header: string | string[] | undefined, body: string): boolean => {
  const digests = [...String(header ?? '').matchAll(MEMBER)];
  return digests.length > 0 && digests.every(([, bits = '', digest]) => hash(`sha${bits}`, body, 'base64') === digest);
};
