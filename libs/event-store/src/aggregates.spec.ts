import { join } from 'node:path';
import { ownFolder } from '#testing';
import { aggregatesContract } from './aggregates.contract.js';
import { EmbeddedEventStore } from './event-store.embedded.js';

describe('aggregates over an embedded log', () => {
  const folder = ownFolder();
  aggregatesContract(() => EmbeddedEventStore.open({ file: join(folder, 'events.db') }));
});
