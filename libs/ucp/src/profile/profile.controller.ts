import { Controller, Get, Header, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type BaseUrls, CurrentBaseUrls, ETagInterceptor, Public } from '#http';
import { MessageKeys } from '#oauth';
import { PaymentTokens } from '../payment/payment-tokens.js';
import { capabilitiesBelow } from '../capabilities.js';
import { UcpSettings } from '../ucp-settings.js';
import { businessProfile } from './business-profile.js';

/** `GET {site_url}/.well-known/ucp`: what a platform reads before it asks for anything. */
@ApiExcludeController()
@Public()
@Controller('.well-known/ucp')
export class ProfileController {
  constructor(
    private readonly tokens: PaymentTokens,
    private readonly keys: MessageKeys,
    private readonly settings: UcpSettings,
  ) {}

  @Get()
  @Header('Cache-Control', 'public, max-age=300')
  @UseInterceptors(ETagInterceptor)
  async profile(@CurrentBaseUrls() urls: BaseUrls) {
    const keys = (await this.keys.all()).map(({ jwk }) => jwk);
    return businessProfile(urls, capabilitiesBelow(this.settings.namespace), this.tokens.handlers(urls), keys);
  }
}
