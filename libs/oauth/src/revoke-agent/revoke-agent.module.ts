import { Module } from '@nestjs/common';
import { OrderModule } from '#order';
import { OAuthModule } from '../oauth.module.js';
import { RevokeAgentHandler } from './revoke-agent.handler.js';

/** Revoking an agent: apart from the authorization server, since it also ends mandates and the orders under way. */
@Module({
  imports: [OAuthModule, OrderModule],
  providers: [RevokeAgentHandler],
})
export class RevokeAgentModule {}
