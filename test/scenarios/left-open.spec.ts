import { ManualClock, openForEach } from '#testing';
import { systemContext } from '#kernel';
import { Orders } from '#order';
import { failing, gate } from '../support/gate.js';
import type { Intercept } from '../support/intercept.js';
import { AGENT } from '../support/market.js';
import { Sale } from './sale.js';

const sale = openForEach(() => Sale.open());

/** An order that its request could not end, since nothing answered any more from this call on. */
const leftOpenAt = async (
  call: string,
  onError: (id: string) => void = () => undefined,
  beside: Intercept = (_, work) => work(),
) => {
  const [clock, line] = [new ManualClock(), { isDown: true }];
  const broken = failing('before', call, 'close');
  const intercept: Intercept = (name, work) => beside(name, () => (line.isDown ? broken(name, work) : work()));
  const process = sale.market.process({ clock, intercept, onError });
  await expect(sale.market.order(process, sale.wanted)).rejects.toMatchObject({ name: 'OrderOutcomeUnknown' });
  /** Lets a second pass, and what is tried in it. */
  const second = async () => {
    clock.advance(1_000);
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  };
  return { process, line, second };
};

describe('an order that its request could not end', () => {
  it.each(['append SeatsHeld', 'charge'])(
    'is ended by its own process within seconds, undone (%s, rule 8)',
    async (call) => {
      const { line, second } = await leftOpenAt(call);
      line.isDown = false;
      await second();
      expect(await sale.bookingNow()).toBe('open');
      await sale.expectFree();
    },
  );

  it('is paid where the money was taken (rule 8)', async () => {
    const { line, second } = await leftOpenAt('append OrderPaid');
    line.isDown = false;
    await second();
    expect(await sale.bookingNow()).toBe('ticketed');
    await sale.expectSound();
  });

  it('is ended as well where it is the next of a booking whose last one is being ended (rule 8)', async () => {
    const held = gate('before', 'get challenge-slots');
    const { process, line, second } = await leftOpenAt('charge', undefined, held.intercept);
    line.isDown = false;
    await second();
    await held.reached; // the booking is free, and that its order is over is about to be known
    line.isDown = true;
    await expect(sale.market.order(process, sale.wanted)).rejects.toMatchObject({ name: 'OrderOutcomeUnknown' });
    line.isDown = false;
    held.open();
    await second();
    await second();
    expect(await sale.bookingNow()).toBe('open');
    await sale.expectFree();
  });

  it('is tried with growing pauses for a minute, and then is for everybody (rule 8)', async () => {
    const tries: string[] = [];
    const { line, second } = await leftOpenAt('charge', (id) => tries.push(id));
    const at: number[] = [];
    for (let time = 1; time <= 64; time += 1) {
      const before = tries.length;
      await second();
      if (tries.length > before) at.push(time);
    }
    expect(at).toEqual([1, 3, 7, 15, 31, 63]);
    line.isDown = false;
    for (let time = 0; time < 70; time += 1) await second();
    expect(await sale.bookingNow()).toBe('checkout');
    sale.past(60_000);
    await sale.market.recover(sale.calm);
    await sale.expectFree();
  });

  it('is paid for its agent only once its mandate has paid it, when it is asked again (rule 21)', async () => {
    await leftOpenAt('append MandateConsumed');
    const { orderId } = await sale.checkoutNow();
    const { holder } = AGENT;
    const dead = sale.market.process({ intercept: failing('before', 'append MandateConsumed') });
    const context = systemContext('a test');
    await expect(dead.the(Orders).ended(orderId, holder, context)).rejects.toThrow('no answer');
    expect(await sale.calm.the(Orders).ended(orderId, holder, context)).toMatchObject({ kind: 'paid' });
    expect(await sale.bookingNow()).toBe('ticketed');
    await sale.expectSound();
  });
});
