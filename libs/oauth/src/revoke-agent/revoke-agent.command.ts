import { Command } from '@nestjs/cqrs';
import type { Context } from '#kernel';

/**
 * The traveller no longer lets an agent act for them: its tokens die, and its mandates are revoked. Only their own login
 * session may send it.
 */
export class RevokeAgent extends Command<void> {
  constructor(
    readonly holder: string,
    readonly clientId: string,
    readonly context: Context,
  ) {
    super();
  }
}
