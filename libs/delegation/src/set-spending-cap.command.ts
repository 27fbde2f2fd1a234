import { Command } from '@nestjs/cqrs';
import type { Context, Money } from '#kernel';

/** The traveller sets what one agent may spend in all, or (null) takes that limit away (docs/consistency.md, rule 19). */
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
