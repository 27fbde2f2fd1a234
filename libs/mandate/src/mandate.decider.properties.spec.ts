import fc from 'fast-check';
import type { MandateEvent } from '#events';
import { CHARGE_SCOPES, fold, type Instant, money, plus } from '#kernel';
import { foldedThroughSnapshot, NOW } from '#testing';
import type { MandateCommand } from './mandate.commands.js';
import { mandateDecider, mandates } from './mandate.decider.js';
import type { Mandate } from './mandate.state.js';

const PARTY = { holder: 'ana', clientId: 'pilot' } as const;
const PRICE = money(100, 'BRL');
const CHARGE = {
  ...PARTY,
  amount: PRICE,
  purchase: { flightNumber: 'AL4012', from: 'GRU', to: 'REC', unitPrice: PRICE },
};
const HOLD = 60_000;
/** Characters of a mandate with the fences of a minute, one a second. */
const LARGEST = 5_000;

/** What becomes of each charge in turn: captured, or given up; and the milliseconds until the next. */
const charges = fc.array(fc.record({ isCaptured: fc.boolean(), pause: fc.integer({ min: 1_000, max: 10_000 }) }), {
  minLength: 3_000,
  maxLength: 3_000,
});

class Life {
  state: Mandate = mandateDecider.initialState();
  now: Instant = NOW;

  handle(command: MandateCommand): void {
    for (const event of mandateDecider.decide({ ...command, now: this.now }, this.state))
      this.state = mandateDecider.evolve(this.state, event);
  }

  /** Characters of its state. */
  get size(): number {
    return JSON.stringify(this.state).length;
  }
}

describe('the state of a mandate', () => {
  it('holds totals and what is open, however many charges are behind it (rule 15)', () => {
    fc.assert(
      fc.property(charges, (all) => {
        const life = new Life();
        const terms = { scope: CHARGE_SCOPES, limit: money(10 ** 9, 'BRL'), minutes: 60, startsAt: NOW };
        const expiresAt = plus(NOW, 10 ** 9);
        life.handle({ type: 'CreateMandate', mandateId: 'm1', ...PARTY, ...terms, expiresAt, grantedBy: 'agent' });
        all.forEach(({ isCaptured, pause }, place) => {
          const orderId = `order-${place.toString().padStart(6, '0')}`;
          const holdBefore = plus(life.now, HOLD);
          life.handle({ type: 'Reserve', orderId, bookingId: 'b1', ...CHARGE, holdBefore });
          life.handle(isCaptured ? { type: 'Consume', orderId } : { type: 'Release', orderId, holdBefore });
          life.now = plus(life.now, pause);
          expect(life.size).toBeLessThan(LARGEST);
        });
      }),
      { numRuns: 3 },
    );
  });
});

const CREATED: MandateEvent = {
  type: 'MandateCreated',
  data: {
    mandateId: 'm1',
    ...PARTY,
    scope: CHARGE_SCOPES,
    limit: money(10 ** 6, 'BRL'),
    minutes: 60,
    startsAt: NOW,
    expiresAt: plus(NOW, 3_600_000),
    grantedBy: 'agent',
  },
};

/** Something that happened to one of five orders, or to the mandate, some seconds after it was created. */
const laterEvent = fc
  .record({
    type: fc.constantFrom<MandateEvent['type']>(
      ...(['MandateReserved', 'MandateConsumed', 'MandateReleased', 'MandateChargeRefused'] as const),
      ...(['MandateRevoked', 'MandateExpired'] as const),
    ),
    orderId: fc.constantFrom('a', 'b', 'c', '17', '__proto__'),
    seconds: fc.nat(300),
  })
  .map(({ type, orderId, seconds }): MandateEvent => {
    const at = plus(NOW, seconds * 1_000);
    const order = { orderId, amount: PRICE, holdBefore: plus(at, HOLD) };
    switch (type) {
      case 'MandateReserved':
        return { type, data: { ...order, bookingId: 'b1', reservedAt: at } };
      case 'MandateConsumed':
        return { type, data: { ...order, consumedAt: at } };
      case 'MandateReleased':
        return { type, data: { ...order, releasedAt: at } };
      case 'MandateRevoked':
        return { type, data: { revokedAt: at } };
      case 'MandateExpired':
        return { type, data: { expiredAt: at } };
      default:
        return { type: 'MandateChargeRefused', data: { ...order, reason: 'mandate_limit_exceeded', refusedAt: at } };
    }
  });

describe('a snapshot of a mandate', () => {
  it('goes on to the state that all events have, wherever it was taken (rule 15)', () => {
    fc.assert(
      fc.property(fc.array(laterEvent, { maxLength: 40 }), fc.nat(41), (events, at) => {
        const history = [CREATED, ...events];
        expect(foldedThroughSnapshot(mandates, history, at)).toStrictEqual(fold(mandateDecider, history));
      }),
    );
  });

  it('has a version that grows with every change of what is in it', () => {
    const order = { orderId: 'a', amount: PRICE, holdBefore: plus(NOW, HOLD) };
    const state = fold(mandateDecider, [
      CREATED,
      { type: 'MandateReserved', data: { ...order, bookingId: 'b1', reservedAt: NOW } },
      { type: 'MandateReserved', data: { ...order, orderId: 'b', bookingId: 'b2', reservedAt: NOW } },
      { type: 'MandateConsumed', data: { ...order, orderId: 'b', consumedAt: NOW } },
      { type: 'MandateReleased', data: { ...order, orderId: 'c', releasedAt: NOW } },
      { type: 'MandateChargeRefused', data: { ...order, reason: 'mandate_limit_exceeded', refusedAt: NOW } },
      { type: 'MandatePaused', data: { pause: 2, pausedAt: NOW } },
      { type: 'MandateResumed', data: { pause: 2, resumedAt: NOW } },
      { type: 'MandateRevoked', data: { revokedAt: NOW } },
      { type: 'MandateExpired', data: { expiredAt: NOW } },
    ]);
    expect([mandates.snapshotVersion, state]).toEqual([
      5,
      {
        kind: 'granted',
        ...CREATED.data,
        pausedAt: null,
        pauseOfAll: { pause: 2, isOn: false },
        revokedAt: NOW,
        expiredAt: NOW,
        constraints: {},
        consumed: PRICE.amount,
        paidOrders: 1,
        refunded: 0,
        refunds: [],
        reservations: [{ orderId: 'a', amount: PRICE.amount, bookingId: 'b1' }],
        fences: [{ orderId: 'c', holdBefore: order.holdBefore }],
        latestAt: NOW,
        refusals: { hour: NOW.slice(0, 13), count: 1 },
      },
    ]);
  });
});
