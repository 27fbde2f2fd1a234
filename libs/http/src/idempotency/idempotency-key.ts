import { applyDecorators, type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { DomainError } from '#kernel';
import type { FastifyRequest } from 'fastify';
import { configOf } from '../request.js';
import { configureRoute } from '../route-config.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    takesIdempotencyKey?: boolean;
  }
}

/** Visible ASCII (RFC 5234, VCHAR). A header sent twice arrives joined by a comma and a space, and is none. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The `Idempotency-Key` of a request; null where it has none. @throws DomainError `invalid_idempotency_key` */
export const idempotencyKeyOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | null => {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !KEY.test(key)) throw new DomainError('invalid_idempotency_key');
  return key;
};

/** Judges the form of the key, where an operation takes one. */
@Injectable()
export class IdempotencyKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (configOf(request).takesIdempotencyKey) idempotencyKeyOf(request);
    return true;
  }
}

/** An operation that takes an `Idempotency-Key`, and hands its work to `IdempotentRequests`. */
export const AcceptsIdempotencyKey = () =>
  applyDecorators(
    configureRoute({ takesIdempotencyKey: true }),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Até 255 caracteres ASCII visíveis. Por 24 horas, a mesma chave com o mesmo corpo devolve a primeira resposta ' +
        '(com o cabeçalho Idempotent-Replayed: true), sem criar nem cobrar de novo.',
      schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
      example: '7f3a1f0e-5f0f-4f57-9a39-0d3c7f0a5a1b',
    }),
  );
