import { Body, Controller, Header, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ErrorsAs, LimitedBy } from '#http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { protocolErrors } from '#identity';
import { PushAuthorizationRequest, type PushedRequest } from '../authorize/push-authorization-request.js';
import { RegisterClient, type RegisteredClient } from '../clients/register-client.js';
import { IntrospectToken } from './introspect-token.js';
import { RevokeToken } from './revoke-token.js';
import { type TokenAnswer, TokenEndpoint } from './token-endpoint.js';

/** The endpoints that clients call directly: pushed authorization requests, registration, token, revocation and introspection. */
@ApiExcludeController()
@ErrorsAs(protocolErrors)
@LimitedBy('tokenRequests')
@Controller('oauth')
export class TokenController {
  constructor(
    private readonly pushRequest: PushAuthorizationRequest,
    private readonly registerClient: RegisterClient,
    private readonly endpoint: TokenEndpoint,
    private readonly revokeToken: RevokeToken,
    private readonly introspectToken: IntrospectToken,
  ) {}

  @Post('par')
  @HttpCode(201)
  @Header('Cache-Control', 'no-store')
  push(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<PushedRequest> {
    return this.pushRequest.push(request, reply);
  }

  @Post('register')
  @LimitedBy('registrations')
  @HttpCode(201)
  @Header('Cache-Control', 'no-store')
  @Header('Pragma', 'no-cache')
  register(@Body() metadata: unknown, @Req() { address }: FastifyRequest): Promise<RegisteredClient> {
    return this.registerClient.register(metadata, address);
  }

  @Post('token')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @Header('Pragma', 'no-cache')
  token(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<TokenAnswer> {
    return this.endpoint.answer(request, reply);
  }

  @Post('revoke')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  revoke(@Req() request: FastifyRequest): Promise<void> {
    return this.revokeToken.revoke(request);
  }

  @Post('introspect')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  introspect(@Req() request: FastifyRequest): ReturnType<IntrospectToken['answer']> {
    return this.introspectToken.answer(request);
  }
}
