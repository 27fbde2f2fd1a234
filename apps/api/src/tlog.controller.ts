import { Controller, Get, Header, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { etagOf, isUnchanged, Public } from '#http';
import { DomainError } from '#kernel';
import { TransparencyLog } from '#transparency';
import { parseTilePath } from '#verifier';
import type { FastifyReply } from 'fastify';

/** A tile never changes once it is served, full or partial. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * The transparency log for whoever asks, as others' tools read it (C2SP tlog-tiles). Only what is sealed is served: a tile
 * that no checkpoint covers yet is not there.
 */
@ApiExcludeController()
@Public()
@Controller('tlog')
export class TlogController {
  constructor(private readonly log: TransparencyLog) {}

  @Get('checkpoint')
  @Header('cache-control', 'no-cache')
  @Header('content-type', 'text/plain; charset=utf-8')
  async checkpoint(@Res({ passthrough: true }) reply: FastifyReply): Promise<string | undefined> {
    const sealed = await this.log.sealed();
    if (!sealed) throw new DomainError('route_not_found');
    return isUnchanged(reply, etagOf(sealed.checkpoint)) ? undefined : sealed.checkpoint;
  }

  @Get('key')
  @Header('cache-control', 'no-cache')
  @Header('content-type', 'text/plain; charset=utf-8')
  key(): Promise<string> {
    return this.log.key();
  }

  @Get('tile/*')
  async tile(@Param('*') path: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    const named = parseTilePath(path);
    const { level, ...of } = named ?? { level: null, index: 0, width: 0 };
    const bytes =
      level === null ? null : level === 'entries' ? await this.log.entries(of) : await this.log.tile({ level, ...of });
    if (!bytes) throw new DomainError('route_not_found');
    void reply.headers({ 'cache-control': FOR_EVER, 'content-type': 'application/octet-stream' });
    return Buffer.from(bytes);
  }
}
