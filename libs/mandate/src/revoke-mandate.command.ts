import { Command } from '@nestjs/cqrs';
import type { Context } from '#kernel';
import type { MandateAt } from './read-mandates/load-mandate.js';

/** Cancels a mandate of `holder` early. Its handler sits in `libs/order`: a revocation settles what is under way. */
export class RevokeMandate extends Command<MandateAt> {
  constructor(
    readonly mandateId: string,
    readonly holder: string,
    readonly context: Context,
  ) {
    super();
  }
}
