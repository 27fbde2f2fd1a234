import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { concatMap, type Observable } from 'rxjs';
import { MessageSigner } from './message-signer.js';

/** Signs what an operation answers by REST: that of a purchase, and of an order (UCP, When Signatures Apply). */
@Injectable()
export class SignedAnswer implements NestInterceptor<unknown, string> {
  constructor(private readonly signer: MessageSigner) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<string> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      concatMap(async (answer) => {
        const body = JSON.stringify(answer);
        void reply.headers(await this.signer.ofAnswer(reply.statusCode, body));
        return body;
      }),
    );
  }
}
