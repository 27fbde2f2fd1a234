import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { delegations } from '#delegation';
import { Aggregates } from '#event-store';
import { Clock, type Context, DomainError, isId, type Money } from '#kernel';
import { ReadModels } from '#read-models';
import { MandateSettings } from './create-mandate/create-mandate.js';
import { mandates } from './mandate.decider.js';
import type { GrantedMandate } from './mandate.state.js';
import type { MandateAt } from './read-mandates/get-mandate.js';

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

/**
 * Writes the decision into the mandate's stream, and then carries out what stands there (docs/consistency.md, rule 31). A
 * second answer changes nothing; done again after a crash it takes up what was left half done.
 *
 * @throws DomainError `mandate_not_found`, `mandate_forbidden`; `mandate_cap_exceeded`, `rate_limited`, `invalid_token` where
 *   the delegation does not open it
 */
@CommandHandler(ApproveMandate)
export class ApproveMandateHandler implements ICommandHandler<ApproveMandate> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
    private readonly readModels: ReadModels,
    private readonly settings: MandateSettings,
  ) {}

  async execute({ mandateId, holder, terms, context }: ApproveMandate): Promise<MandateAt> {
    if (!isId(mandateId)) throw new DomainError('mandate_not_found');
    const approve = { type: 'Approve', holder, ...terms } as const;
    const { state } = await this.aggregates.handle(mandates, mandateId, approve, context);
    if (state.kind !== 'granted') throw new DomainError('mandate_not_found');
    const mandate = await this.grant(state, context);
    return { mandate, at: this.clock.now() };
  }

  private async grant(mandate: GrantedMandate, context: Context): Promise<GrantedMandate> {
    const approved = mandate.pending?.approved;
    if (!approved) return mandate;
    const { mandateId, holder, clientId, scope, constraints } = mandate;
    const { limit, expiresAt } = approved;
    const open = { type: 'OpenMandate', mandateId, limit, expiresAt, atMost: this.settings.openMandates } as const;
    await this.aggregates.handle(delegations, { holder, clientId }, open, context);
    const terms = { mandateId, holder, clientId, scope, constraints, ...approved };
    const create = { type: 'CreateMandate', ...terms, grantedBy: 'traveller' } as const;
    const { state, position } = await this.aggregates.handle(mandates, mandateId, create, context);
    await this.readModels.waitFor(mandates, position);
    return state.kind === 'granted' ? state : mandate;
  }
}
