import { Controller, Get, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type Asset, ASSETS } from './assets.js';

/** The files of the pages, with an `ETag` (RFC 9110 §8.8.3). */
@Controller('assets')
export class AssetsController {
  @Get('site.css')
  stylesheet(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    send(reply, ASSETS['site.css'], known);
  }

  @Get('icon.svg')
  icon(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    send(reply, ASSETS['icon.svg'], known);
  }
}

const send = (reply: FastifyReply, { type, body, etag }: Asset, known: string | undefined): void => {
  void reply.header('etag', etag).header('cache-control', 'public, max-age=3600');
  if (known === etag) void reply.code(304).send();
  else void reply.type(type).send(body);
};
