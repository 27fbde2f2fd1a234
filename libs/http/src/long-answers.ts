import type { FastifyInstance } from 'fastify';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createGunzip, gzip } from 'node:zlib';

/** Bytes above which an answer is held packed until it is read. */
const LONG = 128 * 1024;

const deflate = promisify(gzip);
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
