import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Asking } from '../asking.js';
import { UcpRequests } from './ucp-requests.js';

type Asked = Parameters<UcpRequests['of']>;

@Injectable()
class AskingPipe implements PipeTransform<Asked, Promise<Asking>> {
  constructor(private readonly requests: UcpRequests) {}

  transform(asked: Asked): Promise<Asking> {
    return this.requests.of(...asked);
  }
}

/** Parameter of a controller: who asks for something of `capability`. Throws what `UcpRequests.of` throws. */
export const AskingFor = (capability: string): ParameterDecorator =>
  createParamDecorator((_: unknown, context: ExecutionContext): Asked => {
    const http = context.switchToHttp();
    return [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), capability];
  })(AskingPipe);
