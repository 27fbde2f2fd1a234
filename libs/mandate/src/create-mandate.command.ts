import { Command } from '@nestjs/cqrs';
import type { BaseUrls } from '#http';
import type { Context, Money, Scope } from '#kernel';
import type { MandateView } from './mandate.view.js';

/** What a traveller grants. `minutes`: how long it is valid. */
export interface MandateTerms {
  readonly scope: readonly Scope[];
  readonly limit: Money;
  readonly minutes: number;
}

/** Grants a mandate of the traveller `holder` to the agent `clientId`. `mandateId` is minted by the caller. */
export class CreateMandate extends Command<MandateView> {
  constructor(
    readonly mandateId: string,
    readonly party: { readonly holder: string; readonly clientId: string },
    readonly terms: MandateTerms,
    readonly urls: BaseUrls,
    readonly context: Context,
  ) {
    super();
  }
}
