import { Controller, Get, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ASSETS } from './assets.js';
import { sendAsset } from './send-asset.js';

/** The files of the pages, with an `ETag` (RFC 9110 §8.8.3). */
@Controller('assets')
export class AssetsController {
  @Get('site.css')
  stylesheet(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendAsset(reply, ASSETS['site.css'], known);
  }

  @Get('icon.svg')
  icon(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendAsset(reply, ASSETS['icon.svg'], known);
  }

  @Get('preview.png')
  preview(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendAsset(reply, ASSETS['preview.png'], known);
  }
}
