import { randomBytes } from 'node:crypto';
import { RandomIds } from '#kernel';
import { FixedClock } from '#testing';
import { MemoryDocuments } from '../../../../documents/src/testing/index.js';
import { CARD_FINGERPRINTS, CardFingerprints } from '../card-fingerprints.js';
import { LEDGER, TestProcessor } from '../test-processor.js';

/** How long (ms) a challenge waits for its holder in tests. */
export const CHALLENGE_LIFE = 600_000;

/** A ledger of its own, and any number of processors that share it. */
export const openLedger = async () => {
  const clock = new FixedClock();
  const documents = new MemoryDocuments(clock);
  for (const collection of [LEDGER, CARD_FINGERPRINTS]) await documents.prepare(collection);
  const cards = new CardFingerprints(documents, clock, randomBytes(32));
  return {
    clock,
    documents,
    processor: () => new TestProcessor(documents, cards, clock, new RandomIds(), CHALLENGE_LIFE),
  };
};
