import type { Buses, IdempotentOperation, RequestContext } from '#http';
import { CHARGE_SCOPES } from '#kernel';
import type { CreateMandateDto } from '../mandate.dto.js';
import type { MandateView } from '../mandate.view.js';
import { CreatedMandate, CreateMandate } from './create-mandate.js';

/** How a mandate is created, whichever door its agent came through (docs/interface.md, endpoint 8). */
export const mandateOperation = (
  { commands, queries }: Buses,
  { scope = CHARGE_SCOPES, limit: { amount, currency }, durationMinutes = 60 }: CreateMandateDto,
  { caller, context, urls }: RequestContext,
): IdempotentOperation<MandateView> => {
  const terms = { scope, limit: { amount, currency }, minutes: durationMinutes };
  return {
    start: (id) => commands.execute(new CreateMandate(id, caller, terms, urls, context)),
    find: (id) => queries.execute(new CreatedMandate(id, urls)),
  };
};
