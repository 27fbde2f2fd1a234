import { guards, type Mutation } from '../mutation.js';

const SAGA = 'libs/checkout/src/refund-saga.ts';
const cancelling = 'test/scenarios/cancelling.spec.ts';

/** The guards of an order on its way back: rules 35 and 36. */
export const CANCELLING_GUARDS: readonly Mutation[] = [
  ...guards(35, 'libs/order/src/order.decider.ts', cancelling, {
    'one way back an order': ['if (reason !== null || order.kind !== ', 'if (reason === null && order.kind !== '],
    'the end of the quote': [
      'if (now < quotedFrom || now >= quotedUntil) throw',
      'if (now < quotedFrom) throw',
      'in a life no time passes in between',
    ],
    'its beginning': [
      'if (now < quotedFrom || now >= quotedUntil) throw',
      'if (now >= quotedUntil) throw',
      'in a life no clock is so far ahead that a fare keeps something else',
    ],
  }),
  ...guards(35, SAGA, cancelling, {
    'that a refused refund ends it': [
      "if (outcome?.status === 'refund_failed') {",
      "if (outcome?.status === 'refund_failed' && refund.amount === 0) {",
    ],
    'the order last': [
      'await countRefund(checkouts, order, context);',
      `await aggregates.handle(
    orders,
    orderId,
    { type: 'CancelOrder', refundId: outcome?.id ?? null, refundedAt: outcome?.refundedAt ?? null },
    context,
  );
  await countRefund(checkouts, order, context);`,
    ],
  }),
  ...guards(37, 'libs/catalog/src/flight.decider.ts', 'test/scenarios/flight-cancelled.spec.ts', {
    'that nothing is held of a cancelled flight': [
      "if (state.flight.cancelledAt !== undefined) throw new DomainError('flight_cancelled');\n  // Judged",
      '// Judged',
    ],
  }),
  ...guards(37, 'libs/order/src/cancel-flight/cancel-flight.ts', 'test/scenarios/flight-cancelled.spec.ts', {
    'the end of what is under way': [
      "if (booking.kind === 'checkout' && booking.checkout.orderId === orderId)",
      "if (booking.kind === 'none')",
    ],
  }),
  ...guards(36, 'libs/mandate/src/mandate.decider.ts', cancelling, {
    'that a refund is booked once': ['|| ofOrder(mandate.refunds, orderId)) return [];', ') return [];'],
  }),
  ...guards(36, 'libs/mandate/src/delegation/delegation.decider.ts', cancelling, {
    'that it is counted once': [
      "if (delegation.status === 'unknown' || ofOrder(delegation.refunds, orderId)) return [];",
      "if (delegation.status === 'unknown') return [];",
    ],
    'that only what is counted comes back': [
      'if (!wasCounted) return [];',
      '',
      'a life has its caps from the beginning or for ever',
    ],
  }),
  ...guards(36, SAGA, cancelling, {
    'a look at the stream by who comes late': [
      'if (isOver(checkouts, departsAt) && (await wasRefunded(checkouts, mandateId, orderId))) return;',
      '',
      'no flight leaves in a life whose order was cancelled before',
    ],
    'a second look, where its mandate was closed after the first': [
      "const wasCounted = found === 'open' ? null : found === 'counts';",
      "const wasCounted = !mustLook ? null : found === 'counts';",
      'no flight leaves in a life whose order was cancelled before',
    ],
    'the count before the mandate can spend it again': [
      'await countRefund(checkouts, order, context);',
      'await refundMandate(checkouts, order, context);\n  await countRefund(checkouts, order, context);',
      'a log adds up either way, and no life ends a mandate between the two',
    ],
  }),
];
