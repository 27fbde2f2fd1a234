import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates, type Position } from '#event-store';
import { Clock, type Context, DomainError, type Instant, isId } from '#kernel';
import type { MandateCommand } from '../mandate.commands.js';
import { mandates } from '../mandate.decider.js';
import type { GrantedMandate } from '../mandate.state.js';

/** A mandate and the instant of the answer: its status and what is left of its validity depend on both. */
export interface MandateAt {
  readonly mandate: GrantedMandate;
  readonly at: Instant;
}

/**
 * A mandate by id, for its holder and any client of theirs.
 *
 * @throws DomainError `mandate_not_found`, `mandate_forbidden` (another holder's)
 */
export class GetMandate extends Query<MandateAt> {
  constructor(
    readonly mandateId: string,
    readonly holder: string,
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

  async execute({ mandateId, holder }: GetMandate): Promise<MandateAt> {
    return { mandate: await loadMandate(this.aggregates, mandateId, holder), at: this.clock.now() };
  }
}

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

/**
 * Has a mandate decide on a command of its traveller.
 *
 * @throws DomainError `mandate_not_found`, and what the command is refused with
 */
export const handleMandate = async (
  aggregates: Aggregates,
  mandateId: string,
  command: MandateCommand,
  context: Context,
): Promise<{ readonly mandate: GrantedMandate; readonly position: Position | null }> => {
  if (!isId(mandateId)) throw new DomainError('mandate_not_found');
  const { state, position } = await aggregates.handle(mandates, mandateId, command, context);
  if (state.kind !== 'granted') throw new DomainError('mandate_not_found');
  return { mandate: state, position };
};
