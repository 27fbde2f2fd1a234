import type { Mutation } from '../mutation.js';

const SAGA = 'libs/order/src/checkout/checkout-saga.ts';
const PLACING = 'libs/order/src/place-order/place-order.ts';
const RECOVERY = 'libs/order/src/recovery/checkout-recovery.ts';
const placing = 'test/scenarios/placing.spec.ts';
const settling = 'test/scenarios/settling.spec.ts';
const sideBySide = 'test/scenarios/side-by-side.spec.ts';
const recovery = 'test/scenarios/checkout-recovery.spec.ts';
const runner = 'test/scenarios/runner.spec.ts';

/** A lease saves work: whatever is done without one comes to the same books, only later or twice. */
const SAVES_WORK = 'a lease and a pause save work, and no books are wrong without them';

/** The guards of an order on its way: rules 1 to 8. */
export const ORDER_GUARDS: readonly Mutation[] = [
  {
    rule: 1,
    name: 'checking before the checkout',
    file: 'libs/order/src/place-order/check-order.ts',
    from: 'if (chargeRefusal(spendable(known, charge), charge, clock.now()) === null) return;',
    to: 'if (known) return;',
    spec: placing,
  },
  {
    rule: 2,
    name: 'abandoning last',
    file: SAGA,
    from: 'const [mandate, flight, order] = await together(',
    to: `await aggregates.handle(bookings, bookingId, { type: 'AbandonCheckout', orderId }, context);
  const [mandate, flight, order] = await together(`,
    spec: placing,
  },
  {
    rule: 2,
    name: 'the frozen total',
    file: SAGA,
    from: 'await charge(processor, { orderId, amount: total, card, notAfter });',
    to: `await charge(processor, {
    orderId,
    card,
    notAfter,
    amount: {
      ...total,
      amount: seats.state.flight.fares.find(({ code }) => code === line.fareCode).price * line.passengers,
    },
  });`,
    spec: placing,
  },
  {
    rule: 2,
    name: 'charging after seats, order and money',
    file: SAGA,
    from: '    aggregates.handle(flights, line.flightNumber, hold, context),',
    to: '    (aggregates.handle(flights, line.flightNumber, hold, context).catch(() => null), { position: null }),',
    spec: sideBySide,
  },
  {
    rule: 2,
    name: 'ticketing after money and payment',
    file: SAGA,
    from: 'const [mandate, order] = await together(',
    to: `await aggregates.handle(bookings, bookingId, { type: 'TicketBooking', orderId, ticketCode }, context);
  const [mandate, order] = await together(`,
    spec: sideBySide,
  },
  {
    rule: 2,
    name: 'waiting for all before one failure',
    file: SAGA,
    from: 'await Promise.allSettled(work);',
    to: '',
    spec: sideBySide,
    beyond: 'which of two refusals is answered changes no books: the fences keep out what comes late',
  },
  {
    rule: 2,
    name: 'one wait for what goes side by side',
    file: SAGA,
    from: `const [mandate, order] = await together(
    aggregates.handle(mandates, mandateId, { type: 'Consume', orderId }, context),`,
    to: `const [mandate, order] = await together(
    await aggregates.handle(mandates, mandateId, { type: 'Consume', orderId }, context),`,
    spec: 'test/e2e/waits.spec.ts',
    beyond: 'it costs a wait for the disk, and a life has no disk',
  },
  {
    rule: 3,
    name: 'that only the opener runs it',
    file: PLACING,
    from: "if (events.length === 0) throw new OrderInTheWay('order_in_progress', orderId);",
    to: '',
    spec: placing,
  },
  {
    rule: 3,
    name: 'the order a command names',
    file: 'libs/booking/src/booking.decider.ts',
    from: `booking.kind === 'checkout' && booking.checkout.orderId === orderId;`,
    to: `booking.kind === 'checkout' && orderId !== '';`,
    spec: 'libs/booking/src/booking.decider.spec.ts',
    beyond: 'it takes a process that stands still at the last step of an order until the booking has its next one',
  },
  {
    rule: 4,
    name: 'the mark that `close` leaves',
    file: 'libs/payment/src/test-processor.ts',
    from: 'if (await (row ? this.replace(row, next) : this.ledger.insertIfAbsent(orderId, next))) return next;',
    to: 'if (!row || (await this.replace(row, next))) return next;',
    spec: settling,
  },
  {
    rule: 5,
    name: '“already so” of paid and failed',
    file: 'libs/order/src/order.decider.ts',
    from: "if (order.kind === 'paid') return [];",
    to: '',
    spec: settling,
  },
  {
    rule: 5,
    name: 'placing and failing together',
    file: 'libs/order/src/order.decider.ts',
    from: "return order.kind === 'none' ? [placed(command.checkout, now), failed] : [failed];",
    to: 'return [failed];',
    spec: settling,
  },
  {
    rule: 6,
    name: 'the mandate’s fence and deadline',
    file: 'libs/mandate/src/mandate.decider.ts',
    from: 'if (now > holdBefore || ofOrder(mandate.fences, orderId)) throw new TooLate();',
    to: '',
    spec: settling,
  },
  {
    rule: 6,
    name: 'the flight’s fence and deadline',
    file: 'libs/catalog/src/flight.decider.ts',
    from: 'if (now > holdBefore || ofOrder(state.fences, orderId)) throw new TooLate();',
    to: '',
    spec: settling,
  },
  {
    rule: 6,
    name: 'recording an empty release',
    file: 'libs/mandate/src/mandate.decider.ts',
    from: 'if (reserved === undefined && cannotReserveAnyMore) return [];',
    to: 'if (reserved === undefined) return [];',
    spec: settling,
    beyond: 'it takes a reservation that arrives late and that no other write overtakes: not once in a thousand lives',
  },
  {
    rule: 7,
    name: 'asking the ledger',
    file: PLACING,
    from: 'return { checkout, failure };',
    to: 'throw failure;',
    spec: settling,
  },
  {
    rule: 7,
    name: 'the order’s id in the 503',
    file: PLACING,
    from: 'throw new OrderOutcomeUnknown(orderId, error);',
    to: "throw new DomainError('service_unavailable');",
    spec: settling,
  },
  {
    rule: 8,
    name: 'listing from `BookingCheckoutStarted` on',
    file: 'libs/order/src/recovery/open-checkouts.projection.ts',
    from: 'return { orderId, dueAt, ...(runner && { runner }) };',
    to: 'return { orderId, dueAt: `9${dueAt}` };',
    spec: 'libs/order/src/projections.spec.ts',
  },
  {
    rule: 8,
    name: 'going on past a failure',
    file: RECOVERY,
    from: `        backOff.fail(id);
        observer.onError(id, error);`,
    to: '        throw error;',
    spec: recovery,
    beyond: 'once the lines of a life are good nothing fails any more, so that no work stands behind a failure',
  },
  {
    rule: 8,
    name: 'finishing all at an embedded start',
    file: RECOVERY,
    from: "return this.finishCheckouts([before('9999')], undefined);",
    to: 'return this.finishCheckouts([before(this.checkouts.clock.now())], undefined);',
    spec: recovery,
    beyond: 'a process of a life is never alone with its stores, as an embedded one is',
  },
  {
    rule: 8,
    name: 'prolonging the lease in a long round',
    file: 'libs/documents/src/leases.ts',
    from: 'if (await this.hold(name, milliseconds)) endsAt',
    to: 'if (await this.hold(name, 1)) endsAt',
    spec: recovery,
    beyond: SAVES_WORK,
  },
  {
    rule: 8,
    name: 'the end of a round whose lease is lost',
    file: RECOVERY,
    from: 'if (lost?.aborted) return done;',
    to: '',
    spec: recovery,
    beyond: SAVES_WORK,
  },
  {
    rule: 8,
    name: 'forgetting what others have finished',
    file: RECOVERY,
    from: 'backOff.keepOnly(seen);',
    to: '',
    spec: recovery,
    beyond: SAVES_WORK,
  },
  {
    rule: 8,
    name: 'the lease of who runs it',
    file: PLACING,
    from: 'runner: this.runner.id,',
    to: 'runner: undefined,',
    spec: runner,
    beyond: SAVES_WORK,
  },
  {
    rule: 8,
    name: 'watching by a timer of one’s own',
    file: 'libs/documents/src/leases.ts',
    from: 'hasLapsed: unchanged >= length',
    to: 'hasLapsed: term === null',
    spec: runner,
    beyond: SAVES_WORK,
  },
  {
    rule: 8,
    name: 'which order the list names',
    file: RECOVERY,
    from: "if (booking.kind !== 'checkout' || booking.checkout.orderId !== orderId) return false;",
    to: "if (booking.kind !== 'checkout') return false;",
    spec: runner,
    beyond: 'an order that is ended too soon fails and can be placed again: no books are wrong',
  },
];
