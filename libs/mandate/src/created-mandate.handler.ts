import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { mandateStream } from '#events';
import { Clock, DomainError } from '#kernel';
import { CreatedMandate } from './created-mandate.query.js';
import { mandateDecider } from './mandate.decider.js';
import { mandateView } from './mandate.view.js';

@QueryHandler(CreatedMandate)
export class CreatedMandateHandler implements IQueryHandler<CreatedMandate> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
  ) {}

  async execute({ mandateId, urls }: CreatedMandate) {
    const { state } = await this.aggregates.load(mandateStream(mandateId), mandateDecider);
    if (state.kind === 'granted') return mandateView(state, this.clock.now(), urls);
    return state.kind === 'abandoned' ? new DomainError('service_unavailable') : null;
  }
}
