import { OrderInTheWay } from '#booking';
import { ERROR_CATALOGUE, type IdempotentOperation } from '#http';
import { DomainError, type Party, SCOPES, systemContext } from '#kernel';
import { loadMandate } from '#mandate';
import { orderOperation, Orders } from '#order';
import { OrderOutcomeUnknown, PlaceOrder } from '../../libs/order/src/testing/index.js';
import type { SimulatedProcess } from './processes.js';
import { URLS } from './world.js';

/** `POST /orders`, as an agent sends it. */
export interface AgentRequest {
  readonly by: Party;
  /** null: it has no `Idempotency-Key`. */
  readonly key: string | null;
  readonly body: object;
}

/** What a process carried out for agents, behind their keys: production code from `IdempotentRequests` on. */
export const carryOut = <View extends object>(
  { idempotent }: SimulatedProcess,
  { by, key, body }: AgentRequest,
  operation: IdempotentOperation<View>,
): Promise<View> => {
  const caller = { ...by, scopes: SCOPES, grantId: 'g' };
  const headers = key === null ? {} : { 'idempotency-key': key };
  const log = { error: () => undefined };
  const request = { caller, headers, body, log, urls: URLS, method: 'POST', routeOptions: { url: '/orders' } };
  return idempotent.run({ request, header: () => undefined }, operation);
};

/** Where a process takes commands of agents, and reads what they ask for. */
const deskOf = ({ use, clock }: SimulatedProcess) => {
  const execute = (command: unknown): Promise<never> => {
    // A bus gives what its caller asks for: that it is an order, only the handler knows.
    if (command instanceof PlaceOrder) return use.placeOrder.execute(command) as Promise<never>;
    throw new Error('nobody carries this out');
  };
  const mandates = {
    get: async (id: string, holder: string) => ({
      mandate: await loadMandate(use.aggregates, id, holder),
      at: clock.now(),
    }),
  };
  return { commands: { execute }, mandates, orders: use.the(Orders) };
};

type OrderBody = Parameters<typeof orderOperation>[1];

const contextOf = (by: Party) => ({
  caller: { ...by, scopes: SCOPES, grantId: 'g' },
  context: { ...systemContext('a simulated request'), actor: by },
  urls: URLS,
});

export const ordering = (process: SimulatedProcess, by: Party, body: OrderBody) =>
  orderOperation(deskOf(process), body, contextOf(by));

/** Whether an answer says for sure that nothing is charged under an order's id, now or later. */
export const isDefiniteNo = (error: unknown, orderId: string): boolean => {
  if (!(error instanceof DomainError)) return !(error instanceof OrderOutcomeUnknown);
  if (error.code === 'payment_challenge_required' || error.cause instanceof OrderOutcomeUnknown) return false;
  return !(error.cause instanceof OrderInTheWay && error.cause.orderId === orderId);
};

/** Whether an agent may send a request again under its key: what became of it is not known, or not yet. */
export const isOpen = (error: unknown): boolean =>
  !(error instanceof DomainError) ||
  ERROR_CATALOGUE[error.code].status >= 500 ||
  error.code === 'idempotency_in_flight';
