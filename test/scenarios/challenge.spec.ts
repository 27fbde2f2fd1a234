import { openForEach } from '#testing';
import { CARD_FINGERPRINTS, LEDGER } from '#checkout';
import { capturedOrders } from '../support/books.js';
import { counting, gate } from '../support/gate.js';
import { AGENT, orderMessage, PRICE } from '../support/market.js';
import { CHALLENGE_LIFE, SETTINGS } from '../support/shared-stores.js';
import { Sale } from './sale.js';
import { orders } from '#order';
import { delegations } from '#mandate';
import { CHARGE_SCOPES, money, systemContext } from '#kernel';
import { orderToComplete } from '../../libs/order/src/testing/index.js';

const MEMORY = 600_000;
const sale = openForEach(() => Sale.open());

const asking = (changes: object = {}) => ({ ...sale.wanted, card: 'challenged' as const, ...changes });
/** Orders with the card whose holder is asked; returns the order that waits now. */
const challenged = async (wanted = asking()): Promise<string> => {
  const orderId = sale.market.stores.ids.next();
  const ordered = sale.market.order(sale.calm, { ...wanted, orderId });
  await expect(ordered).rejects.toMatchObject({ code: 'payment_challenge_required' });
  return orderId;
};
const approved = async (wanted = asking()): Promise<string> => {
  const orderId = await challenged(wanted);
  await sale.market.decide(sale.calm, orderId, 'approve');
  return orderId;
};
const completes = (changes: object = {}) => {
  const { party, request } = orderMessage({ ...asking(), ...changes }, sale.market.stores.ids.next());
  return orderToComplete(sale.calm.checkouts, party, request);
};
/** What five orders of so many seats are refused with, ordered at once in five processes; all of them are settled in the end. */
const codesOfFive = async (seats: number, settings = {}): Promise<readonly string[]> => {
  const { market, calm } = await Sale.open(10 * seats);
  const mandate = await market.grant(calm, 10 * seats * PRICE);
  const bookings = await Promise.all(Array.from({ length: 5 }, () => market.book(calm, seats)));
  const answers = await Promise.allSettled(
    bookings.map((booking) => market.order(market.process({ settings }), asking({ booking, mandate }))),
  );
  market.stores.clock.advance(CHALLENGE_LIFE + 1);
  await market.recover(calm);
  expect(await market.findings()).toEqual([]);
  await market.close();
  return answers.map((answer) => (answer.status === 'rejected' ? (answer.reason as { code: string }).code : '')).sort();
};
const twoFindPlaces = async (): Promise<void> => {
  const mandate = await sale.market.grant(sale.calm, 3 * PRICE);
  for (let place = 0; place < 2; place += 1)
    await challenged(asking({ booking: await sale.market.book(sale.calm), mandate }));
};
const again = (process = sale.calm) => sale.market.order(process, asking());

describe('a challenged order', () => {
  it('is completed by the same order sent again, by several processes at once, and captured once (rule 10)', async () => {
    const orderId = await approved();
    const counts = new Map<string, number>();
    const processes = Array.from({ length: 5 }, () => sale.market.process({ intercept: counting(counts) }));
    const answers = await Promise.allSettled(processes.map((process) => again(process)));
    for (const answer of answers) {
      if (answer.status === 'fulfilled') expect(answer.value).toMatchObject({ id: orderId, status: 'paid' });
      // Captured, and the ticket yet to be written, or already there.
      else
        expect(answer.reason).toMatchObject({
          code: expect.stringMatching(/^(order_in_progress|booking_already_ordered)$/),
        });
    }
    expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(counts.get('charge')).toBeUndefined();
    await sale.expectSound();
  });

  it('is completed by the same order sent again where the first request died after the capture (rule 10)', async () => {
    const orderId = await approved();
    await sale.stoppedOrder('after', 'capture', asking());
    expect(await again(sale.market.process())).toMatchObject({ id: orderId, status: 'paid' });
    await sale.expectSound();
  });

  it('waits for its holder longer than a checkout may hold, and is settled at its own end (rule 10)', async () => {
    const orderId = await challenged();
    sale.past(SETTINGS.hold);
    await sale.market.recover(sale.calm);
    await expect(again()).rejects.toMatchObject({ code: 'payment_challenge_required' });
    sale.past(CHALLENGE_LIFE - SETTINGS.hold);
    await sale.market.recover(sale.calm);
    expect(await sale.typesOf(orders.streamOf(orderId))).toEqual(['OrderPlaced', 'PaymentChallenged', 'OrderFailed']);
    await sale.expectFree();
  });

  it.each(['approve', 'deny'] as const)(
    'that is decided (%s) while a revocation closes it ends one way for all (rule 10)',
    async (decision) => {
      const orderId = await challenged();
      const other = sale.market.process();
      await Promise.all([
        sale.market.decide(other, orderId, decision),
        sale.market.revoke(sale.calm, sale.wanted.mandate),
        again(other).catch(() => undefined),
      ]);
      await sale.expectSound();
    },
  );

  it('is in the way of another card and another mandate, and completed by neither (rule 10)', async () => {
    const orderId = await approved();
    const mandate = await sale.market.grant(sale.calm, PRICE);
    for (const other of [sale.wanted, asking({ mandate })]) {
      const refused = sale.market.order(sale.calm, other);
      await expect(refused).rejects.toMatchObject({ code: 'order_in_progress', orderId });
    }
    expect(await sale.market.order(sale.calm, asking({ mandate: undefined }))).toMatchObject({ status: 'paid' });
  });

  it('is no other agent’s to complete, nor the same agent’s for another traveller, whatever the card (rule 10)', async () => {
    const orderId = await approved();
    const bruno = { ...AGENT, holder: 'bruno' };
    const authorize = { type: 'AuthorizeAgent', ...bruno, grantId: 'g', scopes: CHARGE_SCOPES } as const;
    await sale.calm.aggregates.handle(delegations, bruno, authorize, systemContext('a test'));
    for (const by of [bruno, { ...AGENT, clientId: 'other' }]) {
      expect(await completes({ by })).toBeNull();
      const refused = sale.market.order(sale.calm, asking({ by }));
      await expect(refused).rejects.toMatchObject({ code: 'invalid_booking' });
    }
    expect(await again()).toMatchObject({ id: orderId, status: 'paid' });
  });

  it('is known by the very request that would complete it (rule 21)', async () => {
    expect(await completes()).toBeNull();
    const orderId = await challenged();
    expect(await completes()).toBe(orderId);
    expect(await completes({ mandate: await sale.market.grant(sale.calm, PRICE) })).toBeNull();
    expect(await completes({ card: 'good' })).toBeNull();
    // Else, once another request has completed it, this one would be answered an order of another total.
    expect(await completes({ expectedTotal: money(PRICE - 1, 'BRL') })).toBeNull();
    expect(await completes({ expectedTotal: money(PRICE, 'BRL') })).toBe(orderId);
  });

  it('is decided by who is asked: another order has nothing to decide', async () => {
    const orderId = sale.market.stores.ids.next();
    await sale.market.order(sale.calm, { ...sale.wanted, orderId });
    for (const unasked of [orderId, sale.market.stores.ids.next()]) {
      const decided = sale.market.decide(sale.calm, unasked, 'approve');
      await expect(decided).rejects.toMatchObject({ code: 'order_not_found' });
    }
  });

  it('is not completed for another total than the agent expects, and waits on (rule 10)', async () => {
    const orderId = await approved();
    const other = sale.market.order(sale.calm, asking({ expectedTotal: money(PRICE - 1, 'BRL') }));
    await expect(other).rejects.toMatchObject({ code: 'total_changed' });
    const same = sale.market.order(sale.calm, asking({ expectedTotal: money(PRICE, 'BRL') }));
    expect(await same).toMatchObject({ id: orderId, status: 'paid' });
  });

  it('is over at the very instant at which its challenge ends: a process that starts then finishes it (rule 8)', async () => {
    await challenged();
    sale.market.stores.clock.advance(CHALLENGE_LIFE - 1);
    await sale.market.stores.caughtUp();
    expect(await sale.market.process().newRecovery().finishAll()).toBe(0);
    sale.market.stores.clock.advance(1);
    expect(await sale.market.process().newRecovery().finishAll()).toBe(1);
    await sale.expectFree();
  });

  it('has the fingerprint of its card erased ten minutes after its end (rule 10)', async () => {
    const orderId = await challenged();
    await sale.market.decide(sale.calm, orderId, 'deny');
    const fingerprint = () => sale.market.stores.documents.get(CARD_FINGERPRINTS.name, orderId);
    await expect(again()).rejects.toMatchObject({ code: 'payment_challenge_failed' });
    sale.market.stores.clock.advance(MEMORY - 1);
    expect(await fingerprint()).not.toBeNull();
    sale.market.stores.clock.advance(1);
    expect(await fingerprint()).toBeNull();
    await challenged();
  });

  it('is one of two that an agent has open, of five ordered at once in five processes (rule 10)', async () => {
    expect(await codesOfFive(1)).toEqual([
      ...Array<string>(2).fill('payment_challenge_required'),
      ...Array<string>(3).fill('rate_limited'),
    ]);
  });
});

describe('the holder’s word on a challenge', () => {
  /** Somebody decides whose process ends once the word is written, before the ledger has heard of it. */
  const interrupted = async (orderId: string, decision: 'approve' | 'deny') => {
    const { intercept, reached } = gate('before', 'decide');
    void sale.market.decide(sale.market.process({ intercept }), orderId, decision).catch(() => undefined);
    await reached;
  };
  const rowOf = async (orderId: string) => (await sale.market.stores.documents.get(LEDGER.name, orderId))?.body;
  const FAILED = { status: 'refused', reason: 'payment_challenge_failed' };
  const NOT_COMPLETED = { status: 'refused', reason: 'payment_not_completed' };

  it('is written before the ledger knows it: until then nothing can be captured (rule 10)', async () => {
    const orderId = await challenged();
    const { intercept, reached, open } = gate('before', 'append PaymentApproved');
    const deciding = sale.market.decide(sale.market.process({ intercept }), orderId, 'approve');
    await reached;
    await expect(again()).rejects.toMatchObject({ code: 'payment_challenge_required' });
    open();
    await deciding;
    expect(await again()).toMatchObject({ id: orderId, status: 'paid' });
    const types = await sale.typesOf(orders.streamOf(orderId));
    expect(types).toEqual(['OrderPlaced', 'PaymentChallenged', 'PaymentApproved', 'OrderPaid']);
  });

  it('is carried on by who completes the order, where who approved ended before telling the ledger (rule 10)', async () => {
    const orderId = await challenged();
    await interrupted(orderId, 'approve');
    expect(await rowOf(orderId)).toMatchObject({ status: 'challenged' });
    expect(await again(sale.market.process())).toMatchObject({ id: orderId, status: 'paid' });
    await sale.expectSound();
  });

  it('is carried on at the end of the challenge, so that nobody says that it was not given (rule 10)', async () => {
    const orderId = await challenged();
    await interrupted(orderId, 'approve');
    sale.past(CHALLENGE_LIFE);
    await sale.market.recover(sale.calm);
    expect(await rowOf(orderId)).toEqual(NOT_COMPLETED);
    const { state } = await sale.calm.aggregates.load(orders, orderId);
    expect(state).toMatchObject({ kind: 'failed', failure: 'payment_not_completed' });
    await expect(again()).rejects.toMatchObject({ code: 'payment_not_completed' });
  });

  it.each(['recovery', 'its agent'] as const)(
    'to refuse is carried out by %s, where who refused ended before telling the ledger (rule 10)',
    async (who) => {
      const orderId = await challenged();
      await interrupted(orderId, 'deny');
      sale.past(0);
      if (who === 'recovery') await sale.market.recover(sale.market.process());
      else await expect(again()).rejects.toMatchObject({ code: 'payment_challenge_failed' });
      expect(await rowOf(orderId)).toEqual(FAILED);
      expect(await sale.bookingNow()).not.toBe('checkout');
      sale.past(MEMORY);
      await sale.expectFree();
    },
  );

  it('is one: of two at once in two processes the first that is written stands for both (rule 10)', async () => {
    const orderId = await challenged();
    const { intercept, reached, open } = gate('before', 'append PaymentDeclined');
    const declining = sale.market.decide(sale.market.process({ intercept }), orderId, 'deny');
    await reached;
    await sale.market.decide(sale.market.process(), orderId, 'approve');
    open();
    await declining;
    expect(await sale.typesOf(orders.streamOf(orderId))).not.toContain('PaymentDeclined');
    expect(await again()).toMatchObject({ id: orderId, status: 'paid' });
    await sale.expectSound();
  });

  it('that comes after the end of the challenge is none (rule 10)', async () => {
    const orderId = await challenged();
    sale.past(CHALLENGE_LIFE);
    await sale.market.decide(sale.calm, orderId, 'approve');
    expect(await sale.typesOf(orders.streamOf(orderId))).not.toContain('PaymentApproved');
    expect(await rowOf(orderId)).toEqual(FAILED);
  });

  it('that stands in the ledger alone, from before it was an event, counts as it did (rule 10)', async () => {
    const orderId = await challenged();
    await sale.calm.processor.decide(orderId, 'approve');
    await sale.market.decide(sale.calm, orderId, 'deny');
    expect(await again()).toMatchObject({ id: orderId, status: 'paid' });
  });
});

describe('challenges that wait on one flight', () => {
  it('have nine seats between them, of five with two seats each ordered at once in five processes (rule 10)', async () => {
    const codes = await codesOfFive(2, { openChallenges: 6 });
    expect(codes).toEqual([...Array<string>(4).fill('payment_challenge_required'), 'rate_limited']);
  });
});

describe('the place of a challenge', () => {
  it.each(['before', 'after'] as const)(
    'is free once its order is settled, though its holder was never asked: its request stood %s taking it (rule 10)',
    async (where) => {
      const { answer, open } = await sale.stoppedOrder(where, 'insert challenge-slots', asking());
      sale.past(SETTINGS.hold);
      await sale.market.recover(sale.calm);
      open();
      await expect(answer).rejects.toMatchObject({ code: 'service_unavailable' });
      await twoFindPlaces();
    },
  );

  it('is free once the recovery worker has finished what a request left behind that ended after taking it (rule 10)', async () => {
    await sale.stoppedOrder('after', 'insert challenge-slots', asking());
    sale.past(SETTINGS.hold);
    await sale.market.recover(sale.calm);
    await twoFindPlaces();
  });
});

describe('an approved order whose mandate ends before it is completed', () => {
  it('fails with the mandate that was revoked (rule 11)', async () => {
    const orderId = await approved();
    await sale.market.revoke(sale.calm, sale.wanted.mandate);
    expect(await sale.typesOf(orders.streamOf(orderId))).toContain('OrderFailed');
    await expect(again()).rejects.toMatchObject({ code: 'mandate_revoked' });
    await sale.expectFree();
  });

  it.each(['revoked', 'paused'] as const)(
    'fails with the mandate that was %s by somebody who has not come to finishing it (rule 11)',
    async (how) => {
      await approved();
      const { intercept, reached, open } = gate('before', 'close');
      const slow = sale.market.process({ intercept });
      const { mandate } = sale.wanted;
      const stopping = how === 'revoked' ? sale.market.revoke(slow, mandate) : sale.market.pause(slow, mandate);
      await reached;
      await expect(again()).rejects.toMatchObject({ code: `mandate_${how}` });
      open();
      await stopping;
      expect(capturedOrders(await sale.market.books())).toEqual([]);
      await sale.expectFree();
    },
  );

  it('fails with the mandate that expired, by the stream and by the processor (rule 11)', async () => {
    const mandate = await sale.market.grant(sale.calm, PRICE, { minutes: 1 });
    await approved(asking({ mandate }));
    sale.past(60_000);
    await expect(sale.market.order(sale.calm, asking({ mandate }))).rejects.toMatchObject({ code: 'mandate_expired' });
    await sale.market.recover(sale.calm);
    await sale.expectFree();
  });

  it('fails with the mandate that expired while it was being completed (rule 11)', async () => {
    const mandate = await sale.market.grant(sale.calm, PRICE, { minutes: 1 });
    await approved(asking({ mandate }));
    sale.market.stores.clock.advance(59_000);
    const { answer, open } = await sale.stoppedOrder('before', 'capture', asking({ mandate }));
    sale.past(1_000);
    open();
    await expect(answer).rejects.toMatchObject({ code: 'mandate_expired' });
    await sale.market.recover(sale.calm);
    await sale.expectFree();
  });
});
