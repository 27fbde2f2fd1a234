import { Leases, LEASES } from '#documents';
import { RandomIds } from '#kernel';
import { ManualClock } from '#testing';
import { MemoryDocuments } from '../../documents/src/testing/index.js';
import { Runner } from './process-lease.js';

describe('a process that runs orders (rule 8)', () => {
  const clock = new ManualClock();
  const documents = new MemoryDocuments(clock);
  beforeAll(() => documents.prepare(LEASES));

  it('prolongs its lease every two seconds, by itself', async () => {
    const leases = new Leases(documents, clock, 'one');
    const runner = new Runner(leases, clock, new RandomIds());
    await runner.start();
    const term = async () => (await documents.get(LEASES.name, `runner ${runner.id ?? ''}`))?.version;
    for (let beat = 0; beat < 3; beat += 1) {
      const before = await term();
      expect(before).toBeDefined();
      clock.advance(2_000);
      while ((await term()) === before) await new Promise(setImmediate);
    }
    runner.stop();
  });
});
