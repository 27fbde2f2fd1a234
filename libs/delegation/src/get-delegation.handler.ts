import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { delegationStream } from '#events';
import { delegationDecider } from './delegation.decider.js';
import { GetDelegation } from './get-delegation.query.js';

@QueryHandler(GetDelegation)
export class GetDelegationHandler implements IQueryHandler<GetDelegation> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ holder, clientId }: GetDelegation) {
    return (await this.aggregates.load(delegationStream(holder, clientId), delegationDecider)).state;
  }
}
