import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { Clock, DomainError } from '#kernel';
import { CreatedMandate } from './created-mandate.query.js';
import { mandateView } from './mandate.view.js';
import { mandates } from './mandate.decider.js';

@QueryHandler(CreatedMandate)
export class CreatedMandateHandler implements IQueryHandler<CreatedMandate> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
  ) {}

  async execute({ mandateId, urls }: CreatedMandate) {
    const { state } = await this.aggregates.load(mandates, mandateId);
    if (state.kind === 'granted') return mandateView(state, this.clock.now(), urls);
    return state.kind === 'abandoned' ? new DomainError('service_unavailable') : null;
  }
}
