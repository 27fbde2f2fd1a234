import { Controller, Module, Post, Res } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { IsString } from 'class-validator';
import { type Caller, DomainError, SCOPES } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessTokens, GUARDS, RequireScopes } from '../../scopes.guard.js';
import { ErrorFilter } from '../../error.filter.js';
import { API } from '../../base-urls.js';
import { answers } from '../../validation.js';
import { JsonBody } from '../../warnings.js';
import { AcceptsIdempotencyKey, type IdempotentOperation, IdempotentRequests } from '../idempotent-requests.js';

export interface Piece {
  readonly id: string;
  readonly made: number;
  readonly url: string;
}

/** Somebody who creates things on request: how it goes is a test's choice. */
export class Desk {
  /** Ids under which something was started, in order. */
  readonly started: string[] = [];
  /** What an id names for good. */
  readonly ended = new Map<string, Piece | DomainError>();
  /** What creating comes to, before the thing is there. */
  work: (id: string) => Promise<void> = () => Promise.resolve();
  /** What a retry waits for once it has looked at what its request left behind. */
  looked: () => Promise<void> = () => Promise.resolve();
  /** Id of the piece that a request completes instead of making one. */
  completes: string | null = null;
  /** Id of the piece that a request changes, whatever id is its own. */
  changes: string | null = null;

  async make(id: string, url: string): Promise<Piece> {
    const made = this.started.push(id);
    await this.work(id);
    const piece = { id, made, url };
    this.ended.set(id, piece);
    return piece;
  }
}

/** Tokens that say who holds them: `<holder>/<client>`. */
class SpeakingTokens extends AccessTokens {
  callerOf({ headers }: FastifyRequest): Promise<Caller> {
    const [, holder, clientId] = /^Bearer (\w+)\/(\w+)$/.exec(headers.authorization ?? '') ?? [];
    if (holder === undefined || clientId === undefined) return Promise.reject(new DomainError('token_missing'));
    return Promise.resolve({ holder, clientId, scopes: SCOPES, grantId: 'grant' });
  }

  isInForce(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

class ItemDto {
  @IsString(answers('invalid_body', 'deve ser um texto'))
  readonly item: string;
}

@Controller(API)
class DeskController {
  constructor(
    private readonly desk: Desk,
    private readonly idempotent: IdempotentRequests,
  ) {}

  @Post('orders')
  @RequireScopes('order:write')
  @AcceptsIdempotencyKey()
  order(@JsonBody(ItemDto) _: ItemDto, @Res({ passthrough: true }) reply: FastifyReply): Promise<Piece> {
    return this.create(reply, { completes: () => Promise.resolve(this.desk.completes) });
  }

  @Post('bookings')
  @RequireScopes('booking:write')
  @AcceptsIdempotencyKey()
  book(@Res({ passthrough: true }) reply: FastifyReply): Promise<Piece> {
    return this.create(reply, {});
  }

  private create(reply: FastifyReply, more: Pick<IdempotentOperation<Piece>, 'completes'>): Promise<Piece> {
    return this.idempotent.run<Piece>(reply, {
      begin: (id) => this.desk.make(this.desk.changes ?? id, `${reply.request.urls.base}/orders/${id}`),
      outcomeOf: async (id) => {
        const ended = this.desk.ended.get(this.desk.changes ?? id) ?? null;
        await this.desk.looked();
        return ended;
      },
      ...more,
    });
  }
}

export const deskModule = (desk: Desk, idempotent: IdempotentRequests) => {
  @Module({
    controllers: [DeskController],
    providers: [
      { provide: Desk, useValue: desk },
      { provide: IdempotentRequests, useValue: idempotent },
      { provide: AccessTokens, useClass: SpeakingTokens },
      ...GUARDS,
      { provide: APP_FILTER, useClass: ErrorFilter },
    ],
  })
  class DeskModule {}
  return DeskModule;
};
