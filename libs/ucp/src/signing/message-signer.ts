import { createHash, sign } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Clock, millisecondsOf } from '#kernel';
import { MessageKeys } from '#oauth';
import { type SignedMessage, toSign } from '#remote';
import type { FastifyReply } from 'fastify';
import { concatMap, type Observable } from 'rxjs';

/** A message as it is sent: JSON, with the names of its headers in lower case. */
interface Unsigned extends Omit<SignedMessage, 'headers'> {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const JSON_TYPE = 'application/json';

/** Signs what we send to platforms by the keys of our profile (UCP, Message Signatures). */
@Injectable()
export class MessageSigner {
  constructor(
    private readonly keys: MessageKeys,
    private readonly clock: Clock,
  ) {}

  /** The headers of an answer with this body, its `content-type` included. @throws Unavailable */
  ofAnswer(status: number, body: string, contentType = 'application/json; charset=utf-8') {
    const headers = { 'content-type': contentType };
    const message = { method: '', status, scheme: '', authority: '', target: '', headers, body };
    return this.signed(message, ['@status']);
  }

  /** The headers of a message that is sent to `url`, signed with `more`; all names are in lower case. @throws Unavailable */
  ofPost(url: string, body: string, more: Readonly<Record<string, string>>) {
    const { protocol, host, pathname, search } = new URL(url);
    const message = {
      method: 'POST',
      scheme: protocol.slice(0, -1),
      authority: host,
      target: pathname + search,
      headers: { 'content-type': JSON_TYPE, ...more },
      body,
    };
    const query = search === '' ? [] : ['@query'];
    return this.signed(message, ['@method', '@authority', '@path', ...query]);
  }

  /** Covers what is derived of a message and all of its headers. */
  private async signed({ body, ...message }: Unsigned, derived: readonly string[]): Promise<Record<string, string>> {
    const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
    const headers = { ...message.headers, 'content-digest': digest };
    const { kid, privateKey } = await this.keys.current();
    const parameters = { created: Math.floor(millisecondsOf(this.clock.now()) / 1_000), keyid: kid };
    const { input, base } = toSign([...derived, ...Object.keys(headers)], parameters, { ...message, headers });
    const bytes = sign('sha256', base, { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return { ...headers, 'signature-input': `sig1=${input}`, signature: `sig1=:${bytes.toString('base64')}:` };
  }
}

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
