import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Checkouts, endMandate, finishReserved } from '#checkout';
import { Aggregates } from '#event-store';
import { Clock, type Context, type Instant, type Money } from '#kernel';
import { delegations } from './delegation/delegation.decider.js';
import { handleMandate, loadMandate, type MandateAt } from './read-mandates/load-mandate.js';

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

/** Narrows the mandate before its delegation, so that more counts against the cap than can be spent, never less (rule 29). */
@CommandHandler(NarrowMandate)
export class NarrowMandateHandler implements ICommandHandler<NarrowMandate> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
  ) {}

  async execute({ mandateId, holder, terms, context }: NarrowMandate): Promise<MandateAt> {
    const narrow = { type: 'Narrow', holder, ...terms } as const;
    const mandate = await handleMandate(this.aggregates, mandateId, narrow, context);
    const { clientId, limit, expiresAt } = mandate;
    const counted = { type: 'NarrowMandate', mandateId, limit, expiresAt } as const;
    await this.aggregates.handle(delegations, { holder, clientId }, counted, context);
    return { mandate, at: this.clock.now() };
  }
}

/** What the traveller of a mandate does to it, and needs no more to say. */
class CommandOfTraveller extends Command<MandateAt> {
  constructor(
    readonly mandateId: string,
    readonly holder: string,
    readonly context: Context,
  ) {
    super();
  }
}

/** Lets a paused mandate be charged again. Only its traveller may. */
export class ResumeMandate extends CommandOfTraveller {}

/** @throws DomainError `mandate_not_found`, `mandate_forbidden` */
@CommandHandler(ResumeMandate)
export class ResumeMandateHandler implements ICommandHandler<ResumeMandate> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
  ) {}

  async execute({ mandateId, holder, context }: ResumeMandate): Promise<MandateAt> {
    const mandate = await handleMandate(this.aggregates, mandateId, { type: 'Resume', holder }, context);
    return { mandate, at: this.clock.now() };
  }
}

/** Stops a mandate for as long as its traveller wants. What is under way is settled. */
export class PauseMandate extends CommandOfTraveller {}

/** Pauses a mandate, and returns once no order has money of it set aside: nothing is captured then (docs/consistency.md, rule 29). */
@CommandHandler(PauseMandate)
export class PauseMandateHandler implements ICommandHandler<PauseMandate> {
  constructor(private readonly checkouts: Checkouts) {}

  async execute({ mandateId, holder, context }: PauseMandate): Promise<MandateAt> {
    const { aggregates, clock } = this.checkouts;
    const mandate = await handleMandate(aggregates, mandateId, { type: 'Pause', holder }, context);
    await (mandate.pausedAt === null
      ? endMandate(this.checkouts, mandate, context)
      : finishReserved(this.checkouts, mandate, 'mandate_paused', context));
    return { mandate: await loadMandate(aggregates, mandateId, holder), at: clock.now() };
  }
}

/** Cancels a mandate of `holder` early, and settles what is under way. */
export class RevokeMandate extends CommandOfTraveller {}

/** Revokes, and returns once the mandate is at its end: after that nothing is captured (rule 9). Repeated, it goes on. */
@CommandHandler(RevokeMandate)
export class RevokeMandateHandler implements ICommandHandler<RevokeMandate> {
  constructor(private readonly checkouts: Checkouts) {}

  async execute({ mandateId, holder, context }: RevokeMandate): Promise<MandateAt> {
    const { aggregates, clock } = this.checkouts;
    const revoke = { type: 'Revoke', holder } as const;
    const revoked = await handleMandate(aggregates, mandateId, revoke, context);
    const { mandate } = await endMandate(this.checkouts, revoked, context);
    return { mandate: mandate.kind === 'granted' ? mandate : revoked, at: clock.now() };
  }
}
