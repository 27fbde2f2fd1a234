import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aggregatesContract } from './aggregates.contract.js';
import { EmbeddedEventStore } from './event-store.embedded.js';

describe('aggregates over an embedded log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aggregates-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  aggregatesContract(() => EmbeddedEventStore.open({ file: join(folder, 'events.db') }));
});
