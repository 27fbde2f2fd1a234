import { randomBytes } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentsUnavailable } from '#documents';
import { RandomIds } from '#kernel';
import { FixedClock } from '#testing';
import { pino } from 'pino';
import { MemoryDocuments } from '../../../../documents/src/testing/index.js';
import { createHttpAdapter } from '../../http-server.js';
import { API, baseUrlsAt } from '../../base-urls.js';
import { IDEMPOTENCY, type IdempotencyRecord } from '../idempotency-record.js';
import { IdempotentRequests } from '../idempotent-requests.js';
import { Desk, deskModule, type Piece } from './desk.js';

/** How a request differs from Ana's through the pilot, to `/orders`, under 127.0.0.1. */
interface Request {
  readonly token: string;
  readonly path: 'orders' | 'bookings';
  readonly name: string;
}

const LEASE = 30_000;

export const openDesk = async () => {
  const clock = new FixedClock();
  const documents = new MemoryDocuments(clock);
  await documents.prepare({ ...IDEMPOTENCY, indexes: [{ fields: ['resourceId'] }] });
  let looking = () => Promise.resolve();
  documents.get = new Proxy(documents.get.bind(documents), {
    apply: async (get, _, args: Parameters<typeof documents.get>) => {
      await looking();
      return get(...args);
    },
  });
  const desk = new Desk();
  const idempotent = new IdempotentRequests(documents, clock, new RandomIds(), randomBytes(32), LEASE);
  const addresses = { urls: baseUrlsAt('https://voos.example'), followLoopback: true };
  const adapter = createHttpAdapter({ addresses, logger: pino({ level: 'silent' }) });
  const module = deskModule(desk, idempotent);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, { logger: false, bodyParser: false });
  await app.listen(0, '127.0.0.1');
  const { port } = new URL(await app.getUrl());
  const paused: { readonly answer: Promise<unknown>; readonly resume: () => void }[] = [];

  /** One POST; `key` undefined sends none, `body` null neither. */
  const post = async (
    key: string | undefined,
    body: unknown = { item: 'voo' },
    { token = 'ana/piloto', path = 'orders', name = '127.0.0.1' }: Partial<Request> = {},
  ) => {
    const answer = await fetch(`http://${name}:${port}/${API}/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== null && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== null && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const { error, ...rest } = (await answer.json()) as Partial<Piece> & { readonly error?: string };
    const replayed = answer.headers.get('idempotent-replayed');
    return { status: answer.status, error, body: rest, replayed, retryAfter: answer.headers.get('retry-after') };
  };

  return {
    desk,
    clock,
    post,
    /** A request that stands still in its work until it is told to go on, at the latest when all is closed. */
    pause: async (key: string, then: () => Promise<void> = () => Promise.resolve()) => {
      const before = desk.work;
      let resume: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => (resume = resolve));
      const stopped = new Promise<void>((resolve) => {
        desk.work = async () => {
          resolve();
          await gate;
          await then();
        };
      });
      const answer = post(key);
      paused.push({ answer, resume });
      await stopped;
      desk.work = before;
      return { answer, resume, id: desk.started.at(-1) ?? '' };
    },
    /** Does this before a record is read, once. */
    beforeLooking: (work: () => Promise<unknown>) => {
      looking = async () => {
        looking = () => Promise.resolve();
        await work();
      };
    },
    /** Forgets the requests that created or completed these; returns how many. */
    forget: (...ids: readonly string[]) => idempotent.forget(new Set(ids)),
    endLeases: () => clock.advance(LEASE),
    loseDocuments: (): Promise<void> => {
      const unavailable = () => Promise.reject(new DocumentsUnavailable('the documents are out of reach'));
      Object.assign(documents, { get: unavailable, insert: unavailable, replace: unavailable, delete: unavailable });
      return Promise.resolve();
    },
    records: async () => {
      const sort = { field: 'resourceId', direction: 'ascending' } as const;
      const found = await documents.find<IdempotencyRecord>(IDEMPOTENCY.name, { where: [], sort, limit: 100 });
      return found.map(({ id, body }) => ({ id, ...body }));
    },
    close: async (): Promise<void> => {
      for (const { resume, answer } of paused) {
        resume();
        await answer;
      }
      await app.close();
    },
  };
};
