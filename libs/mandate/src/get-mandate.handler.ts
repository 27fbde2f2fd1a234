import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { Clock } from '#kernel';
import { GetMandate } from './get-mandate.query.js';
import { loadMandate } from './load-mandate.js';
import { mandateView } from './mandate.view.js';

@QueryHandler(GetMandate)
export class GetMandateHandler implements IQueryHandler<GetMandate> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
  ) {}

  async execute({ mandateId, holder, urls }: GetMandate) {
    return mandateView(await loadMandate(this.aggregates, mandateId, holder), this.clock.now(), urls);
  }
}
