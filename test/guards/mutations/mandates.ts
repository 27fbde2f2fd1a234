import type { Mutation } from '../mutation.js';

const DECIDER = 'libs/mandate/src/mandate.decider.ts';
const STATE = 'libs/mandate/src/mandate.state.ts';
const CHARGE = 'libs/mandate/src/charge.rule.ts';
const DECISIONS = 'libs/mandate/src/traveller-decisions.rule.ts';
const ENDING = 'libs/order/src/recovery/end-mandate.ts';
const COMPLETING = 'libs/order/src/challenge/complete-challenge.ts';
const ORDER = 'libs/order/src/order.decider.ts';
const SAGA = 'libs/order/src/checkout/checkout-saga.ts';
const PROCESSOR = 'libs/payment/src/test-processor.ts';
const SLOTS = 'libs/order/src/checkout/challenge-slots.ts';
const revoking = 'test/scenarios/revoking.spec.ts';
const sideBySide = 'test/scenarios/side-by-side.spec.ts';
const challenge = 'test/scenarios/challenge.spec.ts';
const order = 'libs/order/src/order.decider.spec.ts';
const mandate = 'libs/mandate/src/mandate.decider.spec.ts';
const interrupted = 'test/scenarios/interrupted-decisions.spec.ts';

/** The guards of money that was granted: rules 9 to 11, 17, 18 and 29. */
export const MANDATE_GUARDS: readonly Mutation[] = [
  {
    rule: 9,
    name: 'finishing in the revocation',
    file: ENDING,
    from: 'await finishReserved(dependencies, mandate, `mandate_${status}`, context);',
    to: '',
    spec: revoking,
  },
  {
    rule: 9,
    name: 'finishing what is not placed yet',
    file: ENDING,
    from: "if (booking.kind !== 'checkout' || booking.checkout.orderId !== orderId) return;",
    to: `if (booking.kind !== 'checkout' || booking.checkout.orderId !== orderId) return;
  const { orders } = await import('../order.decider.js');
  const { state } = await dependencies.aggregates.load(orders, orderId);
  if (state.kind === 'none') return;`,
    spec: sideBySide,
  },
  {
    rule: 9,
    name: 'whose checkout the booking has',
    file: ENDING,
    from: "if (booking.kind !== 'checkout' || booking.checkout.orderId !== orderId) return;",
    to: "if (booking.kind !== 'checkout') return;",
    spec: sideBySide,
    beyond: 'an order that is ended too soon fails and can be placed again: no books are wrong',
  },
  {
    rule: 9,
    name: '`notAfter`',
    file: PROCESSOR,
    from: `    const now = this.clock.now();
    if (now > notAfter) return CLOSED;`,
    to: '    const now = this.clock.now();',
    spec: revoking,
  },
  {
    rule: 9,
    name: 'consuming whatever the status',
    file: DECIDER,
    from: "if (mandate.kind !== 'granted' || reserved === undefined) return [];",
    to: "if (mandate.kind !== 'granted' || reserved === undefined || mandate.revokedAt !== null) return [];",
    spec: revoking,
  },
  {
    rule: 10,
    name: 'comparing card and mandate',
    file: COMPLETING,
    from: 'mandateId === checkout.mandateId && (await processor.wasCard(checkout.orderId, card));',
    to: '!!mandateId || (await processor.wasCard(checkout.orderId, card));',
    spec: challenge,
    beyond: 'which card paid stands neither in the log nor in the ledger',
  },
  {
    rule: 10,
    name: 'the compare-and-set',
    file: PROCESSOR,
    from: 'const isReplaced = await this.ledger.replace(row, next);',
    to: 'const isReplaced = (await this.ledger.update(row.id, () => next)) !== null;',
    spec: 'libs/payment/src/challenge.spec.ts',
  },
  {
    rule: 10,
    name: 'the first word',
    file: ORDER,
    from: 'if (!isChallenged(order) || order.challenge.decided || now >= order.challenge.expiresAt) return [];',
    to: 'if (!isChallenged(order) || now >= order.challenge.expiresAt) return [];',
    spec: order,
    beyond: 'a traveller of a life decides once on each order',
  },
  {
    rule: 10,
    name: 'the word before the closing',
    file: SAGA,
    from: 'await followDecision(processor, known ?? (await aggregates.load(orders, orderId)).state);',
    to: '',
    spec: challenge,
    beyond: 'the order is ended the same way: only the row of the ledger names another reason',
  },
  {
    rule: 10,
    name: 'the failure that the word makes',
    file: ORDER,
    from: 'const failure = failureOf(order, command.failure);',
    to: 'const { failure } = command;',
    spec: order,
    beyond: 'the ledger, which follows the word, has the same reason but for moments',
  },
  {
    rule: 10,
    name: 'the bound of three',
    file: SLOTS,
    from: 'if (all.length >= openChallenges) return this.tooMany(waiting, all);',
    to: '',
    spec: challenge,
  },
  {
    rule: 10,
    name: 'the bound of nine seats',
    file: SLOTS,
    from: 'return unpaid > SEATS ? this.tooMany(waiting, ofFlight) : null;',
    to: 'return unpaid > 99 * SEATS ? this.tooMany(waiting, ofFlight) : null;',
    spec: challenge,
    beyond: 'three orders of a life are of six seats at most',
  },
  {
    rule: 10,
    name: 'the fingerprint after a capture',
    file: PROCESSOR,
    from: 'await (next === CLOSED ? this.cards.forget(row.id) : this.cards.forgetSoon(row.id));',
    to: 'await this.cards.forget(row.id);',
    spec: challenge,
    beyond: 'the order is paid all the same: its agent is told that it is in progress',
  },
  {
    rule: 10,
    name: 'the recent password',
    file: 'libs/identity/src/login/visit.guard.ts',
    from: 'if (!traveller || (isForm && !isRecent(traveller, now)))',
    to: 'if (!traveller)',
    spec: 'test/e2e/challenge-page.spec.ts',
    beyond: 'a life has no pages and no logins',
  },
  {
    rule: 11,
    name: 'the status and `notAfter`',
    file: COMPLETING,
    from: 'return { refusal: isStopped ? `mandate_${status}` : null, expiresAt: state.expiresAt };',
    to: "return { refusal: null, expiresAt: isStopped ? '9999' : '9999' };",
    spec: challenge,
  },
  {
    rule: 17,
    name: 'the order',
    file: STATE,
    from: `  if (mandate.revokedAt !== null) return 'revoked';
  if (mandate.expiredAt !== null || now >= mandate.expiresAt) return 'expired';`,
    to: `  if (mandate.expiredAt !== null || now >= mandate.expiresAt) return 'expired';
  if (mandate.revokedAt !== null) return 'revoked';`,
    spec: mandate,
  },
  {
    rule: 17,
    name: 'consumed = limit',
    file: STATE,
    from: "return mandate.consumed === mandate.limit.amount ? 'exhausted' : 'valid';",
    to: "return remainingOf(mandate).amount === 0 ? 'exhausted' : 'valid';",
    spec: mandate,
    beyond: 'it takes a look at a mandate whose whole rest is reserved: not once in a thousand lives',
  },
  {
    rule: 18,
    name: 'the bound of 20 an hour',
    file: DECIDER,
    from: 'if (hour === now.slice(0, 13) && count >= REFUSALS_WRITTEN_AN_HOUR)',
    to: 'if (hour === now.slice(0, 13) && count >= 99 * REFUSALS_WRITTEN_AN_HOUR)',
    spec: mandate,
    beyond: 'no life asks one mandate for more than twenty charges in vain',
  },
  {
    rule: 18,
    name: 'the client',
    file: CHARGE,
    from: "if (mandate.clientId !== clientId) throw new DomainError('mandate_client_mismatch');",
    to: '',
    spec: mandate,
  },
  {
    rule: 29,
    name: 'the refusal of what is paused',
    file: CHARGE,
    from: "if (status === 'pending' || status === 'paused') return { reason: `mandate_${status}` };",
    to: "if (status === 'pending') return { reason: `mandate_${status}` };",
  },
  {
    rule: 29,
    name: 'settling what is under way',
    file: 'libs/order/src/recovery/end-mandate.ts',
    from: ": finishReserved(this.checkouts, mandate, 'mandate_paused', context));",
    to: ': Promise.resolve());',
    spec: interrupted,
  },
  {
    rule: 29,
    name: 'narrowing in the delegation',
    file: 'libs/mandate/src/change-mandate.ts',
    from: 'await this.aggregates.handle(delegations, { holder, clientId }, counted, context);',
    to: '',
    spec: interrupted,
  },
  {
    rule: 29,
    name: 'the minute before a new end',
    file: DECISIONS,
    from: 'if (isChanged && (expiresAt > mandate.expiresAt || expiresAt < plus(now, SHORTEST_REST)))',
    to: 'if (isChanged && expiresAt > mandate.expiresAt)',
  },
];
