import type { CommandBus } from '@nestjs/cqrs';
import { type BaseUrls, changed, type IdempotentOperation, type Metadata, type RequestContext } from '#http';
import { CHARGE_SCOPES, type Currency, DomainError, money, type Party } from '#kernel';
import type { Constraints } from '#events';
import { type MandateView, mandateView } from './mandate.view.js';
import type { Mandates } from './read-mandates/mandates.js';
import { RevokeMandate } from './change-mandate.js';
import type { ConstraintsDto, CreateMandateDto, LimitDto } from './mandate.dto.js';
import type { MandateAt } from './read-mandates/load-mandate.js';
import { CreateMandate, type MandateTerms } from './create-mandate/create-mandate.js';

export interface MandateDesk {
  readonly commands: Pick<CommandBus, 'execute'>;
  readonly mandates: Mandates;
}

export const readMandate = async (
  mandates: Mandates,
  id: string,
  caller: Party,
  urls: BaseUrls,
): Promise<MandateView> =>
  mandateView(await mandates.get(id, caller.holder), urls, await mandates.attached.notedOn(id, caller));

/** A mandate after it was revoked, whichever channel its agent uses (docs/interface.md, endpoint 9). */
export const revokedMandate = async (
  { commands, mandates }: MandateDesk,
  id: string,
  { caller, context, urls }: RequestContext,
): Promise<MandateView> => {
  const revoked = await commands.execute(new RevokeMandate(id, caller.holder, context));
  return mandateView(revoked, urls, await mandates.attached.notedOn(id, caller));
};

/** How a mandate is created, whichever channel its agent uses (docs/interface.md, endpoint 8). */
export const mandateOperation = (
  { commands, mandates }: MandateDesk,
  body: CreateMandateDto,
  { caller, context, urls }: RequestContext,
): IdempotentOperation<MandateView> => {
  const terms = termsOf(body);
  const given = changed({}, body.metadata ?? {});
  const view = (created: MandateAt, metadata: Metadata) => mandateView(created, urls, metadata);
  return {
    begin: async (id) =>
      view(await commands.execute(new CreateMandate(id, caller, terms, context, undefined, given)), given),
    outcomeOf: async (id) => {
      const created = await mandates.created(id);
      return created && 'mandate' in created ? view(created, await mandates.attached.notedOn(id, caller)) : created;
    },
  };
};

/** The terms that a request asks for. @throws DomainError `invalid_constraints` where a price is in another currency than the ceiling */
export const termsOf = ({
  scope = CHARGE_SCOPES,
  limit: { amount, currency },
  durationMinutes: minutes = 60,
  constraints,
}: CreateMandateDto): MandateTerms => {
  const terms = { scope, limit: { amount, currency }, minutes };
  return constraints ? { ...terms, constraints: constraintsOf(constraints, currency) } : terms;
};

const constraintsOf = (
  { from, to, maxPricePerSeat, maxOrders, orderTotal }: ConstraintsDto,
  currency: Currency,
): Constraints => {
  const prices = { maxPricePerSeat, 'orderTotal.min': orderTotal?.min, 'orderTotal.max': orderTotal?.max };
  const details = Object.entries(prices).flatMap(([name, price]) =>
    price && price.currency !== currency
      ? [{ field: `constraints.${name}.currency`, message: 'deve ser a moeda de limit' }]
      : [],
  );
  if (details.length > 0) throw new DomainError('invalid_constraints', details);
  const inIt = ({ amount }: LimitDto) => money(amount, currency);
  return {
    ...(from && { from }),
    ...(to && { to }),
    ...(maxPricePerSeat && { maxPricePerSeat: inIt(maxPricePerSeat) }),
    ...(maxOrders !== undefined && { maxOrders }),
    ...(orderTotal && {
      orderTotal: { ...(orderTotal.min && { min: inIt(orderTotal.min) }), max: inIt(orderTotal.max) },
    }),
  };
};
