import type { FastifyInstance, FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { promisify } from 'node:util';
import { brotliCompress, constants, createGunzip, gzip } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A content coding that we make (RFC 9110 §8.4.1). */
export type Coding = 'br' | 'gzip';

/** What callers accept, by the field that they send: there are few of them. */
const accepted = new LRUCache<string, { readonly coding: Coding | null }>({ max: 100 });

/** The coding that a caller likes best (RFC 9110 §12.5.3), of two that it likes alike the smaller one; null: none. */
export const codingFor = (field: string | undefined): Coding | null => {
  if (field === undefined) return null;
  const known = accepted.get(field) ?? { coding: preferred(field) };
  if (field.length <= 200) accepted.set(field, known);
  return known.coding;
};

const preferred = (field: string): Coding | null => {
  const weights = new Map(field.split(',').map(weighed));
  const others = weights.get('*');
  const [br, zipped] = [weights.get('br') ?? others ?? 0, weights.get('gzip') ?? weights.get('x-gzip') ?? others ?? 0];
  const best = Math.max(br, zipped);
  // As it is an answer is always welcome; but only who says so likes it as much.
  if (!(best > 0) || (weights.get('identity') ?? 0) > best) return null;
  return br === best ? 'br' : 'gzip';
};

const weighed = (one: string): readonly [coding: string, weight: number] => {
  const [coding = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return [coding, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0];
};

/** What is compressed: a file that stays as it is for as long as the process runs, or an answer that may soon be another. */
export type Kind = 'file' | 'answer';

export interface Tagged {
  readonly body: string | Buffer;
  readonly etag: string;
}

/** A public answer, and the coding in which its caller gets it; null: as it is. */
interface Compressible {
  readonly coding: Coding | null;
  readonly etag: string;
  readonly kind: Kind;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Its answer may be compressed; null: it must not be, or is too short. */
    compressible: Compressible | null;
  }
}

/** Bytes, or characters of a text, below which an answer is not worth it: it fits into a packet or two whatever is done to it. */
const LEAST = 1_024;

/** How many are compressed at a time: the threads of zlib hash passwords as well. A page loads several files at once. */
const AT_ONCE: Readonly<Record<Kind, number>> = { answer: 4, file: 16 };

/** Bytes of compressed answers that are kept, and what one takes beside its body. */
const [MOST, BESIDE] = [16 * 1024 * 1024, 256];

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

const kept = new LRUCache<string, Buffer>({ maxSize: MOST, sizeCalculation: ({ length }) => BESIDE + length });
const underWay = new Map<string, Promise<Buffer | null>>();
let running = 0;

/** Marks an answer as the same for everybody; returns its coding. A secret one must never be compressed (docs/adr/0119). */
export const markPublic = (reply: FastifyReply, { body, etag }: Tagged, kind: Kind): Coding | null => {
  if (body.length < LEAST) return null;
  const coding = codingFor(reply.request.headers['accept-encoding']);
  reply.request.compressible = { coding, etag, kind };
  return coding;
};

/** Compresses the answers that senders have marked, off the event loop. */
export const compressAnswers = (fastify: FastifyInstance): void => {
  fastify.addHook('onSend', (request, reply, body: unknown, done) => {
    const { compressible } = request;
    if (compressible === null) {
      done(null, body);
      return;
    }
    const { coding, etag, kind } = compressible;
    void reply.header('vary', withEncoding(reply.getHeader('vary')));
    if (coding === null || reply.statusCode !== 200 || !(typeof body === 'string' || Buffer.isBuffer(body))) {
      done(null, body);
      return;
    }
    const send = (compressed: Buffer | null): void => {
      if (compressed) void reply.header('content-encoding', coding);
      else void reply.header('etag', etag);
      done(null, compressed ?? body);
    };
    const compressed = isPrivate(reply) ? null : compressedAs(coding, { body, etag }, kind);
    if (compressed instanceof Promise) void compressed.then(send);
    else send(compressed);
  });
};

/** A lock beside the list of those who are let in: what nobody else may keep is never compressed. */
const isPrivate = (reply: FastifyReply): boolean =>
  reply.hasHeader('set-cookie') || /no-store|private/.test(String(reply.getHeader('cache-control') ?? ''));

/** The coding of an answer for who accepts these; null: as it is. */
export const codingOf = ({ length }: string | Buffer, accepted: string | undefined): Coding | null =>
  length < LEAST ? null : codingFor(accepted);

/** `Vary` of a public answer, whose other reasons to differ are these. */
export const varyOf = ({ length }: string | Buffer, others: string | undefined): string | undefined =>
  length < LEAST ? others : withEncoding(others);

const withEncoding = (others: unknown): string =>
  typeof others === 'string' ? `${others}, Accept-Encoding` : 'Accept-Encoding';

/** The tag of an answer in a coding: other bytes than those that `etag` names (RFC 9110 §8.8.3.3). */
export const codedTag = (etag: string, coding: Coding): string => `${etag.slice(0, -1)}-${coding}"`;

/** The bytes of an answer in a coding: at once if compressed before, else later; null: too many are being compressed. */
export const compressedAs = (
  coding: Coding,
  { body, etag }: Tagged,
  kind: Kind = 'answer',
): Buffer | Promise<Buffer | null> | null => {
  const key = codedTag(etag, coding);
  const known = kept.get(key) ?? underWay.get(key);
  if (known) return known;
  if (running >= AT_ONCE[kind]) return null;
  running += 1;
  const work = compress(coding, Buffer.from(body), kind)
    .then((compressed) => {
      // Small ones would otherwise keep the whole piece of memory that they were written into.
      const bytes = Buffer.allocUnsafeSlow(compressed.length);
      compressed.copy(bytes);
      kept.set(key, bytes);
      return bytes;
    })
    .catch(() => null) // out of memory: as it is
    .finally(() => {
      running -= 1;
      underWay.delete(key);
    });
  underWay.set(key, work);
  return work;
};

const compress = (coding: Coding, body: Buffer, kind: Kind): Promise<Buffer> => {
  const isFile = kind === 'file';
  if (coding === 'gzip') return deflate(body, { level: isFile ? 9 : 6 });
  return brotli(body, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: isFile ? 9 : 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
};

/** Bytes above which an answer is held packed until it is read. */
const LONG = 128 * 1024;

/** What is asked for by many is packed once. */
const packs = new WeakMap<Buffer, Promise<Buffer>>();

export const isLong = (body: string | Buffer): boolean => 3 * body.length > LONG && Buffer.byteLength(body) > LONG;

/** An answer that is unpacked as it is read: unread, only its gzip and a piece are held (docs/decisions.md, Limits). */
const packed = async (body: string | Buffer): Promise<Readable> => {
  const known = typeof body === 'string' ? undefined : packs.get(body);
  const packing = known ?? deflate(body, { level: constants.Z_BEST_SPEED });
  if (typeof body !== 'string') packs.set(body, packing);
  const unpacking = createGunzip();
  unpacking.end(await packing);
  return unpacking;
};

/** Holds long answers packed, but for what is shared by all connections: files, and what was compressed for everybody. */
export const packLongAnswers = (fastify: FastifyInstance): void => {
  fastify.addHook('onSend', ({ method, compressible }, reply, body: unknown, done) => {
    const isOwn = compressible?.kind !== 'file' && !reply.hasHeader('content-encoding') && method !== 'HEAD';
    if (!isOwn || !(typeof body === 'string' || Buffer.isBuffer(body)) || !isLong(body)) {
      done(null, body);
      return;
    }
    void reply.header('content-length', Buffer.byteLength(body));
    packed(body).then((stream) => done(null, stream), done);
  });
};

/** Ends an answer, whose head is written, with a long body, which nothing here holds meanwhile. */
export const endPacked = (to: ServerResponse, body: Buffer): void => {
  packed(body)
    .then((stream) => pipeline(stream, to))
    .catch(() => to.destroy()); // its caller has left, or the memory is full
};
