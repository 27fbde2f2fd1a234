import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type BaseUrls, CurrentBaseUrls } from '#http';
import { sendAsset, sendPage } from '#site';
import type { FastifyReply } from 'fastify';
import { returnedPage } from './returned.page.js';
import { CONNECTED, CONNECTED_NAME, WEBMCP } from './scripts.js';

/** The script for agents in the browser, and where connecting one ends. */
@ApiExcludeController()
@Controller()
export class WebMcpController {
  @Get('webmcp.js')
  script(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendAsset(reply, WEBMCP, known);
  }

  @Get(`assets/${CONNECTED_NAME}`)
  connected(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendAsset(reply, CONNECTED, known);
  }

  @Get('conectar/retorno')
  returned(@CurrentBaseUrls() urls: BaseUrls, @Res() reply: FastifyReply): void {
    sendPage(reply, returnedPage(urls));
  }
}
