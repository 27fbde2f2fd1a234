import { Aggregates, type EventStore } from '#event-store';
import { CHARGE_SCOPES, money, plus, RandomIds, SystemClock, systemContext } from '#kernel';
import { type MandateCommand, mandates } from '#mandate';
import { MemoryEventStore } from '../../libs/event-store/src/testing/index.js';
import { byTurns } from './numbers.js';

const PARTY = { holder: 'ana', clientId: 'pilot' } as const;
const PRICE = money(100_00, 'BRL');
const HOUR = 3_600_000;
const CHARGE = {
  ...PARTY,
  amount: PRICE,
  purchase: { flightNumber: 'AL4012', from: 'GRU', to: 'REC', unitPrice: PRICE },
};
/** Charges that are timed together: one alone is too short. */
const TOGETHER = 20;
const YOUNG = 5;

/** The mandate's own commands, through `Aggregates.handle` and nothing above it. */
export const mandatesIn = (log: EventStore) => {
  const [clock, ids] = [new SystemClock(), new RandomIds()];
  const aggregates = new Aggregates(log, clock, ids);
  const handle = (mandateId: string, command: MandateCommand) =>
    aggregates.handle(mandates, mandateId, command, systemContext('bench'));
  return {
    grant: async (): Promise<string> => {
      const [mandateId, startsAt] = [ids.next(), clock.now()];
      const limit = money(10 ** 12, 'BRL');
      const terms = { scope: CHARGE_SCOPES, limit, minutes: 600, startsAt, expiresAt: plus(startsAt, 10 * HOUR) };
      await handle(mandateId, { type: 'CreateMandate', mandateId, ...PARTY, ...terms, grantedBy: 'agent' });
      return mandateId;
    },
    /** Reserve and Consume. */
    charge: async (mandateId: string): Promise<void> => {
      const orderId = ids.next();
      const holdBefore = plus(clock.now(), HOUR);
      await handle(mandateId, { type: 'Reserve', orderId, bookingId: ids.next(), ...CHARGE, holdBefore });
      await handle(mandateId, { type: 'Consume', orderId });
    },
  };
};

/** What Reserve and Consume cost on a mandate with `old` charges behind it and on young ones, by turns, without a disk. */
export const mandateCommands = async (old: number, pairs: number) => {
  const { grant, charge } = mandatesIn(new MemoryEventStore());
  const charged = async (mandateId: string, times: number): Promise<string> => {
    for (let time = 0; time < times; time += 1) await charge(mandateId);
    return mandateId;
  };
  const aged = await charged(await grant(), old);
  const young: string[] = [];
  for (let pair = 0; pair < pairs; pair += 1) young.push(await charged(await grant(), YOUNG));
  return byTurns(
    pairs,
    () => charged(aged, TOGETHER),
    (pair) => charged(young[pair] ?? aged, TOGETHER),
  );
};
