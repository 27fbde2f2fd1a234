import type { OpenCheckout } from '#verifier';
import { openText } from './format.js';

const open = (what: OpenCheckout['what']): OpenCheckout => ({ what, orderId: 'o', bookingId: 'b', openedAt: '' });

it.each<[readonly OpenCheckout[], string]>([
  [[], 'no checkout'],
  [[open('cancellation')], '1 cancellation'],
  [[open('cancellation'), open('checkout'), open('checkout')], '2 checkouts, 1 cancellation'],
])('what is under way is counted by its kind: %j', (found, said) => {
  expect(openText(found)).toBe(said);
});
