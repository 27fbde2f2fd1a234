import { Aggregates } from '#event-store';
import { money, RandomIds } from '#kernel';
import { FixedClock } from '#testing';
import { MemoryEventStore } from '../../../event-store/src/testing/index.js';
import { CapRefusals } from './create-mandate.js';
import { delegations } from '../delegation/delegation.decider.js';

const party = { holder: 'h', clientId: 'agente' };
const context = { actor: party, correlationId: 'r', causationId: 'r' };
const refused = (mandateId: string) => ({ ...party, mandateId, limit: money(600_00, 'BRL') });

let store: MemoryEventStore;
let clock: FixedClock;
let aggregates: Aggregates;
beforeEach(async () => {
  store = new MemoryEventStore();
  clock = new FixedClock();
  aggregates = new Aggregates(store, clock, new RandomIds());
  const authorize = { type: 'AuthorizeAgent', ...party, grantId: 'g', scopes: [], cap: money(500_00, 'BRL') } as const;
  await aggregates.handle(delegations, { holder: 'h', clientId: 'agente' }, authorize, context);
});

const written = async (day: string) => {
  const events = [];
  for await (const event of store.readStream(`security-${day}`)) events.push(event);
  return events;
};

describe('a mandate refused because of the cap', () => {
  it('is written down in the stream of its day, with what was asked, the cap and what is used of it', async () => {
    await new CapRefusals(aggregates, clock).record(refused('m'), context);
    const [event] = await written('2026-01-15');
    expect(event).toMatchObject({
      type: 'CapRefused',
      data: {
        ...party,
        mandateId: 'm',
        limit: money(600_00, 'BRL'),
        cap: money(500_00, 'BRL'),
        used: money(0, 'BRL'),
        refusedAt: '2026-01-15T12:00:00.000Z',
      },
      metadata: { actor: party, $correlationId: 'r' },
    });
  });

  it('by an agent that loops is written twenty times an hour, and again in the next', async () => {
    const refusals = new CapRefusals(aggregates, clock);
    for (let n = 0; n < 25; n += 1) await refusals.record(refused(n.toString()), context);
    expect(await written('2026-01-15')).toHaveLength(20);
    clock.advance(12 * 3_600_000);
    await refusals.record(refused('another'), context);
    expect(await written('2026-01-16')).toHaveLength(1);
  });
});
