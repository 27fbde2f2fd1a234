import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type BaseUrls, CurrentBaseUrls } from '#http';
import { asset, sendAsset, sendPage } from '#site';
import type { FastifyReply } from 'fastify';
import { agentsPage } from './agents.page.js';
import { llmsText } from './llms-text.js';

/** What agents, and who writes them, are told of the service. */
@ApiExcludeController()
@Controller()
export class GuideController {
  @Get('llms.txt')
  llms(
    @CurrentBaseUrls() urls: BaseUrls,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ) {
    sendAsset(reply, asset('text/plain; charset=utf-8', llmsText(urls)), known);
  }

  @Get('docs/agents')
  agents(@CurrentBaseUrls() urls: BaseUrls, @Res() reply: FastifyReply) {
    sendPage(reply, agentsPage(urls));
  }
}
