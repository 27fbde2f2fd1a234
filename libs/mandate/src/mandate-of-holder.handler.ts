import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { loadMandate } from './read-mandates/get-mandate.js';
import { MandateOfHolder } from './mandate-of-holder.query.js';

/** @throws DomainError `mandate_not_found`, `mandate_forbidden` */
@QueryHandler(MandateOfHolder)
export class MandateOfHolderHandler implements IQueryHandler<MandateOfHolder> {
  constructor(private readonly aggregates: Aggregates) {}

  execute({ mandateId, holder }: MandateOfHolder) {
    return loadMandate(this.aggregates, mandateId, holder);
  }
}
