import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { sendStream } from '#http';
import { isOwnOrigin, Sessions } from '#identity';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LiveNews } from './live-news.js';

/** `{site_url}/conta/ao-vivo`: a line by which a traveller's page hears that something of theirs has changed, while they are logged in. */
@ApiExcludeController()
@Controller('conta/ao-vivo')
export class LiveNewsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly news: LiveNews,
  ) {}

  @Get()
  async follow(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const id = isOwnOrigin(request.headers.origin, request.urls) ? this.sessions.idIn(request) : null;
    const traveller = id === null ? null : await this.sessions.traveller(id);
    if (id === null || traveller === null) {
      // A browser that gets this does not connect again by itself (WHATWG HTML §9.2.3).
      await reply.code(204).header('cache-control', 'no-store').send();
      return;
    }
    const isInForce = async () => (await this.sessions.traveller(id)) !== null;
    await sendStream(request, reply, () => this.news.connect(traveller.holder, isInForce));
  }
}
