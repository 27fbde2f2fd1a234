import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { Clock, DomainError, plus } from '#kernel';
import { ReadModels } from '#read-models';
import { CapRefusals } from './cap-refusals.js';
import { CreateMandate } from './create-mandate.command.js';
import { loadMandate } from './load-mandate.js';
import { MandateSettings } from './mandate-settings.js';
import { mandateView } from './mandate.view.js';
import { mandates } from './mandate.decider.js';
import { delegations } from '#delegation';

/** Opens the mandate in what the traveller lets this agent do, and then creates it (docs/consistency.md, rule 19). */
@CommandHandler(CreateMandate)
export class CreateMandateHandler implements ICommandHandler<CreateMandate> {
  private readonly capRefusals: CapRefusals;

  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
    private readonly readModels: ReadModels,
    private readonly settings: MandateSettings,
  ) {
    this.capRefusals = new CapRefusals(aggregates, clock);
  }

  async execute(command: CreateMandate) {
    const { mandateId, party, terms, urls, context } = command;
    const { holder, clientId } = party;
    const startsAt = this.clock.now();
    const expiresAt = plus(startsAt, terms.minutes * 60_000);
    const open = {
      type: 'OpenMandate',
      mandateId,
      limit: terms.limit,
      expiresAt,
      atMost: this.settings.openMandates,
    } as const;
    try {
      await this.aggregates.handle(delegations, { holder, clientId }, open, context);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'mandate_cap_exceeded') await this.capRefusals.record(command);
      throw error;
    }

    const create = { type: 'CreateMandate', mandateId, holder, clientId, ...terms, startsAt, expiresAt } as const;
    const { position } = await this.aggregates.handle(mandates, mandateId, create, context);
    await this.readModels.waitFor(mandates, position);
    return mandateView(await loadMandate(this.aggregates, mandateId, holder), this.clock.now(), urls);
  }
}
