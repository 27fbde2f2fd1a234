import type { Type } from '@nestjs/common';
import { Documents, Leases, ReadModelStore } from '#documents';
import { Aggregates } from '#event-store';
import { Clock, Ids } from '#kernel';
import { PaymentProcessor } from '#payment';
import { ReadModels } from '#read-models';
import { CheckoutRecovery } from '../checkout-recovery.js';
import { DecideChallengeHandler } from '../decide-challenge.handler.js';
import { MandateEnding } from '../mandate-ending.js';
import { OrderSettings } from '../order-settings.js';
import { PlaceOrderHandler } from '../place-order.handler.js';
import { RecoveryObserver } from '../recovery-observer.js';
import { RevokeMandateHandler } from '../revoke-mandate.handler.js';
import { Settlement } from '../settlement.js';

export { orderDecider } from '../order.decider.js';
export type { PlacedOrder } from '../order.state.js';
export type { OrderView } from '../order.view.js';
export { type Buyer, PlaceOrder } from '../place-order.command.js';
export { TicketStock } from '../ticket-stock.js';

/** What the use cases of orders stand on, in one process. */
export interface OrderPorts {
  readonly aggregates: Aggregates;
  readonly documents: Documents;
  readonly readModelStore: ReadModelStore;
  readonly readModels: ReadModels;
  readonly leases: Leases;
  readonly processor: PaymentProcessor;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: OrderSettings;
  readonly observer: RecoveryObserver;
}

/**
 * The use cases of orders as one process has them, for tests of several processes in one. They are composed by the types
 * of their constructors, as Nest does it, but at once: a simulation makes thousands of processes.
 */
export const orderUseCases = (ports: OrderPorts) => {
  const instances = new Map<unknown, unknown>([
    [Aggregates, ports.aggregates],
    [Documents, ports.documents],
    [ReadModelStore, ports.readModelStore],
    [ReadModels, ports.readModels],
    [Leases, ports.leases],
    [PaymentProcessor, ports.processor],
    [Clock, ports.clock],
    [Ids, ports.ids],
    [OrderSettings, ports.settings],
    [RecoveryObserver, ports.observer],
  ]);
  const create = <Instance>(type: Type<Instance>): Instance => {
    const types = Reflect.getMetadata('design:paramtypes', type) as readonly Type<unknown>[];
    return new type(...types.map((one) => resolve(one)));
  };
  const resolve = <Instance>(type: Type<Instance>): Instance => {
    const instance = instances.get(type) ?? create(type);
    instances.set(type, instance);
    return instance as Instance;
  };
  return {
    placeOrder: resolve(PlaceOrderHandler),
    revokeMandate: resolve(RevokeMandateHandler),
    decideChallenge: resolve(DecideChallengeHandler),
    settlement: resolve(Settlement),
    ending: resolve(MandateEnding),
    /** A recovery worker with an empty memory. */
    newRecovery: () => create(CheckoutRecovery),
  };
};
