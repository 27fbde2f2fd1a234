import { guards, type Mutation } from '../mutation.js';

const DECIDER = 'libs/mandate/src/mandate.decider.ts';
const STATE = 'libs/mandate/src/mandate.state.ts';
const CHARGE = 'libs/mandate/src/charge.rule.ts';
const DECISIONS = 'libs/mandate/src/traveller-decisions.rule.ts';
const ENDING = 'libs/checkout/src/recovery/end-mandate.ts';
const COMPLETING = 'libs/order/src/challenge/complete-challenge.ts';
const ORDER = 'libs/order/src/order.decider.ts';
const SAGA = 'libs/checkout/src/checkout-saga.ts';
const PROCESSOR = 'libs/checkout/src/payment/test-processor.ts';
const SLOTS = 'libs/checkout/src/challenge-slots.ts';
const revoking = 'test/scenarios/revoking.spec.ts';
const sideBySide = 'test/scenarios/side-by-side.spec.ts';
const challenge = 'test/scenarios/challenge.spec.ts';
const order = 'libs/order/src/order.decider.spec.ts';
const mandate = 'libs/mandate/src/mandate.decider.spec.ts';
const interrupted = 'test/scenarios/interrupted-decisions.spec.ts';
const pausing = 'test/scenarios/pausing-all.spec.ts';
const PAUSING = 'libs/mandate/src/pause/pause-agents.ts';
/** Why lives need not notice these. */
const APART = 'lives pause everything seldom: thousands may pass without one that meets it';

/** The guards of money that was granted: rules 9 to 11, 17, 18, 29 and 41. */
export const MANDATE_GUARDS: readonly Mutation[] = [
  ...guards(9, ENDING, revoking, {
    'finishing in the revocation': ['await finishReserved(checkouts, mandate, `mandate_${status}`, context);', ''],
  }),
  ...guards(9, ENDING, sideBySide, {
    'finishing what is not placed yet': [
      "if (booking.kind !== 'checkout' || booking.checkout.orderId !== orderId) return;",
      `if (booking.kind !== 'checkout' || booking.checkout.orderId !== orderId) return;
  const { orders } = await import('#order/pure');
  const { state } = await checkouts.aggregates.load(orders, orderId);
  if (state.kind === 'none') return;`,
    ],
    'whose checkout the booking has': [
      "if (booking.kind !== 'checkout' || booking.checkout.orderId !== orderId) return;",
      "if (booking.kind !== 'checkout') return;",
      'an order that is ended too soon fails and can be placed again: no books are wrong',
    ],
  }),
  ...guards(9, PROCESSOR, revoking, {
    '`notAfter`': [
      `    const now = this.clock.now();
    if (now > notAfter) return CLOSED;`,
      '    const now = this.clock.now();',
    ],
  }),
  ...guards(9, DECIDER, revoking, {
    'consuming whatever the status': [
      "if (mandate.kind !== 'granted' || reserved === undefined) return [];",
      "if (mandate.kind !== 'granted' || reserved === undefined || mandate.revokedAt !== null) return [];",
    ],
  }),
  ...guards(10, COMPLETING, challenge, {
    'comparing card and mandate': [
      'mandateId === checkout.mandateId && (await processor.wasCard(checkout.orderId, card));',
      '!!mandateId || (await processor.wasCard(checkout.orderId, card));',
      'which card paid stands neither in the log nor in the ledger',
    ],
  }),
  ...guards(10, PROCESSOR, 'libs/checkout/src/payment/challenge.spec.ts', {
    'the compare-and-set': [
      'const isReplaced = await this.ledger.replace(row, next);',
      'const isReplaced = (await this.ledger.update(row.id, () => next)) !== null;',
    ],
  }),
  ...guards(10, ORDER, order, {
    'the first word': [
      'if (!isChallenged(order) || order.challenge.decided || now >= order.challenge.expiresAt) return [];',
      'if (!isChallenged(order) || now >= order.challenge.expiresAt) return [];',
      'a traveller of a life decides once on each order',
    ],
    'the failure that the word makes': [
      'const failure = failureOf(order, command.failure);',
      'const { failure } = command;',
      'the ledger, which follows the word, has the same reason but for moments',
    ],
  }),
  ...guards(10, SAGA, challenge, {
    'the word before the closing': [
      'await followDecision(processor, known ?? (await aggregates.load(orders, orderId)).state);',
      '',
      'the order is ended the same way: only the row of the ledger names another reason',
    ],
  }),
  ...guards(10, SLOTS, challenge, {
    'the bound of three': ['if (all.length >= openChallenges) return this.tooMany(waiting, all);', ''],
    'the bound of nine seats': [
      'return unpaid > SEATS ? this.tooMany(waiting, ofFlight) : null;',
      'return unpaid > 99 * SEATS ? this.tooMany(waiting, ofFlight) : null;',
      'three orders of a life are of six seats at most',
    ],
  }),
  ...guards(10, PROCESSOR, challenge, {
    'the fingerprint after a capture': [
      'await (next === CLOSED ? this.cards.forget(row.id) : this.cards.forgetSoon(row.id));',
      'await this.cards.forget(row.id);',
      'the order is paid all the same: its agent is told that it is in progress',
    ],
  }),
  ...guards(10, 'libs/identity/src/login/visit.guard.ts', 'test/e2e/challenge-page.spec.ts', {
    'the recent password': [
      'if (!traveller || (isForm && this.decides(to) && !isRecent(traveller, now)))',
      'if (!traveller)',
      'a life has no pages and no logins',
    ],
  }),
  ...guards(11, COMPLETING, challenge, {
    'the status and `notAfter`': [
      'return { refusal: isStopped ? `mandate_${status}` : null, expiresAt: mandate.expiresAt };',
      "return { refusal: null, expiresAt: isStopped ? '9999' : '9999' };",
    ],
  }),
  ...guards(17, STATE, mandate, {
    'the order': [
      `  if (mandate.revokedAt !== null) return 'revoked';
  if (mandate.expiredAt !== null || now >= mandate.expiresAt) return 'expired';`,
      `  if (mandate.expiredAt !== null || now >= mandate.expiresAt) return 'expired';
  if (mandate.revokedAt !== null) return 'revoked';`,
    ],
    'consumed = limit': [
      "return mandate.consumed === mandate.limit.amount ? 'exhausted' : 'valid';",
      "return remainingOf(mandate).amount === 0 ? 'exhausted' : 'valid';",
      'it takes a look at a mandate whose whole rest is reserved: not once in a thousand lives',
    ],
  }),
  ...guards(18, DECIDER, mandate, {
    'the bound of 20 an hour': [
      'if (hour === now.slice(0, 13) && count >= REFUSALS_WRITTEN_AN_HOUR)',
      'if (hour === now.slice(0, 13) && count >= 99 * REFUSALS_WRITTEN_AN_HOUR)',
      'no life asks one mandate for more than twenty charges in vain',
    ],
  }),
  ...guards(17, CHARGE, mandate, {
    'what an order may cost in all': [
      "return total.amount > max.amount || total.amount < (min?.amount ?? 0) ? 'orderTotal' : null;",
      "return total.amount < (min?.amount ?? 0) ? 'orderTotal' : null;",
    ],
  }),
  ...guards(18, CHARGE, mandate, {
    'the client': ["if (mandate.clientId !== clientId) throw new DomainError('mandate_client_mismatch');", ''],
  }),
  ...guards(29, CHARGE, null, {
    'the refusal of what is paused': [
      "if (status === 'pending' || status === 'paused') return { reason: `mandate_${status}` };",
      "if (status === 'pending') return { reason: `mandate_${status}` };",
    ],
  }),
  ...guards(29, 'libs/mandate/src/change-mandate.ts', interrupted, {
    'settling what is under way': [
      ": finishReserved(this.checkouts, mandate, 'mandate_paused', context));",
      ': Promise.resolve());',
    ],
  }),
  ...guards(29, 'libs/mandate/src/change-mandate.ts', interrupted, {
    'narrowing in the delegation': [
      'await this.aggregates.handle(delegations, { holder, clientId }, counted, context);',
      '',
    ],
  }),
  ...guards(29, DECISIONS, null, {
    'the minute before a new end': [
      'if (isChanged && (expiresAt > mandate.expiresAt || expiresAt < plus(now, SHORTEST_REST)))',
      'if (isChanged && expiresAt > mandate.expiresAt)',
    ],
  }),
  ...guards(41, PAUSING, pausing, {
    'the mandates of a stopped agent': [
      "const { state } = await aggregates.handle(mandates, mandateId, { type: 'Pause', holder, pause }, context);",
      'const { state } = await aggregates.load(mandates, mandateId);',
      APART,
    ],
    'what is approved and not created': [
      'await grantApproved(aggregates, mandate, ANY_NUMBER, context)',
      'await Promise.resolve()',
      APART,
    ],
  }),
  ...guards(41, PAUSING, interrupted, {
    'settling what is under way': [
      "if (state.kind === 'granted') await finishReserved(checkouts, state, 'mandate_paused', context);",
      '',
      APART,
    ],
  }),
  ...guards(41, PAUSING, pausing, {
    'the look of a consent': [
      'if (held !== undefined) await pauseAgent(this.checkouts, party, held, context);\n    else if',
      'if',
      APART,
    ],
    'the end of a pause that was undone': [
      'if (heldBy(completed) === undefined) await this.resume(holder, completed.pause, position, context);',
      '',
      APART,
    ],
  }),
  ...guards(41, 'libs/oauth/src/authorize/consent-decision.ts', interrupted, {
    'that a consent looks before its code': [
      'if (isHeld || isPaused) await this.commands.execute(new AlignAgent(delegation, context));',
      '',
      APART,
    ],
  }),
  ...guards(41, 'libs/mandate/src/delegation/delegation.decider.ts', pausing, {
    'the refusal of openings': ["if (delegation.pauseOfAll?.isOn) throw new DomainError('agents_paused');", '', APART],
  }),
  ...guards(41, 'libs/mandate/src/pause/pause.state.ts', pausing, {
    'the number of a pause': ['!known || known.pause < pause;', '!known?.isOn || known.pause < pause;', APART],
  }),
];
