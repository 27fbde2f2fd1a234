import type { Type } from '@nestjs/common';
import { Documents, Leases, ReadModelStore } from '#documents';
import { Aggregates } from '#event-store';
import { Clock, Ids } from '#kernel';
import { PaymentProcessor } from '#payment';
import { ReadModels } from '#read-models';
import { DecideChallengeHandler } from '../challenge/decide-challenge.js';
import { CheckoutDependencies } from '../checkout/checkout-dependencies.js';
import { OrderSettings } from '../checkout/order-settings.js';
import { PlaceOrderHandler } from '../place-order/place-order.js';
import { CheckoutRecovery } from '../recovery/checkout-recovery.js';
import { RecoveryObserver } from '../recovery/recovery-observer.js';
import { RevokeMandateHandler } from '../recovery/revoke-mandate.handler.js';
import { SetSpendingCapHandler } from '../recovery/set-spending-cap.handler.js';

export type { Buyer } from '../checkout/checkout-dependencies.js';
export { orderView } from '../order.view.js';
export { ticketCode } from '../checkout/ticket-stock.js';
export { finishCheckout } from '../checkout/checkout-saga.js';
export { ChallengeRequired, OrderOutcomeUnknown, PlaceOrder } from '../place-order/place-order.js';

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
    setSpendingCap: resolve(SetSpendingCapHandler),
    decideChallenge: resolve(DecideChallengeHandler),
    checkouts: resolve(CheckoutDependencies),
    /** A recovery worker with an empty memory. */
    newRecovery: () => create(CheckoutRecovery),
  };
};
