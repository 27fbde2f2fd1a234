import { guards, type Mutation } from '../mutation.js';

/** Why lives cannot notice these. */
const APART = 'lives know no platforms';

/** The guards of mandates that others made: rule 42. */
export const AP2_GUARDS: readonly Mutation[] = [
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
    'one mandate by whichever platform': ['${party.holder}`);', '${party.holder} ${party.clientId}`);', APART],
  }),
];
