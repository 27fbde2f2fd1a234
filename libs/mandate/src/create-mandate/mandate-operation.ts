import type { Buses, IdempotentOperation, RequestContext } from '#http';
import type { Constraints } from '#events';
import { CHARGE_SCOPES, type Currency, DomainError, money } from '#kernel';
import type { ConstraintsDto, CreateMandateDto } from '../mandate.dto.js';
import { type MandateView, mandateView } from '../mandate.view.js';
import type { MandateAt } from '../read-mandates/get-mandate.js';
import { CreatedMandate, CreateMandate } from './create-mandate.js';

/** How a mandate is created, whichever channel its agent uses (docs/interface.md, endpoint 8). */
export const mandateOperation = (
  { commands, queries }: Buses,
  { scope = CHARGE_SCOPES, limit: { amount, currency }, durationMinutes = 60, constraints }: CreateMandateDto,
  { caller, context, urls }: RequestContext,
): IdempotentOperation<MandateView> => {
  const terms = {
    scope,
    limit: { amount, currency },
    minutes: durationMinutes,
    ...(constraints && { constraints: constraintsOf(constraints, currency) }),
  };
  const view = (created: MandateAt) => mandateView(created, urls);
  return {
    start: (id) => commands.execute(new CreateMandate(id, caller, terms, context)).then(view),
    find: async (id) => {
      const created = await queries.execute(new CreatedMandate(id));
      return created && 'mandate' in created ? view(created) : created;
    },
  };
};

/** The constraints of a request. @throws DomainError `invalid_constraints` where a price is in another currency than the ceiling */
const constraintsOf = ({ from, to, maxPricePerSeat, maxOrders }: ConstraintsDto, currency: Currency): Constraints => {
  if (maxPricePerSeat && maxPricePerSeat.currency !== currency) {
    const details = [{ field: 'constraints.maxPricePerSeat.currency', message: 'deve ser a moeda de limit' }];
    throw new DomainError('invalid_constraints', details);
  }
  return {
    ...(from && { from }),
    ...(to && { to }),
    ...(maxPricePerSeat && { maxPricePerSeat: money(maxPricePerSeat.amount, currency) }),
    ...(maxOrders !== undefined && { maxOrders }),
  };
};
