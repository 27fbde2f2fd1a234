import { randomUUID } from 'node:crypto';
import { money, plus } from '#kernel';
import type { ChargeRequest } from './payment-processor.port.js';
import { LEDGER, type TestProcessor } from './test-processor.js';
import { openLedger } from './testing/processors.js';

let ledger: Awaited<ReturnType<typeof openLedger>>;
let processor: TestProcessor;
beforeAll(async () => {
  ledger = await openLedger();
  processor = ledger.processor();
});

const request = (changes: Partial<ChargeRequest> & { readonly cardNumber?: string } = {}): ChargeRequest => {
  const { cardNumber = '4242 4242 4242 4242', ...more } = changes;
  return {
    orderId: randomUUID(),
    amount: money(100_00, 'BRL'),
    card: { cardNumber, expiry: '12/30', cvc: '987' },
    notAfter: plus(ledger.clock.now(), 30_000),
    ...more,
  };
};
const captured = () => ({
  status: 'captured',
  id: expect.any(String),
  amount: money(100_00, 'BRL'),
  capturedAt: ledger.clock.now(),
  brand: 'visa',
  last4: '4242',
});
/** Resolves after so many turns of the microtask queue. */
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
};
const rowOf = async (orderId: string): Promise<unknown> => (await ledger.documents.get(LEDGER.name, orderId))?.body;

describe('a charge', () => {
  it('captures once, and answers that again when asked again', async () => {
    const charge = request();
    const first = await processor.charge(charge);
    expect(first).toEqual(captured());
    expect(await processor.charge(charge)).toEqual(first);
    expect(await processor.charge({ ...charge, amount: money(1, 'BRL') })).toEqual(first);
    expect(await ledger.processor().charge(charge)).toEqual(first);
    expect(await rowOf(charge.orderId)).toEqual(first);
  });

  it('made ten times at once captures once', async () => {
    const charge = request();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => ledger.processor().charge(charge)));
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
  });

  it.each([
    ['4000000000000002', 'payment_declined'],
    ['4000-0000-0000-9995', 'payment_insufficient_funds'],
  ])('of the card %s is refused for good', async (cardNumber, reason) => {
    const charge = request({ cardNumber });
    expect(await processor.charge(charge)).toEqual({ status: 'refused', reason });
    expect(await processor.charge(request({ orderId: charge.orderId }))).toEqual({ status: 'refused', reason });
    expect(await processor.close(charge.orderId)).toEqual({ status: 'refused', reason });
  });

  it('captures nothing later than notAfter, ever', async () => {
    const late = request({ notAfter: plus(ledger.clock.now(), -1) });
    expect(await processor.charge(late)).toEqual({ status: 'closed' });
    expect(await processor.charge(request({ orderId: late.orderId }))).toEqual({ status: 'closed' });
    expect(await processor.charge(request({ notAfter: ledger.clock.now() }))).toEqual(captured());
  });
});

describe('closing a charge', () => {
  it('forbids it for ever: a later charge captures nothing (rule 4)', async () => {
    const charge = request();
    expect(await processor.close(charge.orderId)).toEqual({ status: 'closed' });
    expect(await processor.charge(charge)).toEqual({ status: 'closed' });
    expect(await processor.close(charge.orderId)).toEqual({ status: 'closed' });
  });

  it('answers what was captured before, and changes nothing of it', async () => {
    const charge = request();
    const outcome = await processor.charge(charge);
    expect(await processor.close(charge.orderId)).toEqual(outcome);
    expect(await rowOf(charge.orderId)).toEqual(outcome);
  });

  it('at the moment of the charge, exactly one of the two decides, and both answer the same', async () => {
    const decided = { captured: 0, closed: 0 };
    for (let round = 0; round < 100; round += 1) {
      const charge = request();
      // `close` reads before it writes: the charge starts at each of the steps between.
      const late = turns(round % 20).then(() => processor.charge(charge));
      const [one, other] = await Promise.all([late, ledger.processor().close(charge.orderId)]);
      expect(one).toEqual(other);
      expect(await rowOf(charge.orderId)).toEqual(one);
      if (one.status === 'captured' || one.status === 'closed') decided[one.status] += 1;
    }
    expect(decided.captured + decided.closed).toBe(100);
    expect(Math.min(decided.captured, decided.closed)).toBeGreaterThan(0);
  });
});

describe('the ledger', () => {
  it('keeps of a card its brand and last four digits, and nothing else', async () => {
    const charge = request({ cardNumber: '5555 5555 5555 4444' });
    await processor.charge(charge);
    const id = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(await rowOf(charge.orderId)).toEqual({ ...captured(), id, brand: 'mastercard', last4: '4444' });
  });
});
