import { guards, type Mutation } from '../mutation.js';

/** Why lives cannot notice these. */
const APART = 'lives know no mandates of AP2';

/** Why lives need not notice these: more than a thousand pass before one comes by. */
const RARE = 'two purchases of one session, and one of them stands still in one moment of it';

const [HOLDS, HOLDS_SPEC] = [
  'libs/ucp/src/checkout/session-holds.ts',
  'libs/ucp/src/checkout/session-holds.spec.ts',
] as const;

/** The guards of what platforms of others buy: rules 42 and 43. */
export const PLATFORM_GUARDS: readonly Mutation[] = [
  ...guards(42, 'libs/booking/src/booking.decider.ts', 'libs/booking/src/booking.decider.spec.ts', {
    'the refusal of what an order redeemed': [
      "if (orderId !== undefined) throw new OrderInTheWay('mandate_redeemed', orderId);",
      'void orderId;',
      APART,
    ],
  }),
  ...guards(42, 'libs/mandate/src/charge.rule.ts', 'libs/mandate/src/mandate.decider.spec.ts', {
    'that it lets nobody order': ['ap2 ? PAYMENT_SCOPES : CHARGE_SCOPES', 'PAYMENT_SCOPES', APART],
  }),
  ...guards(42, 'libs/ucp/src/ap2/ap2-purchases.ts', 'test/e2e/ucp-ap2.spec.ts', {
    'one mandate by whichever platform': ['${what} ${holder}`)', '${what} ${holder} ${clientId}`)', APART],
    'the same next one for everybody': ['= derivedId(`after ${mandateId}`)', '= crypto.randomUUID()', APART],
  }),
  ...guards(43, HOLDS, HOLDS_SPEC, {
    'one traveller at a time': ['(purchases.length > 0 && earlier !== holder)', 'false', RARE],
    'emptying the booking of a purchase that was let go of': [
      'if (!(await this.isEmptied(due.id))) return due;',
      '',
      RARE,
    ],
    'that emptying it stays due while an order has it': [
      "if (booking.kind !== 'open') return booking.kind !== 'checkout';",
      "if (booking.kind !== 'open') return true;",
      RARE,
    ],
    'no other price while another purchase is on its way': [
      'if (held.body.purchases?.length !== 1) throw inProgress();',
      '',
    ],
  }),
  ...guards(43, 'libs/ucp/src/checkout/buy-session.ts', 'test/e2e/ucp-held.spec.ts', {
    'asking whether it is held between booking and order': ['await this.holds.requireHeld(held);', ''],
  }),
  ...guards(43, 'libs/order/src/place-order/check-order.ts', null, {
    'ordering what was shown alone': [
      "if (request.shown && !isSame(request.shown, bought)) throw new DomainError('total_changed');",
      'void isSame;',
    ],
  }),
];
