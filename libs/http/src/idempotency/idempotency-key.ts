import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, UseGuards } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { DomainError } from '#kernel';
import type { FastifyRequest } from 'fastify';

/** Visible ASCII (RFC 5234, VCHAR). A header sent twice arrives joined by a comma and a space, and is none. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * The `Idempotency-Key` of a request; null where it has none.
 *
 * @throws DomainError `invalid_idempotency_key`
 */
export const idempotencyKeyOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | null => {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !KEY.test(key)) throw new DomainError('invalid_idempotency_key');
  return key;
};

/** Judges the key's form where docs/decisions.md, Errors, puts it: after token and scopes (global guards), before the body. */
@Injectable()
class IdempotencyKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    idempotencyKeyOf(context.switchToHttp().getRequest<FastifyRequest>());
    return true;
  }
}

/** An operation that takes an `Idempotency-Key`, and hands its work to `IdempotentRequests`. */
export const AcceptsIdempotencyKey = () =>
  applyDecorators(
    UseGuards(IdempotencyKeyGuard),
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
