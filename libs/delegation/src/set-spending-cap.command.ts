import { Command } from '@nestjs/cqrs';
import type { Context, Money } from '#kernel';

/**
 * The traveller sets what one agent may spend in all, or (null) takes that limit away (docs/consistency.md, rules 19 and
 * 28). Its handler sits in `libs/order`: a cap ends the mandates it leaves no room for, and settles what is under way.
 */
export class SetSpendingCap extends Command<void> {
  constructor(
    readonly holder: string,
    readonly clientId: string,
    readonly cap: Money | null,
    readonly context: Context,
  ) {
    super();
  }
}
