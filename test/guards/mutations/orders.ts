import { guards, type Mutation } from '../mutation.js';

const SAGA = 'libs/checkout/src/checkout-saga.ts';
const PLACING = 'libs/order/src/place-order/place-order.ts';
const RECOVERY = 'libs/checkout/src/recovery/checkout-recovery.ts';
const placing = 'test/scenarios/placing.spec.ts';
const settling = 'test/scenarios/settling.spec.ts';
const sideBySide = 'test/scenarios/side-by-side.spec.ts';
const recovery = 'test/scenarios/checkout-recovery.spec.ts';
const runner = 'test/scenarios/runner.spec.ts';
const leftOpen = 'test/scenarios/left-open.spec.ts';
const promise = 'test/scenarios/promise.spec.ts';
const price = 'libs/order/src/place-order/charged-price.rule.spec.ts';

/** A lease saves work: whatever is done without one comes to the same books, only later or twice. */
const SAVES_WORK = 'a lease and a pause save work, and no books are wrong without them';

/** The guards of an order on its way: rules 1 to 8. */
export const ORDER_GUARDS: readonly Mutation[] = [
  ...guards(1, 'libs/order/src/place-order/check-order.ts', placing, {
    'checking before the checkout': [
      'if (chargeRefusal(spendable(known, charge), charge, clock.now()) === null) return;',
      'if (known) return;',
    ],
  }),
  ...guards(2, SAGA, placing, {
    'abandoning last': [
      'const [, flight, order] = await together(',
      `await aggregates.handle(bookings, bookingId, { type: 'AbandonCheckout', orderId }, context);
  const [, flight, order] = await together(`,
    ],
    'the frozen total': [
      'await charge(processor, { orderId, amount: total, card, notAfter });',
      `await charge(processor, {
    orderId,
    card,
    notAfter,
    amount: {
      ...total,
      amount: seats.state.flight.fares.find(({ code }) => code === line.fareCode).price * line.passengers,
    },
  });`,
    ],
  }),
  ...guards(2, SAGA, sideBySide, {
    'charging after seats, order and money': [
      '    aggregates.handle(flights, flightIdOf(line), hold, context),',
      '    (aggregates.handle(flights, flightIdOf(line), hold, context).catch(() => null), { position: null }),',
    ],
    'ticketing after money and payment': [
      'const [, order] = await together(',
      `await aggregates.handle(bookings, bookingId, { type: 'TicketBooking', orderId, ticketCode }, context);
  const [, order] = await together(`,
    ],
    'waiting for all before one failure': [
      'await Promise.allSettled(work);',
      '',
      'which of two refusals is answered changes no books: the fences keep out what comes late',
    ],
  }),
  ...guards(2, SAGA, 'test/e2e/waits.spec.ts', {
    'one wait for what goes side by side': [
      `const [, order] = await together(
    aggregates.handle(mandates, mandateId, { type: 'Consume', orderId }, context),`,
      `const [, order] = await together(
    await aggregates.handle(mandates, mandateId, { type: 'Consume', orderId }, context),`,
      'it costs a wait for the disk, and a life has no disk',
    ],
  }),
  ...guards(3, PLACING, placing, {
    'that only the opener runs it': [
      "if (events.length === 0) throw new OrderInTheWay('order_in_progress', orderId);",
      '',
    ],
  }),
  ...guards(3, 'libs/booking/src/booking.decider.ts', 'libs/booking/src/booking.decider.spec.ts', {
    'the order a command names': [
      `booking.kind === 'checkout' && booking.checkout.orderId === orderId;`,
      `booking.kind === 'checkout' && orderId !== '';`,
      'it takes a process that stands still at the last step of an order until the booking has its next one',
    ],
  }),
  ...guards(4, 'libs/checkout/src/payment/test-processor.ts', settling, {
    'the mark that `close` leaves': [
      'if (await (row ? this.replace(row, next) : this.ledger.insertIfAbsent(orderId, next))) return next;',
      'if (!row || (await this.replace(row, next))) return next;',
    ],
  }),
  ...guards(5, 'libs/order/src/order.decider.ts', settling, {
    '“already so” of paid and failed': ['if (isCharged(order)) return [];', ''],
    'placing and failing together': [
      "return order.kind === 'none' ? [placed(command.checkout, now), failed] : [failed];",
      'return [failed];',
    ],
  }),
  ...guards(6, 'libs/mandate/src/mandate.decider.ts', settling, {
    'the mandate’s fence and deadline': [
      'if (now > holdBefore || ofOrder(mandate.fences, orderId)) throw new TooLate();',
      '',
    ],
    'recording an empty release': [
      'if (reserved === undefined && cannotReserveAnyMore) return [];',
      'if (reserved === undefined) return [];',
      'it takes a reservation that arrives late and that no other write overtakes: not once in a thousand lives',
    ],
  }),
  ...guards(6, 'libs/catalog/src/flight.decider.ts', settling, {
    'the flight’s fence and deadline': [
      'if (now > holdBefore || ofOrder(state.fences, orderId)) throw new TooLate();',
      '',
    ],
  }),
  ...guards(7, PLACING, settling, {
    'asking the ledger': [
      'return { checkout, challenged: null, outcome: undefined, heldAt: null, failure };',
      'throw failure;',
    ],
    'the order’s id in the 503': [
      'throw new OrderOutcomeUnknown(orderId, error);',
      "throw new DomainError('service_unavailable');",
    ],
  }),
  ...guards(
    8,
    'libs/checkout/src/recovery/open-checkouts.projection.ts',
    'libs/checkout/src/recovery/open-checkouts.projection.spec.ts',
    {
      'listing from `BookingCheckoutStarted` on': [
        'return { orderId, dueAt, ...(runner && { runner }) };',
        'return { orderId, dueAt: `9${dueAt}` };',
      ],
    },
  ),
  ...guards(8, RECOVERY, recovery, {
    'going on past a failure': [
      `        backOff.fail(id);
        observer.onError(id, error);`,
      '        throw error;',
      'once the lines of a life are good nothing fails any more, so that no work stands behind a failure',
    ],
    'finishing all at an embedded start': [
      "return this.finishCheckouts([before('9999')], undefined);",
      'return this.finishCheckouts([before(this.checkouts.clock.now())], undefined);',
      'a process of a life is never alone with its stores, as an embedded one is',
    ],
    'the end of a round whose lease is lost': ['if (lost?.aborted) return done;', '', SAVES_WORK],
    'forgetting what others have finished': ['backOff.keepOnly(seen);', '', SAVES_WORK],
  }),
  ...guards(8, 'libs/documents/src/leases.ts', recovery, {
    'prolonging the lease in a long round': [
      'if (await this.hold(name, milliseconds)) endsAt',
      'if (await this.hold(name, 1)) endsAt',
      SAVES_WORK,
    ],
  }),
  ...guards(8, PLACING, runner, {
    'the lease of who runs it': ['runner: this.runner.id,', 'runner: undefined,', SAVES_WORK],
  }),
  ...guards(8, PLACING, leftOpen, {
    'ending what one’s own request left open': [
      'if (error instanceof OrderOutcomeUnknown) this.leftOpen',
      'if (error instanceof ChallengeRequired) this.leftOpen',
      SAVES_WORK,
    ],
  }),
  ...guards(8, 'libs/documents/src/leases.ts', runner, {
    'watching by a timer of one’s own': ['hasLapsed: unchanged >= length', 'hasLapsed: term === null', SAVES_WORK],
  }),
  ...guards(8, RECOVERY, runner, {
    'which order the list names': [
      "if (booking.kind !== 'checkout' || booking.checkout.orderId !== orderId) return false;",
      "if (booking.kind !== 'checkout') return false;",
      'an order that is ended too soon fails and can be placed again: no books are wrong',
    ],
  }),
  ...guards(34, 'libs/order/src/place-order/check-order.ts', promise, {
    'the price in the flight’s stream': [
      'wasPromised ? await aggregates.known(flights, flightIdOf(name), isOnSale) : null;',
      'await aggregates.known(flights, flightIdOf(name), isOnSale);',
    ],
    'the promised price': [
      'const today = wasPromised ? null',
      'const today = fare === undefined ? null',
      'the booking’s stream opens no checkout at another price while it is promised: the order only fails',
    ],
  }),
  ...guards(34, 'libs/order/src/place-order/charged-price.rule.ts', price, {
    'the end of the promise': ['if (!isNamed(total, promised.total, named)) {', 'if (named === null) {'],
    'the most that is accepted': ['if (acceptUpTo && !covers(acceptUpTo, total)) return false;', ''],
    'the conditions after the promise': ['if (today && isHarder(today, promised)) {', 'if (today === undefined) {'],
  }),
  ...guards(34, 'libs/order/src/challenge/complete-challenge.ts', promise, {
    'the price that completes': [
      'isNamed(total, promised, request);',
      'request !== null || isNamed(total, promised, request);',
    ],
  }),
  ...guards(34, 'libs/booking/src/booking.state.ts', 'libs/booking/src/booking.decider.spec.ts', {
    'the promised conditions': [
      'sameConditions(one.conditions, other.conditions) &&',
      '',
      'a price is promised anew with them, at another moment',
    ],
  }),
  ...guards(34, 'libs/booking/src/booking.decider.ts', 'libs/booking/src/booking.decider.spec.ts', {
    'the promise as it was judged': [
      'isPromised(current.choice, now) === judged.wasPromised;',
      'true;',
      'between judging and writing hardly any time passes in a life',
    ],
  }),
];
