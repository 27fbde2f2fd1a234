import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { delegations } from './delegation/delegation.decider.js';
import { Aggregates } from '#event-store';
import { Clock, type Context, type Instant, type Money } from '#kernel';
import { ReadModels } from '#read-models';
import { mandates } from './mandate.decider.js';
import { handleMandate, type MandateAt } from './read-mandates/load-mandate.js';

/** Lowers the ceiling of a mandate, or brings its end nearer; what is absent stays. Only its traveller may. */
export class NarrowMandate extends Command<MandateAt> {
  constructor(
    readonly mandateId: string,
    readonly holder: string,
    readonly terms: { readonly limit?: Money; readonly expiresAt?: Instant },
    readonly context: Context,
  ) {
    super();
  }
}

/**
 * The mandate's own stream first: until the delegation has it too, more counts against the cap than can be spent, and
 * never less (docs/consistency.md, rule 29). Done again, it takes up what was left half done.
 *
 * @throws DomainError `invalid_limit`, `invalid_validity`, `mandate_revoked`, `mandate_not_found`, `mandate_forbidden`
 */
@CommandHandler(NarrowMandate)
export class NarrowMandateHandler implements ICommandHandler<NarrowMandate> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ mandateId, holder, terms, context }: NarrowMandate): Promise<MandateAt> {
    const narrow = { type: 'Narrow', holder, ...terms } as const;
    const { mandate, position } = await handleMandate(this.aggregates, mandateId, narrow, context);
    const { clientId, limit, expiresAt } = mandate;
    const counted = { type: 'NarrowMandate', mandateId, limit, expiresAt } as const;
    await this.aggregates.handle(delegations, { holder, clientId }, counted, context);
    await this.readModels.waitFor(mandates, position);
    return { mandate, at: this.clock.now() };
  }
}

/** Lets a paused mandate be charged again. Only its traveller may. */
export class ResumeMandate extends Command<MandateAt> {
  constructor(
    readonly mandateId: string,
    readonly holder: string,
    readonly context: Context,
  ) {
    super();
  }
}

/** @throws DomainError `mandate_not_found`, `mandate_forbidden` */
@CommandHandler(ResumeMandate)
export class ResumeMandateHandler implements ICommandHandler<ResumeMandate> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ mandateId, holder, context }: ResumeMandate): Promise<MandateAt> {
    const { mandate, position } = await handleMandate(this.aggregates, mandateId, { type: 'Resume', holder }, context);
    await this.readModels.waitFor(mandates, position);
    return { mandate, at: this.clock.now() };
  }
}

/** Stops a mandate for as long as its traveller wants. Its handler is in `libs/order`, which settles what is under way. */
export class PauseMandate extends Command<MandateAt> {
  constructor(
    readonly mandateId: string,
    readonly holder: string,
    readonly context: Context,
  ) {
    super();
  }
}

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
