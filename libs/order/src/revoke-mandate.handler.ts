import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { delegations } from '#delegation';
import { Aggregates } from '#event-store';
import { Clock, DomainError, isId } from '#kernel';
import { loadMandate, mandates, RevokeMandate } from '#mandate';
import { ReadModels } from '#read-models';
import { MandateEnding } from './mandate-ending.js';

/**
 * Revokes, and answers once the mandate is at its end: after the 200 nothing is captured (docs/consistency.md, rule 9).
 * Doing it again takes up what was left half done.
 */
@CommandHandler(RevokeMandate)
export class RevokeMandateHandler implements ICommandHandler<RevokeMandate> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly ending: MandateEnding,
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
  ) {}

  async execute({ mandateId, holder, context }: RevokeMandate) {
    if (!isId(mandateId)) throw new DomainError('mandate_not_found');
    const revoke = { type: 'Revoke', holder } as const;
    const revoked = await this.aggregates.handle(mandates, mandateId, revoke, context);
    const closed = revoked.state.kind === 'granted' ? await this.ending.end(revoked.state, context) : null;
    await Promise.all([
      this.readModels.waitFor(mandates, revoked.position),
      this.readModels.waitFor(delegations, closed),
    ]);
    return { mandate: await loadMandate(this.aggregates, mandateId, holder), at: this.clock.now() };
  }
}
