import type { Call, Outcome } from './history.js';
import { linearizable } from './linearizable.js';
import { newRegister, stepsOf } from './mandate-register.js';

const LIMIT = 100;
const judged = (...calls: readonly Call[]) => linearizable(stepsOf(calls), newRegister(LIMIT)).kind;

const call = (kind: Call['kind'], start: number, end: number, outcome: Outcome, more: Partial<Call> = {}): Call => ({
  ...{ kind, agent: 'a', mandate: 'm', intent: '', booking: '', amount: 0, start, end, status: 200, error: null },
  outcome,
  ...more,
});
const order = (intent: string, amount: number, start: number, end: number, outcome: Outcome): Call =>
  call('order', start, end, outcome, { intent, amount });
const cancel = (intent: string, amount: number, start: number, end: number, outcome: Outcome = 'refunded'): Call =>
  call('cancel', start, end, outcome, { intent, amount });
const read = (start: number, end: number, consumed: number, reserved = 0, isRevoked = false): Call =>
  call('read', start, end, 'done', { seen: { consumed, reserved, isRevoked } });
const revoke = (start: number, end: number, outcome: Outcome = 'done'): Call => call('revoke', start, end, outcome);

describe('a history that some order explains', () => {
  it.each<[string, readonly Call[]]>([
    ['one order, read before and after it', [read(0, 1, 0), order('a', 60, 2, 5, 'paid'), read(6, 7, 60)]],
    ['an order that is seen half done', [order('a', 60, 0, 9, 'paid'), read(2, 3, 0, 60), read(4, 5, 60)]],
    ['a read beside an order, of what was before it', [order('a', 60, 0, 9, 'paid'), read(1, 8, 0)]],
    ['one of two that do not fit together', [order('a', 60, 0, 9, 'paid'), order('b', 60, 1, 8, 'over the limit')]],
    [
      'a refusal for money that was given back later',
      [order('a', 60, 0, 9, 'declined'), order('b', 60, 1, 3, 'over the limit'), order('c', 60, 10, 12, 'paid')],
    ],
    ['a lost answer to what was done', [order('a', 60, 0, 5, 'unknown'), read(6, 7, 60)]],
    ['a lost answer to what was not', [order('a', 60, 0, 5, 'unknown'), order('b', 60, 6, 7, 'paid'), read(8, 9, 60)]],
    [
      'one to what is done much later',
      [order('a', 60, 0, 1, 'unknown'), read(6, 7, 0), read(8, 9, 0, 60), read(20, 21, 60)],
    ],
    [
      'an attempt that was given up, and the next one that paid',
      [
        order('a', 60, 0, 1, 'unknown'),
        read(2, 3, 0, 60),
        read(4, 5, 0),
        order('a', 60, 6, 9, 'paid'),
        read(10, 11, 60),
      ],
    ],
    ['a revocation beside orders', [order('a', 60, 0, 5, 'paid'), revoke(1, 6), order('b', 10, 2, 9, 'revoked')]],
    ['two revocations at once', [revoke(0, 9), revoke(2, 3), read(4, 5, 0, 0, true)]],
    ['two, of which the later was answered first', [revoke(2, 3), revoke(0, 9), read(1, 1.5, 0, 0, true)]],
    [
      'an order that a revocation ended when its money was set aside',
      [read(1, 2, 0, 60), revoke(2, 6), order('a', 60, 0, 7, 'revoked'), read(8, 9, 0, 0, true)],
    ],
    [
      'a refund that another order is paid with',
      [order('a', 60, 0, 5, 'paid'), cancel('a', 50, 6, 7), order('b', 90, 8, 9, 'paid'), read(10, 11, 100)],
    ],
    [
      'one whose answer was lost, seen later',
      [order('a', 60, 0, 5, 'paid'), cancel('a', 60, 6, 7, 'unknown'), read(8, 9, 60), read(10, 11, 0)],
    ],
    [
      'one under a mandate that has ended',
      [order('a', 60, 0, 5, 'paid'), revoke(6, 7), cancel('a', 60, 8, 9), read(10, 11, 0, 0, true)],
    ],
    ['a revocation whose answer was lost', [revoke(0, 1, 'unknown'), read(2, 3, 0), read(4, 5, 0, 0, true)]],
  ])('%s', (_, calls) => expect(judged(...calls)).toBe('linearizable'));
});

describe('a history that no order explains', () => {
  it.each<[string, readonly Call[]]>([
    ['a read that is behind', [order('a', 60, 0, 5, 'paid'), read(6, 7, 0)]],
    ['a read that goes back', [order('a', 60, 0, 9, 'paid'), read(1, 2, 60), read(3, 4, 0, 60)]],
    ['money from nowhere', [read(0, 1, 0), read(2, 3, 60)]],
    ['an order that was paid twice', [order('a', 60, 0, 5, 'paid'), read(6, 7, 120)]],
    ['two that were paid and do not fit together', [order('a', 60, 0, 9, 'paid'), order('b', 60, 1, 8, 'paid')]],
    ['a refusal that was charged', [order('a', 60, 0, 5, 'declined'), read(6, 7, 60)]],
    ['money that stays set aside', [order('a', 60, 0, 5, 'declined'), read(6, 7, 0, 60)]],
    ['a refusal for want of what was there', [order('a', 30, 0, 5, 'paid'), order('b', 60, 6, 7, 'over the limit')]],
    ['a lost answer that took effect before its call', [read(0, 1, 60), order('a', 60, 2, 5, 'unknown')]],
    ['one that took effect, and did not', [order('a', 60, 0, 5, 'unknown'), read(6, 7, 60), read(8, 9, 0)]],
    ['an order after its revocation was answered', [revoke(0, 1), order('a', 60, 2, 5, 'paid')]],
    [
      'a lost one that took effect after it',
      [order('a', 60, 0, 5, 'unknown'), revoke(1, 6), read(7, 8, 0, 0, true), read(9, 10, 60, 0, true)],
    ],
    ['money set aside when it was answered', [order('a', 60, 0, 9, 'paid'), revoke(1, 3), read(4, 5, 0, 60, true)]],
    ['a refund that is not there', [order('a', 60, 0, 5, 'paid'), cancel('a', 60, 6, 7), read(8, 9, 60)]],
    [
      'one that was refused and is there',
      [order('a', 60, 0, 5, 'paid'), cancel('a', 60, 6, 7, 'refused'), read(8, 9, 0)],
    ],
    [
      'one that comes twice',
      [order('a', 30, 0, 5, 'paid'), order('b', 60, 0, 5, 'paid'), cancel('a', 30, 6, 7), read(8, 9, 30)],
    ],
    ['one of what was never paid', [order('a', 60, 0, 5, 'declined'), cancel('a', 60, 6, 7), read(8, 9, 0)]],
    ['a revocation that comes undone', [revoke(0, 1), read(2, 3, 0)]],
    ['a refusal as revoked of what nobody revoked', [order('a', 60, 0, 5, 'revoked')]],
  ])('%s', (_, calls) => expect(judged(...calls)).toBe('broken'));

  it('says what could not be placed', () => {
    const verdict = linearizable(stepsOf([order('a', 60, 0, 5, 'paid'), read(6, 7, 0)]), newRegister(LIMIT));
    expect(verdict).toEqual({ kind: 'broken', stuck: ['read: 0 consumed, 0 reserved'] });
  });
});

it('a search without an end is given up, and says so', () => {
  const lost = Array.from({ length: 20 }, (_, place) => order(`o${place}`, 1, 0, 1, 'unknown'));
  expect(linearizable(stepsOf([...lost, read(2, 3, 50)]), newRegister(LIMIT), 1_000)).toEqual({ kind: 'undecided' });
});
