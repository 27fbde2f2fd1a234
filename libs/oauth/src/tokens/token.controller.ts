import { Body, Controller, Header, Headers, HttpCode, Post, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CurrentLinks, type Links } from '#http';
import { OAuthErrorFilter } from '../oauth-error.filter.js';
import { type TokenAnswer, TokenEndpoint } from './token-endpoint.js';

/** Codes and refresh tokens for access tokens. */
@ApiExcludeController()
@UseFilters(OAuthErrorFilter)
@Controller('oauth')
export class TokenController {
  constructor(private readonly endpoint: TokenEndpoint) {}

  @Post('token')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @Header('Pragma', 'no-cache')
  token(
    @Body() body: unknown,
    @Headers('authorization') authorization: string | undefined,
    @CurrentLinks() links: Links,
  ): Promise<TokenAnswer> {
    return this.endpoint.answer(body, authorization, links);
  }
}
