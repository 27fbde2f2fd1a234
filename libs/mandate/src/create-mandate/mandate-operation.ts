import type { Buses, IdempotentOperation, RequestContext } from '#http';
import { CHARGE_SCOPES } from '#kernel';
import type { CreateMandateDto } from '../mandate.dto.js';
import { type MandateView, mandateView } from '../mandate.view.js';
import type { MandateAt } from '../read-mandates/get-mandate.js';
import { CreatedMandate, CreateMandate } from './create-mandate.js';

/** How a mandate is created, whichever channel its agent uses (docs/interface.md, endpoint 8). */
export const mandateOperation = (
  { commands, queries }: Buses,
  { scope = CHARGE_SCOPES, limit: { amount, currency }, durationMinutes = 60 }: CreateMandateDto,
  { caller, context, urls }: RequestContext,
): IdempotentOperation<MandateView> => {
  const terms = { scope, limit: { amount, currency }, minutes: durationMinutes };
  const view = (created: MandateAt) => mandateView(created, urls);
  return {
    start: (id) => commands.execute(new CreateMandate(id, caller, terms, context)).then(view),
    find: async (id) => {
      const created = await queries.execute(new CreatedMandate(id));
      return created && 'mandate' in created ? view(created) : created;
    },
  };
};
