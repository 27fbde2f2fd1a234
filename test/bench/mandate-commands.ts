import { Aggregates } from '#event-store';
import { CHARGE_SCOPES, money, plus, RandomIds, SystemClock, systemContext } from '#kernel';
import { type MandateCommand, mandates } from '#mandate';
import { MemoryEventStore } from '../support/memory-event-store.js';
import { byTurns } from './numbers.js';

const PARTY = { holder: 'ana', clientId: 'pilot' } as const;
const PRICE = money(100_00, 'BRL');
const HOUR = 3_600_000;
const CHARGE = { ...PARTY, amount: PRICE, purchase: { from: 'GRU', to: 'REC', unitPrice: PRICE } };
/** Charges that are timed together: one alone is too short. */
const TOGETHER = 20;
const YOUNG = 5;

/** What Reserve and Consume cost on a mandate with `old` charges behind it and on young ones, by turns. */
export const mandateCommands = async (old: number, pairs: number) => {
  const [clock, ids] = [new SystemClock(), new RandomIds()];
  const aggregates = new Aggregates(new MemoryEventStore(), clock, ids);
  const handle = (mandateId: string, command: MandateCommand) =>
    aggregates.handle(mandates, mandateId, command, systemContext('bench'));

  const charge = async (mandateId: string, times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      const orderId = ids.next();
      await handle(mandateId, {
        type: 'Reserve',
        orderId,
        bookingId: ids.next(),
        ...CHARGE,
        holdBefore: plus(clock.now(), HOUR),
      });
      await handle(mandateId, { type: 'Consume', orderId });
    }
  };
  const granted = async (charges: number): Promise<string> => {
    const mandateId = ids.next();
    const startsAt = clock.now();
    const limit = money(10 ** 12, 'BRL');
    const terms = { scope: CHARGE_SCOPES, limit, minutes: 600, startsAt, expiresAt: plus(startsAt, 10 * HOUR) };
    await handle(mandateId, { type: 'CreateMandate', mandateId, ...PARTY, ...terms, grantedBy: 'agent' });
    await charge(mandateId, charges);
    return mandateId;
  };

  const aged = await granted(old);
  const young: string[] = [];
  for (let pair = 0; pair < pairs; pair += 1) young.push(await granted(YOUNG));
  return byTurns(
    pairs,
    () => charge(aged, TOGETHER),
    (pair) => charge(young[pair] ?? aged, TOGETHER),
  );
};
