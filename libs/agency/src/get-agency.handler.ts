import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { agencyStream } from '#events';
import { agencyDecider } from './agency.decider.js';
import { GetAgency } from './get-agency.query.js';

@QueryHandler(GetAgency)
export class GetAgencyHandler implements IQueryHandler<GetAgency> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ holder, clientId }: GetAgency) {
    return (await this.aggregates.load(agencyStream(holder, clientId), agencyDecider)).state;
  }
}
