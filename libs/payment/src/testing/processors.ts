import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDocuments } from '#documents';
import { RandomIds } from '#kernel';
import { FixedClock } from '#testing';
import { CARD_FINGERPRINTS, CardFingerprints } from '../card-fingerprints.js';
import { LEDGER } from '../ledger.js';
import { TestProcessor } from '../test-processor.js';

/** How long (ms) a challenge waits for its holder in tests. */
export const CHALLENGE_LIFE = 600_000;

/** A ledger in a folder of its own, and any number of processors that share it. */
export const openLedger = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'payment-'));
  const clock = new FixedClock();
  const documents = await EmbeddedDocuments.open({ file: join(folder, 'documents.db'), durability: 'full', clock });
  for (const collection of [LEDGER, CARD_FINGERPRINTS]) await documents.prepare(collection);
  const cards = new CardFingerprints(documents, clock, randomBytes(32));
  return {
    clock,
    documents,
    processor: () => new TestProcessor(documents, cards, clock, new RandomIds(), CHALLENGE_LIFE),
    close: async () => {
      await documents.close();
      rmSync(folder, { recursive: true });
    },
  };
};
