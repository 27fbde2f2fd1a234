import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { RefusedByRedirect } from '../oauth-error.js';

/** Tells the client by redirect why its authorization request was refused. */
@Catch(RefusedByRedirect)
export class RedirectFilter implements ExceptionFilter<RefusedByRedirect> {
  catch({ location }: RefusedByRedirect, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    void reply.code(302).header('location', location).header('cache-control', 'no-store').send();
  }
}
