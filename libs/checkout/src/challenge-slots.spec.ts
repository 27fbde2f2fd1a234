import type { Checkout } from '#events';
import { plus } from '#kernel';
import { ManualClock } from '#testing';
import { sampleCheckout } from '../../booking/src/testing/index.js';
import { MemoryDocuments } from '../../documents/src/testing/index.js';
import { CHALLENGE_SLOTS, ChallengeSlots } from './challenge-slots.js';

const [HOLD, LIFE] = [60_000, 600_000];
const SETTINGS = { hold: HOLD, charge: 30_000, recoveryLease: 8_000, recoveryPause: 1_000, refusedCards: 0 };

let clock: ManualClock;
let documents: MemoryDocuments;
beforeEach(async () => {
  clock = new ManualClock();
  documents = new MemoryDocuments(clock);
  await documents.prepare(CHALLENGE_SLOTS);
  slots = process();
});

const process = (openChallenges = 3) => new ChallengeSlots(documents, clock, { ...SETTINGS, openChallenges });
/** The process that all is asked of, unless another one is named. */
let slots: ChallengeSlots;
/** The order of an agent of its own, unless one is named. */
const order = (orderId: string, passengers = 1, flightId = 'AL4012', clientId = orderId): Checkout => {
  const { line, ...checkout } = sampleCheckout({ orderId, clientId });
  return { ...checkout, line: { ...line, passengers, flightId } };
};
const take = (checkout: Checkout, of = slots) => of.take(checkout, plus(clock.now(), LIFE));
const seats = (count: number, flightId = 'AL4012', clientId = 'another') => ({
  seats: count,
  flightId,
  flightNumber: 'AL4012',
  clientId,
});

describe('the challenges of a holder (rule 10)', () => {
  it('wait up to their number; the next one learns which are in its way and when the first of them ends', async () => {
    const firstEnds = plus(clock.now(), LIFE);
    for (const id of ['o1', 'o2', 'o3']) {
      expect(await slots.refusal('ana', seats(1))).toBeNull();
      await take(order(id));
      clock.advance(1_000);
    }
    const refusal = {
      code: 'rate_limited',
      waiting: ['o1', 'o2', 'o3'],
      details: { limit: 'open-challenges', endsAt: firstEnds },
      retryAfter: (LIFE - 3_000) / 1_000,
    };
    await expect(take(order('o4', 1, 'AL4011'))).rejects.toMatchObject(refusal);
    expect(await slots.refusal('ana', seats(1, 'AL4011'))).toMatchObject(refusal);
    expect(await slots.refusal('bruno', seats(1))).toBeNull();
    await expect(take(order('o4'), process(4))).resolves.toBeUndefined();
  });

  it('are of one agent but for one of them, so that one that keeps asking shuts out no other', async () => {
    for (const id of ['o1', 'o2']) await take(order(id, 1, 'AL4012', 'agent'));
    const refusal = { code: 'rate_limited', waiting: ['o1', 'o2'] };
    await expect(take(order('o3', 1, 'AL4012', 'agent'))).rejects.toMatchObject(refusal);
    expect(await slots.refusal('ana', seats(1, 'AL4012', 'agent'))).toMatchObject(refusal);
    expect(await slots.refusal('ana', seats(1))).toBeNull();
    await take(order('o3'));
    await expect(take(order('o4'))).rejects.toMatchObject({ waiting: ['o1', 'o2', 'o3'] });
  });

  it('have nine seats of one flight between them, and of another one nine more', async () => {
    await take(order('o1', 4));
    clock.advance(1_000);
    await take(order('o2', 9, 'AL4011'));
    expect(await slots.refusal('ana', seats(5))).toBeNull();
    expect(await slots.refusal('ana', seats(6))).toMatchObject({
      waiting: ['o1', 'o2'],
      details: { endsAt: plus(clock.now(), LIFE - 1_000) },
    });
    await take(order('o3', 5));
  });

  it('give their places back when their orders are finished, and nobody else’s', async () => {
    for (const id of ['o1', 'o2', 'o3']) await take(order(id));
    await slots.free('ana', 'unknown');
    await expect(take(order('o4'))).rejects.toMatchObject({ waiting: ['o1', 'o2', 'o3'] });
    await slots.free('ana', 'o2');
    await take(order('o4'));
    await expect(take(order('o5'))).rejects.toMatchObject({ waiting: ['o1', 'o3', 'o4'] });
    await slots.forget('ana');
    await take(order('o5'));
  });

  it('lose places that nobody gives back once their orders cannot hold anything any more', async () => {
    for (const id of ['o1', 'o2']) await take(order(id));
    clock.advance(1_000);
    await take(order('o3'));
    clock.advance(LIFE + HOLD - 1_001);
    expect(await slots.refusal('ana', seats(1))).toMatchObject({ retryAfter: 1 });
    clock.advance(1);
    expect(await slots.refusal('ana', seats(1))).toBeNull();
    await take(order('o4'));
    await take(order('o5'));
    await expect(take(order('o6'))).rejects.toMatchObject({ waiting: ['o3', 'o4', 'o5'] });
  });

  it('are without number, and so are their seats, where they are not limited', async () => {
    for (const id of ['o1', 'o2', 'o3', 'o4']) await take(order(id, 9), process(0));
    expect(await process(0).refusal('ana', seats(9))).toBeNull();
    expect(await slots.refusal('ana', seats(1))).toBeNull();
  });
});
