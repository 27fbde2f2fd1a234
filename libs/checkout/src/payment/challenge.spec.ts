import { randomUUID } from 'node:crypto';
import { money, plus } from '#kernel';
import { LEDGER, type TestProcessor } from './test-processor.js';
import { CHALLENGE_LIFE, openLedger } from './testing/processors.js';

const card = { cardNumber: '4000 0000 0000 3220', expiry: '12/30', cvc: '987' };
const other = { ...card, cardNumber: '4242424242424242' };
let ledger: Awaited<ReturnType<typeof openLedger>>;
let processor: TestProcessor;
beforeAll(async () => {
  ledger = await openLedger();
  processor = ledger.processor();
});

const soon = () => plus(ledger.clock.now(), 30_000);
const challenged = async (): Promise<string> => {
  const orderId = randomUUID();
  const expiresAt = plus(ledger.clock.now(), CHALLENGE_LIFE);
  const outcome = await processor.charge({ orderId, amount: money(100_00, 'BRL'), card, notAfter: soon() });
  expect(outcome).toEqual({ status: 'challenged', expiresAt, brand: 'visa', last4: '3220' });
  return orderId;
};
const FAILED = { status: 'refused', reason: 'payment_challenge_failed' };
const NOT_COMPLETED = { status: 'refused', reason: 'payment_not_completed' };

describe('a challenged charge', () => {
  it('waits for its holder, whoever asks for the money', async () => {
    const orderId = await challenged();
    expect(await processor.capture(orderId, soon())).toMatchObject({ status: 'challenged' });
    const again = { orderId, amount: money(100_00, 'BRL'), card, notAfter: soon() };
    expect(await processor.charge(again)).toMatchObject({ status: 'challenged' });
  });

  it('is captured once approved, once (rule 10)', async () => {
    const orderId = await challenged();
    expect(await processor.decide(orderId, 'approve')).toBe(true);
    expect(await processor.decide(orderId, 'deny')).toBe(false);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => ledger.processor().capture(orderId, soon())));
    expect(outcomes[0]).toMatchObject({ status: 'captured', amount: money(100_00, 'BRL'), last4: '3220' });
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
  });

  it('is not captured later than notAfter, though approved', async () => {
    const orderId = await challenged();
    await processor.decide(orderId, 'approve');
    expect(await processor.capture(orderId, plus(ledger.clock.now(), -1))).toEqual({ status: 'closed' });
    expect(await processor.capture(orderId, soon())).toEqual({ status: 'closed' });
  });

  it('fails once denied', async () => {
    const orderId = await challenged();
    expect(await processor.decide(orderId, 'deny')).toBe(true);
    expect(await processor.decide(orderId, 'approve')).toBe(false);
    expect(await processor.capture(orderId, soon())).toEqual(FAILED);
    expect(await processor.close(orderId)).toEqual(FAILED);
  });

  it('fails at its end, and says where it was approved and nobody came for the money', async () => {
    const [waiting, closed, approved, late] = [
      await challenged(),
      await challenged(),
      await challenged(),
      await challenged(),
    ];
    await processor.decide(approved, 'approve');
    ledger.clock.advance(CHALLENGE_LIFE);
    expect(await processor.capture(waiting, soon())).toEqual(FAILED);
    expect(await processor.close(closed)).toEqual(FAILED);
    expect(await processor.capture(approved, soon())).toEqual(NOT_COMPLETED);
    // Decided in time in the order's stream; the word of it comes late.
    expect(await processor.decide(late, 'approve')).toBe(true);
    expect(await processor.close(late)).toEqual(NOT_COMPLETED);
    for (const over of [waiting, approved]) expect(await processor.decide(over, 'approve')).toBe(false);
  });

  it('may be closed while it waits; then no decision counts', async () => {
    const orderId = await challenged();
    expect(await processor.close(orderId)).toEqual({ status: 'closed' });
    expect(await processor.decide(orderId, 'approve')).toBe(false);
    expect(await processor.capture(orderId, soon())).toEqual({ status: 'closed' });
  });

  it('decided, captured and closed at once ends one way for all', async () => {
    for (let round = 0; round < 25; round += 1) {
      const orderId = await challenged();
      await Promise.all([
        processor.decide(orderId, round % 3 === 0 ? 'deny' : 'approve'),
        ledger.processor().capture(orderId, soon()),
        ledger.processor().close(orderId),
        ledger.processor().capture(orderId, soon()),
      ]);
      const row = (await ledger.documents.get(LEDGER.name, orderId))?.body;
      expect(await processor.close(orderId)).toEqual(row);
      expect(await processor.capture(orderId, soon())).toEqual(row);
    }
  });
});

describe('the card of a challenge', () => {
  it('is known again while it waits', async () => {
    const orderId = await challenged();
    expect(await processor.wasCard(orderId, { ...card, cardNumber: '4000000000003220' })).toBe(true);
    expect(await processor.wasCard(orderId, other)).toBe(false);
    expect(await processor.wasCard(randomUUID(), card)).toBe(false);
  });

  it('is known for ten minutes after it failed, and forgotten then', async () => {
    const orderId = await challenged();
    await processor.decide(orderId, 'deny');
    ledger.clock.advance(599_999);
    expect(await processor.wasCard(orderId, card)).toBe(true);
    ledger.clock.advance(2);
    expect(await processor.wasCard(orderId, card)).toBe(false);
  });

  it('is known for ten minutes after it was captured, and forgotten then', async () => {
    const orderId = await challenged();
    await processor.decide(orderId, 'approve');
    await processor.capture(orderId, soon());
    ledger.clock.advance(599_999);
    expect(await processor.wasCard(orderId, card)).toBe(true);
    ledger.clock.advance(2);
    expect(await processor.wasCard(orderId, card)).toBe(false);
  });

  it('is forgotten at once when it was closed', async () => {
    const orderId = await challenged();
    await processor.close(orderId);
    expect(await processor.wasCard(orderId, card)).toBe(false);
  });
});
