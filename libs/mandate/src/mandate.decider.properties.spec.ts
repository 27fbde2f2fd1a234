import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { CHARGE_SCOPES, type Instant, money, plus } from '#kernel';
import { NOW } from '#testing';
import { type MandateCommand, mandateDecider } from './mandate.decider.js';
import type { Mandate } from './mandate.state.js';

const PARTY = { holder: 'ana', clientId: 'pilot' } as const;
const PRICE = money(100, 'BRL');
const CHARGE = { ...PARTY, amount: PRICE, purchase: { from: 'GRU', to: 'REC', unitPrice: PRICE } };
const HOLD = 60_000;
/** Characters of a mandate with the fences of a minute, one a second. */
const LARGEST = 5_000;

/** What becomes of each charge in turn: captured, or given up; and the milliseconds until the next. */
const charges = fc.array(fc.record({ isCaptured: fc.boolean(), pause: fc.integer({ min: 1_000, max: 10_000 }) }), {
  minLength: 3_000,
  maxLength: 3_000,
});

/** A mandate that lives through commands, one after the other. */
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
