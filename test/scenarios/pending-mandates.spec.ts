import { Aggregates } from '#event-store';
import { plus, RandomIds } from '#kernel';
import { ManualClock, NOW } from '#testing';
import { PENDING_MANDATES, PendingMandates } from '#mandate';
import { MemoryDocuments } from '../../libs/documents/src/testing/index.js';
import { MemoryEventStore } from '../../libs/event-store/src/testing/index.js';

const places = async (clock: ManualClock) => {
  const documents = new MemoryDocuments(clock);
  await documents.prepare(PENDING_MANDATES);
  const aggregates = new Aggregates(new MemoryEventStore(), clock, new RandomIds());
  const pending = new PendingMandates(documents, aggregates, clock);
  return (clientId: string, mandateId: string, lapsesAfter: number) =>
    pending.take({ holder: 'ana', clientId }, mandateId, plus(NOW, lapsesAfter));
};

it('keep their place as long as the request that was written in the end, and no fourth of an agent waits (rule 31)', async () => {
  const clock = new ManualClock(NOW);
  const take = await places(clock);
  await take('a', 'm1', 60_000);
  await take('a', 'm1', 120_000);
  for (const id of ['m2', 'm3']) await take('a', id, 120_000);
  clock.advance(90_000);
  await expect(take('a', 'm4', 180_000)).rejects.toMatchObject({ code: 'rate_limited', details: { limit: 3 } });
});

it('are left for other agents by one that keeps asking, up to nine of their holder', async () => {
  const take = await places(new ManualClock(NOW));
  for (const agent of ['a', 'b', 'c']) for (const n of [1, 2, 3]) await take(agent, `${agent}${n}`, 60_000);
  await expect(take('a', 'a4', 60_000)).rejects.toMatchObject({ code: 'rate_limited', details: { limit: 3 } });
  await expect(take('d', 'd1', 60_000)).rejects.toMatchObject({ code: 'rate_limited', details: { limit: 9 } });
});
