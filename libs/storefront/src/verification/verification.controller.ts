import { Controller, Get, Param } from '@nestjs/common';
import { type BaseUrls, CurrentBaseUrls, ErrorsAs } from '#http';
import { DomainError } from '#kernel';
import { AnswersPages, type Asset, type Page } from '#site';
import { storefrontErrors } from '../storefront.page.js';
import { VERIFICATION_FILES, VERIFICATION_STYLES } from './modules.js';
import { verificationPage } from './verification.page.js';

/** `{site_url}/verificar`: whoever has a bundle or a proof checks it in their own browser. */
@AnswersPages()
@ErrorsAs(storefrontErrors)
@Controller()
export class VerificationController {
  @Get('verificar')
  show(@CurrentBaseUrls() urls: BaseUrls): Page {
    return verificationPage(urls);
  }

  @Get('assets/verificar.css')
  styles(): Asset {
    return VERIFICATION_STYLES;
  }

  @Get('assets/verificar/*')
  file(@Param('*') path: string): Asset {
    const file = VERIFICATION_FILES.get(path);
    if (!file) throw new DomainError('route_not_found');
    return file;
  }
}
