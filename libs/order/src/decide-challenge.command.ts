import { Command } from '@nestjs/cqrs';
import type { Context } from '#kernel';

/** The holder's word on a challenge. Only their own login session may send it (docs/consistency.md, rule 10). */
export class DecideChallenge extends Command<void> {
  constructor(
    readonly orderId: string,
    readonly holder: string,
    readonly decision: 'approve' | 'deny',
    readonly context: Context,
  ) {
    super();
  }
}
