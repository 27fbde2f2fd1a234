import { type BookingSettings, TRAVELLERS } from '#booking';
import {
  BUYERS,
  CANCELLATIONS,
  CARD_FINGERPRINTS,
  CHALLENGE_SLOTS,
  type CheckoutSettings,
  LEDGER,
  openCheckoutsProjection,
  REFUNDS,
  REFUSED_CARDS,
} from '#checkout';
import { type Documents, LEASES, type ReadModelStore } from '#documents';
import type { EventStore } from '#event-store';
import { IDEMPOTENCY } from '#http';
import { mandatesProjection, openMandatesProjection, PENDING_MANDATES } from '#mandate';
import { ReadModels } from '#read-models';
import type { Clock, Ids } from '#kernel';
import { FixedClock } from '#testing';
import { CountedIds } from './counted-ids.js';
import { MemoryDocuments } from '../../libs/documents/src/testing/index.js';
import { MemoryEventStore } from '../../libs/event-store/src/testing/index.js';

/** Waiting times (ms) and bounds as they are by default, but that cards may be refused without end. */
export const SETTINGS = {
  promise: 1_800_000,
  hold: 60_000,
  charge: 30_000,
  recoveryLease: 8_000,
  recoveryPause: 1_000,
  refusedCards: 0,
  openChallenges: 3,
} satisfies BookingSettings & CheckoutSettings;
/** The collections that a process finds prepared. */
export const COLLECTIONS = [
  LEASES,
  IDEMPOTENCY,
  LEDGER,
  CARD_FINGERPRINTS,
  BUYERS,
  CANCELLATIONS,
  TRAVELLERS,
  CHALLENGE_SLOTS,
  REFUNDS,
  REFUSED_CARDS,
  PENDING_MANDATES,
];
/** How long (ms) a challenge waits for its holder. */
export const CHALLENGE_LIFE = 600_000;

export interface Stores {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: EventStore;
  readonly documents: Documents;
  readonly readModelStore: ReadModelStore;
  readonly readModels: ReadModels;
  readonly secret: Buffer;
}

/** Stores in memory that several logical processes share, and the read models that their recovery workers and orders look at. */
export class SharedStores {
  readonly clock = new FixedClock();
  readonly ids = new CountedIds();
  readonly events = new MemoryEventStore();
  readonly documents = new MemoryDocuments(this.clock);
  readonly readModelStore = new MemoryDocuments(this.clock);
  readonly secret = Buffer.alloc(32, 1);
  readonly readModels = new ReadModels(
    this.events,
    this.readModelStore,
    [openCheckoutsProjection, openMandatesProjection, mandatesProjection],
    this.clock,
    () => undefined, // it tries again; what it cannot do, `caughtUp` tells
  );

  static async open(): Promise<SharedStores> {
    const stores = new SharedStores();
    for (const spec of COLLECTIONS) await stores.documents.prepare(spec);
    await stores.readModels.start();
    return stores;
  }

  /** Resolves when the recovery workers' lists hold all that is in the log. */
  async caughtUp(): Promise<void> {
    const head = await this.events.head();
    if (head) await this.readModels.caughtUp(head.position);
  }

  async close(): Promise<void> {
    await this.readModels.stop();
    await this.events.close();
  }
}
