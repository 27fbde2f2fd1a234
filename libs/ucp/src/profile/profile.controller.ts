import { Controller, Get, Header, Injectable, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type BaseUrls, CurrentBaseUrls, ETagInterceptor, Public } from '#http';
import { businessProfile, type PaymentHandlers } from './business-profile.js';

/** The ways to pay that the profile names: those of the payment handlers, where there are any. */
@Injectable()
export class ProfileHandlers {
  /** Those on offer under these addresses. */
  all(_urls: BaseUrls): PaymentHandlers {
    return {};
  }
}

/** `GET {site_url}/.well-known/ucp`: what a platform reads before it asks for anything. */
@ApiExcludeController()
@Public()
@Controller('.well-known/ucp')
export class ProfileController {
  constructor(private readonly handlers: ProfileHandlers) {}

  @Get()
  @Header('Cache-Control', 'public, max-age=300')
  @UseInterceptors(ETagInterceptor)
  profile(@CurrentBaseUrls() urls: BaseUrls) {
    return businessProfile(urls, this.handlers.all(urls), []);
  }
}
