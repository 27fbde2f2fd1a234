import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Body, Controller, Module, Post, Res } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsString } from 'class-validator';
import { EmbeddedDocuments } from '#documents';
import { type Caller, RandomIds, Refusal, SCOPES } from '#kernel';
import { FixedClock } from '#testing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { AccessTokens } from '../../access-tokens.port.js';
import { ErrorFilter } from '../../error.filter.js';
import { createHttpAdapter } from '../../http-server.js';
import { API, linksAt } from '../../links.js';
import { RequireScopes, ScopesGuard } from '../../scopes.guard.js';
import { answers, bodyOf } from '../../validation.js';
import { AcceptsIdempotencyKey } from '../idempotency-key.js';
import { IDEMPOTENCY, type IdempotencyRecord } from '../idempotency-record.js';
import { IdempotentRequests } from '../idempotent-requests.js';

/** Tokens that say who holds them: `<holder>/<client>`. */
class SpeakingTokens extends AccessTokens {
  callerOf({ headers }: FastifyRequest): Promise<Caller> {
    const [, holder, clientId] = /^Bearer (\w+)\/(\w+)$/.exec(headers.authorization ?? '') ?? [];
    if (holder === undefined || clientId === undefined) return Promise.reject(new Refusal('token_missing'));
    return Promise.resolve({ holder, clientId, scopes: SCOPES, grantId: 'grant' });
  }
}

class ItemDto {
  @IsString(answers('invalid_body', 'deve ser um texto'))
  readonly item: string;
}

/** What the desk makes of a request. */
interface Piece {
  readonly id: string;
  readonly made: number;
  readonly url: string;
}

/** Somebody who creates things on request: how it goes is a test's choice. */
export class Desk {
  /** Ids under which something was started, in order. */
  readonly started: string[] = [];
  /** What an id names for good. */
  readonly ended = new Map<string, Piece | Refusal>();
  /** What creating comes to, before the thing is there. */
  work: (id: string) => Promise<void> = () => Promise.resolve();
}

const LEASE = 30_000;

/** One desk behind the HTTP edge, over documents in a folder of its own. */
export const openDesk = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'idempotency-'));
  const clock = new FixedClock();
  const documents = await EmbeddedDocuments.open({ file: join(folder, 'documents.db'), durability: 'normal', clock });
  await documents.prepare({ ...IDEMPOTENCY, indexes: [{ fields: ['resourceId'] }] });
  const idempotent = new IdempotentRequests(documents, clock, new RandomIds(), randomBytes(32), LEASE);
  const desk = new Desk();

  const create = (reply: FastifyReply): Promise<Piece> => {
    const url = (id: string) => `${reply.request.links.base}/orders/${id}`;
    return idempotent.run<Piece>(reply, {
      start: async (id) => {
        const made = desk.started.push(id);
        await desk.work(id);
        const piece = { id, made, url: url(id) };
        desk.ended.set(id, piece);
        return piece;
      },
      find: (id) => Promise.resolve(desk.ended.get(id) ?? null),
    });
  };

  @Controller(API)
  class DeskController {
    @Post('orders')
    @RequireScopes('order:write')
    @AcceptsIdempotencyKey()
    order(@Body(bodyOf(ItemDto)) _: ItemDto, @Res({ passthrough: true }) reply: FastifyReply): Promise<Piece> {
      return create(reply);
    }

    @Post('bookings')
    @RequireScopes('booking:write')
    @AcceptsIdempotencyKey()
    book(@Res({ passthrough: true }) reply: FastifyReply): Promise<Piece> {
      return create(reply);
    }
  }

  @Module({
    controllers: [DeskController],
    providers: [
      { provide: AccessTokens, useClass: SpeakingTokens },
      { provide: APP_GUARD, useClass: ScopesGuard },
      { provide: APP_FILTER, useClass: ErrorFilter },
    ],
  })
  class App {}

  const addresses = { links: linksAt('https://voos.example'), followLoopback: true };
  const adapter = createHttpAdapter({ addresses, logger: pino({ level: 'silent' }) });
  const app = await NestFactory.create<NestFastifyApplication>(App, adapter, { logger: false, bodyParser: false });
  await app.listen(0, '127.0.0.1');
  const { port } = new URL(await app.getUrl());

  return {
    desk,
    clock,
    /** Lets every lease end that runs now. */
    endLeases: () => clock.advance(LEASE),
    /** What is kept of the requests with a key. */
    records: async () => {
      const sort = { field: 'resourceId', direction: 'ascending' } as const;
      const found = await documents.find<IdempotencyRecord>(IDEMPOTENCY.name, { where: [], sort, limit: 100 });
      return found.map(({ id, body }) => ({ id, ...body }));
    },
    /** One POST; `key` undefined sends none. */
    post: async (key: string | undefined, body: unknown = { item: 'voo' }, request: Partial<Request> = {}) => {
      const { token = 'ana/piloto', path = 'orders', name = '127.0.0.1' } = request;
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
    },
    close: async (): Promise<void> => {
      await app.close();
      await documents.close();
      await rm(folder, { recursive: true });
    },
  };
};

/** How a request differs from Ana's through the pilot, to `/orders`, under 127.0.0.1. */
interface Request {
  readonly token: string;
  readonly path: 'orders' | 'bookings';
  readonly name: string;
}
