import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type IdempotentOperation, IdempotentRequests } from '#http';
import { DomainError } from '#kernel';
import type { Asking } from '../asking.js';
import { UcpError, UcpOutcome } from '../ucp-error.js';

/** A write, and where its platform says by which key it may be sent again. */
export interface Write {
  readonly reply: FastifyReply;
  /** Absent: it has none. */
  readonly key?: string | undefined;
}

/** The key of a request's header; undefined: it has none. */
export const keyOf = ({ headers }: FastifyRequest): string | undefined => {
  const key = headers['idempotency-key'];
  return Array.isArray(key) ? key.join(', ') : key;
};

/** Parameter of a controller: the write that a request is. */
export const RepeatableWrite = createParamDecorator((_: unknown, context: ExecutionContext): Write => {
  const http = context.switchToHttp();
  return { reply: http.getResponse<FastifyReply>(), key: keyOf(http.getRequest<FastifyRequest>()) };
});

/** Writes of platforms, each of which takes effect once a key (UCP, Checkout REST Binding, Idempotency-Key). */
@Injectable()
export class RepeatableWrites {
  constructor(private readonly idempotent: IdempotentRequests) {}

  /** @throws UcpError 409 where the key was used otherwise; what the work throws */
  async once<View extends object>(
    { platform, proof, caller, urls }: Asking,
    operation: string,
    { reply, key }: Write,
    body: object,
    work: IdempotentOperation<View>,
  ): Promise<View> {
    const { holder = '' } = caller ?? {};
    const request = {
      // What somebody sends who only says that they are a platform is not what the platform sent.
      caller: { holder, clientId: `${platform.profile} ${proof ?? ''}`, scopes: [], grantId: '' },
      method: 'POST',
      routeOptions: { url: `ucp ${operation}` },
      headers: { 'idempotency-key': key },
      ...{ body, urls, log: reply.log },
    };
    const header = (name: string, value: string) => reply.header(name, value);
    // A refusal of the protocol is none of the catalogue: its key is free, as after any that changed nothing.
    let refusal: Error | null = null;
    const begin = (id: string) =>
      work.begin(id).catch((error: unknown) => {
        if (!(error instanceof UcpError || error instanceof UcpOutcome)) throw error;
        refusal = error;
        throw new DomainError('invalid_change');
      });
    return this.idempotent.run({ request, header }, { ...work, begin }).catch((error: unknown) => {
      if (refusal !== null) throw refusal;
      if (error instanceof DomainError && error.code === 'idempotency_conflict')
        throw new UcpError(409, error.code, 'Esta Idempotency-Key já foi usada com outro corpo.');
      throw error;
    });
  }
}
