import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EmbeddedDocuments, Leases, LEASES } from '#documents';
import { RandomIds } from '#kernel';
import { ManualClock } from '#testing';
import { Runner } from './runner.js';

describe('a process that runs orders (rule 8)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'runner-'));
  const clock = new ManualClock();
  let documents: EmbeddedDocuments;
  beforeAll(async () => {
    documents = await EmbeddedDocuments.open({ file: join(folder, 'documents.db'), durability: 'normal', clock });
    await documents.prepare(LEASES);
  });
  afterAll(async () => {
    await documents.close();
    rmSync(folder, { recursive: true });
  });

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
