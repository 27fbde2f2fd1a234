import { Controller, Get, Headers, Req, Res } from '@nestjs/common';
import { ErrorsAs } from '#http';
import { ApiExcludeController } from '@nestjs/swagger';
import { sendAsset, sendPage } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageErrors } from '#identity';
import { PlaygroundPages } from './playground-pages.js';
import { SCRIPT, SCRIPT_NAME } from './steps.page.js';

/** `{auth_url}/oauth/playground`: walks a person through the whole flow, and on to a purchase. */
@ApiExcludeController()
@ErrorsAs(pageErrors)
@Controller()
export class PlaygroundController {
  constructor(private readonly pages: PlaygroundPages) {}

  @Get('oauth/playground')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendPage(reply, await this.pages.show(queryOf(request), request));
  }

  @Get('oauth/playground/pedido')
  async request(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendPage(reply, await this.pages.request(queryOf(request), request, reply));
  }

  @Get(`assets/${SCRIPT_NAME}`)
  script(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendAsset(reply, SCRIPT, known);
  }
}

/** The raw query: a parsed one would hide which parameters are repeated. */
const queryOf = ({ url, urls }: FastifyRequest): URLSearchParams => new URL(url, urls.auth).searchParams;
