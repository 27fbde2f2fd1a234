import { Injectable } from '@nestjs/common';
import type { BaseUrls } from '#http';
import type { Page } from '#site';
import type { Visitor } from '../sessions/visitors.js';
import { hiddenFields } from './forms.js';
import { loginPage, type RefusedLogin } from './login.page.js';
import { type ReturnTarget, ReturnTargets } from './return-targets.js';

/** The login page, whatever somebody logs in for. */
@Injectable()
export class LoginPages {
  constructor(private readonly targets: ReturnTargets) {}

  /**
   * For a visitor on the way to `to`; whoever is logged in is asked for the password once more before what moves money.
   * `refused`: the attempt that failed. Throws what the return target throws where there is nothing to lead to.
   */
  async page(
    to: ReturnTarget,
    { sessionId, traveller }: Visitor,
    urls: BaseUrls,
    refused: RefusedLogin | null = null,
  ): Promise<Page> {
    return loginPage({
      ...(await this.targets.loginText(to, traveller !== null)),
      hidden: hiddenFields(sessionId, to),
      host: this.targets.hostOf(to, urls),
      email: refused?.email ?? traveller?.email ?? '',
      refused,
    });
  }
}
