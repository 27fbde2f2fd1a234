import { Command } from '@nestjs/cqrs';
import type { BaseUrls } from '#http';
import type { Context } from '#kernel';
import type { MandateView } from './mandate.view.js';

/** Cancels a mandate of `holder` early. Its handler sits in `libs/order`: a revocation settles what is under way. */
export class RevokeMandate extends Command<MandateView> {
  constructor(
    readonly mandateId: string,
    readonly holder: string,
    readonly urls: BaseUrls,
    readonly context: Context,
  ) {
    super();
  }
}
