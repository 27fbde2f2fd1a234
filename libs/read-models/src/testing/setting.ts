import { randomUUID } from 'node:crypto';
import { Leases, LEASES, type ReadModelStore } from '#documents';
import { type Instant, millisecondsOf } from '#kernel';
import { FixedClock } from '#testing';
import { CHECKPOINTS } from '../checkpoints.js';
import { DelegationLog } from './delegation-log.js';
import { type OpenMandate, openMandates } from './open-mandates.projection.js';
import { openStores } from './stores.js';

/** On its timer passes what a case lets pass and nothing else: leases are shorter here than what the cases take. */
class Stepped extends FixedClock {
  constructor(private readonly clock: FixedClock) {
    super();
  }

  override now(): Instant {
    return this.clock.now();
  }

  override monotonic(): number {
    return millisecondsOf(this.now());
  }
}

/** An empty log and an empty store of read models, which nobody else uses. */
export interface Setting {
  readonly log: DelegationLog;
  readonly store: ReadModelStore;
  /** What leases end by. */
  readonly clock: FixedClock;
  readonly newLeases: () => Leases;
  readonly close: () => Promise<void>;
}

export const openSetting = async (): Promise<Setting> => {
  const clock = new FixedClock();
  const { events, store, close } = await openStores(clock);
  await store.prepare(CHECKPOINTS);
  await store.prepare(LEASES);
  const newLeases = () => new Leases(store, new Stepped(clock), randomUUID());
  return { log: new DelegationLog(events), store, clock, newLeases, close };
};

/** Makes an empty collection for the projection of open mandates; returns its name. */
export const newCollection = async (store: ReadModelStore): Promise<string> => {
  const taken = await store.collections('open-mandates-v1-');
  const name = `open-mandates-v1-${taken.length + 1}`;
  await store.prepare({ name, indexes: openMandates.indexes });
  return name;
};

export const documentsIn = async (
  store: ReadModelStore,
  collection: string,
): Promise<Readonly<Record<string, OpenMandate>>> => {
  const sort = { field: 'agent', direction: 'ascending' } as const;
  const found = await store.find<OpenMandate>(collection, { where: [], sort, limit: 10_000 });
  return Object.fromEntries(found.map(({ id, body }) => [id, body]));
};
