import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import type { BaseUrls } from '#http';
import { Clock, DomainError, isId } from '#kernel';
import { mandates } from '../mandate.decider.js';
import type { GrantedMandate } from '../mandate.state.js';
import { type MandateView, mandateView } from '../mandate.view.js';

/**
 * A mandate of this holder as its stream has it now.
 *
 * @throws DomainError `mandate_not_found`, `mandate_forbidden` (another holder's)
 */
export const loadMandate = async (
  aggregates: Aggregates,
  mandateId: string,
  holder: string,
): Promise<GrantedMandate> => {
  if (!isId(mandateId)) throw new DomainError('mandate_not_found');
  const { state } = await aggregates.load(mandates, mandateId);
  if (state.kind !== 'granted') throw new DomainError('mandate_not_found');
  if (state.holder !== holder) throw new DomainError('mandate_forbidden');
  return state;
};

/** A mandate by id, for any client of its holder. */
export class GetMandate extends Query<MandateView> {
  constructor(
    readonly mandateId: string,
    readonly holder: string,
    readonly urls: BaseUrls,
  ) {
    super();
  }
}

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
