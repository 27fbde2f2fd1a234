import { Controller, Header, HttpCode, Post, Req } from '@nestjs/common';
import { ErrorsAs } from '#http';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { protocolErrors } from '#identity';
import { Attempts } from './attempts.js';
import { playgroundAddress } from './request.page.js';
import { type Exchange, PilotClient } from './pilot-client.js';
import { fieldsOf, knownBrowser } from './playground-browser.js';

/** The pilot's token requests; secret and verifier stay here. Anybody may refresh: it counts as public (docs/decisions.md). */
@ApiExcludeController()
@ErrorsAs(protocolErrors)
@Controller('oauth/playground')
export class PlaygroundTokensController {
  constructor(
    private readonly attempts: Attempts,
    private readonly pilot: PilotClient,
  ) {}

  @Post('token')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async token(@Req() request: FastifyRequest): Promise<Exchange> {
    const fields = fieldsOf(request);
    const code = fields.required('code');
    const from = { browserId: knownBrowser(request), state: fields.required('state') };
    const verifier = await this.attempts.take(from, code);
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: playgroundAddress(request.urls),
      code_verifier: verifier,
    };
    return this.pilot.post('/oauth/token', form, request);
  }

  @Post('refresh')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  refresh(@Req() request: FastifyRequest): Promise<Exchange> {
    const form = { grant_type: 'refresh_token', refresh_token: fieldsOf(request).required('token') };
    return this.pilot.post('/oauth/token', form, request);
  }

  @Post('revoke')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  revoke(@Req() request: FastifyRequest): Promise<Exchange> {
    const form = { token: fieldsOf(request).required('token'), token_type_hint: 'access_token' };
    return this.pilot.post('/oauth/revoke', form, request);
  }
}
