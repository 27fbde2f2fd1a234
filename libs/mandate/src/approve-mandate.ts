import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { grantApproved, openingOf } from '#checkout';
import { delegationDecider, delegations } from './delegation/delegation.decider.js';
import { Aggregates } from '#event-store';
import { Clock, type Context, type Money, plus, TooLate } from '#kernel';
import { MandateSettings } from './create-mandate/create-mandate.js';
import { mandates } from './mandate.decider.js';
import { type GrantedMandate, statusOf } from './mandate.state.js';
import { loadMandate, type MandateAt } from './read-mandates/load-mandate.js';

/** The traveller allows a mandate that an agent asked for, with this ceiling and for so many minutes from now on. */
export class ApproveMandate extends Command<MandateAt> {
  constructor(
    readonly mandateId: string,
    readonly holder: string,
    readonly terms: { readonly limit: Money; readonly minutes: number },
    readonly context: Context,
  ) {
    super();
  }
}

/** Writes the decision, then carries out what stands there, as often as it takes (docs/consistency.md, rule 31). */
@CommandHandler(ApproveMandate)
export class ApproveMandateHandler implements ICommandHandler<ApproveMandate> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
    private readonly settings: MandateSettings,
  ) {}

  async execute({ mandateId, holder, terms, context }: ApproveMandate): Promise<MandateAt> {
    const asked = await loadMandate(this.aggregates, mandateId, holder);
    const isOpen = statusOf(asked, this.clock.now()) === 'pending' && !asked.pending?.approved;
    if (isOpen) await this.checkRoom(asked, terms);
    const approve = { type: 'Approve', holder, ...terms } as const;
    const { state } = await this.aggregates.handle(mandates, mandateId, approve, context);
    const approved = state.kind === 'granted' ? state : asked;
    const mandate = await this.grant(approved, context).catch((error: unknown) => {
      // It was refused, or has lapsed, since: the first decision stands, and is returned.
      if (error instanceof TooLate) return loadMandate(this.aggregates, mandateId, holder);
      throw error;
    });
    return { mandate, at: this.clock.now() };
  }

  /** Whether the delegation would open it now. @throws DomainError why it would not */
  private async checkRoom(mandate: GrantedMandate, { limit, minutes }: ApproveMandate['terms']): Promise<void> {
    const { state } = await this.aggregates.load(delegations, mandate);
    const now = this.clock.now();
    const opening = openingOf(mandate, { limit, expiresAt: plus(now, minutes * 60_000) }, this.settings.openMandates);
    delegationDecider.decide({ ...opening, now }, state);
  }

  private async grant(mandate: GrantedMandate, context: Context): Promise<GrantedMandate> {
    const granted = await grantApproved(this.aggregates, mandate, this.settings.openMandates, context);
    return granted?.state.kind === 'granted' ? granted.state : mandate;
  }
}
