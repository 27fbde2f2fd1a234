import { expect, it } from '@jest/globals';
import { Aggregates } from '#event-store';
import { plus, RandomIds } from '#kernel';
import { ManualClock, NOW } from '#testing';
import { PendingMandates } from '#mandate';
import { MemoryDocuments } from '../support/memory-documents.js';
import { MemoryEventStore } from '../support/memory-event-store.js';

it('keep their place as long as the request that was written in the end, and no fourth waits (rule 31)', async () => {
  const clock = new ManualClock(NOW);
  const pending = new PendingMandates(
    new MemoryDocuments(clock),
    new Aggregates(new MemoryEventStore(), clock, new RandomIds()),
    clock,
  );
  await pending.prepare();
  await pending.take('ana', 'm1', plus(NOW, 60_000));
  await pending.take('ana', 'm1', plus(NOW, 120_000));
  for (const id of ['m2', 'm3']) await pending.take('ana', id, plus(NOW, 120_000));
  clock.advance(90_000);
  await expect(pending.take('ana', 'm4', plus(NOW, 180_000))).rejects.toMatchObject({ code: 'rate_limited' });
});
