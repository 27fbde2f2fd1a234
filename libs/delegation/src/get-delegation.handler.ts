import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { GetDelegation } from './get-delegation.query.js';
import { delegations } from './delegation.decider.js';

@QueryHandler(GetDelegation)
export class GetDelegationHandler implements IQueryHandler<GetDelegation> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ holder, clientId }: GetDelegation) {
    return (await this.aggregates.load(delegations, { holder, clientId })).state;
  }
}
