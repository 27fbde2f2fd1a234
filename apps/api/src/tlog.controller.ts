import { Controller, Get, Header, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type BaseUrls, CurrentBaseUrls, etagOf, isUnchanged, Public } from '#http';
import { DomainError } from '#kernel';
import { type PastLog, PastLogs, TransparencyLog } from '#transparency';
import { parseTilePath } from '#verifier';
import type { FastifyReply } from 'fastify';

/** A tile never changes once it is served, full or partial. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Where what is below `{site_url}/tlog`. */
interface TlogFiles {
  readonly format: string;
  readonly checkpoint: string;
  /** Key with which checkpoints are verified. To be trusted it has to come from elsewhere. */
  readonly key: string;
  /** Templates of addresses, as the specification spells `L` and `N`. */
  readonly tiles: string;
  readonly entries: string;
  readonly verification: string;
}

/** The transparency log in the form of C2SP tlog-tiles: what the served checkpoint covers, and nothing more. */
@ApiExcludeController()
@Public()
@Controller('tlog')
export class TlogController {
  constructor(private readonly log: TransparencyLog) {}

  @Get()
  @Header('cache-control', 'no-cache')
  index(@CurrentBaseUrls() { site }: BaseUrls): TlogFiles {
    const at = `${site}/tlog`;
    return {
      format: 'https://c2sp.org/tlog-tiles',
      checkpoint: `${at}/checkpoint`,
      key: `${at}/key`,
      tiles: `${at}/tile/<L>/<N>[.p/<W>]`,
      entries: `${at}/tile/entries/<N>[.p/<W>]`,
      verification: `${site}/verificar`,
    };
  }

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
    return tileOf(this.log, path, reply);
  }
}

/** The logs that came before, each below its number, frozen as they were signed last (docs/adr/0124). */
@ApiExcludeController()
@Public()
@Controller('tlog/:number')
export class PastTlogController {
  constructor(private readonly past: PastLogs) {}

  @Get('checkpoint')
  @Header('content-type', 'text/plain; charset=utf-8')
  checkpoint(@Param('number') number: string): string {
    const { checkpoint } = this.numbered(number);
    if (checkpoint === null) throw new DomainError('route_not_found');
    return checkpoint;
  }

  @Get('key')
  @Header('content-type', 'text/plain; charset=utf-8')
  key(@Param('number') number: string): string {
    return this.numbered(number).key;
  }

  @Get('tile/*')
  async tile(
    @Param('number') number: string,
    @Param('*') path: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return tileOf(this.numbered(number).log, path, reply);
  }

  private numbered(number: string): PastLog {
    const found = this.past.logs.find((log) => `${log.number}` === number);
    if (!found) throw new DomainError('route_not_found');
    return found;
  }
}

const tileOf = async (log: PastLog['log'], path: string, reply: FastifyReply): Promise<Buffer> => {
  const named = parseTilePath(path);
  const { level, ...of } = named ?? { level: null, index: 0, width: 0 };
  const bytes = level === null ? null : level === 'entries' ? await log.entries(of) : await log.tile({ level, ...of });
  if (!bytes) throw new DomainError('route_not_found');
  void reply.headers({ 'cache-control': FOR_EVER, 'content-type': 'application/octet-stream' });
  return Buffer.from(bytes);
};
