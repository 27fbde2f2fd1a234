import { BEGINNING, shareOf } from '#event-store';
import { CHECKPOINTS, dropCollection } from './checkpoints.js';
import { RELIED_ON } from './following.js';
import { beginGeneration, collectionName, GENERATIONS, generationsOf, partsOfName, switchTo } from './generations.js';
import { leaseOf, type SharedProjecting } from './leased-projector.js';
import { Projected } from './projected.js';
import type { Projection } from './projection.js';
import { Projector } from './projector.js';

/** How long (ms) a replaced generation is kept: longer than any process relies on what it knows of it. */
export const REBUILD_GRACE = 2 * RELIED_ON;
/** How often (ms) the progress of a rebuild is reported. */
const TELL = 100;
/** How long (ms) a switch waits for the last events that the live generation shows, at most. */
const LEVEL = 10_000;

export class RebuildUnderWay extends Error {
  override readonly name = 'RebuildUnderWay';
}

export interface Rebuilding extends SharedProjecting {
  /** How long (ms) the generation of before is kept; 0 where no other process reads it. */
  readonly grace: number;
  /** Called with the share of the log, 0 to 1, that the new generation holds. */
  readonly onProgress: (done: number) => void;
  /** Ends the rebuild; before its switch it has changed nothing. */
  readonly signal: AbortSignal;
}

/** Builds a read model anew beside the live one and takes its place. @throws ProjectionStopped, RebuildUnderWay, RebuildOvertaken */
export const rebuild = async (projection: Projection<object>, rebuilding: Rebuilding): Promise<void> => {
  const { store, leases, lease, clock, grace, onError, signal } = rebuilding;
  await store.prepare(CHECKPOINTS);
  await store.prepare(GENERATIONS);
  await refuseWhileBuilt(projection, rebuilding);
  const number = await beginGeneration(store, projection);
  const name = collectionName(projection, number);
  const giveBack = await leases.keep(leaseOf(name), lease, (error) => onError(projection.name, error));
  await store.prepare({ name, indexes: projection.indexes });
  const next = new Projected(projection, name, clock);
  const projector = new Projector([next], rebuilding);
  projector.start();
  try {
    await levelWithLive(next, rebuilding);
    await switchTo(store, projection, number);
    await clock.sleep(grace, signal);
  } finally {
    await projector.stop();
    await giveBack();
  }
  if (!signal.aborted) await dropBefore(projection, number, rebuilding);
};

/** Waits out the lease of a rebuild that may have died. @throws RebuildUnderWay */
const refuseWhileBuilt = async (
  projection: Projection<object>,
  { store, leases, lease, clock, signal }: Rebuilding,
) => {
  const { building } = await generationsOf(store, projection);
  if (building === null) return;
  const name = leaseOf(collectionName(projection, building));
  for (const until = clock.monotonic() + lease * 1.5; await leases.isHeld(name);) {
    if (clock.monotonic() > until) throw new RebuildUnderWay(`${projection.name} is being rebuilt by another process`);
    await clock.sleep(lease / 10, signal);
    signal.throwIfAborted();
  }
};

/** Resolves once `next` holds all that the log held at the beginning, and all that the live generation shows. */
const levelWithLive = async (next: Projected, { events, onProgress, signal }: Rebuilding): Promise<void> => {
  const end = (await events.head())?.position ?? BEGINNING;
  while (!(await next.progress.waitFor(end, TELL))) {
    signal.throwIfAborted();
    if (next.failure) throw next.failure;
    onProgress(shareOf(next.progress.position, end));
  }
  // All that the live one shows is in the log, though its checkpoint may not say so yet.
  await next.progress.waitFor((await events.head())?.position ?? BEGINNING, LEVEL);
  signal.throwIfAborted();
  onProgress(1);
};

/** Drops every generation before `number`: none of them can become live again. */
const dropBefore = async ({ name, version }: Projection<object>, number: number, { store }: Rebuilding) => {
  for (const collection of await store.collections(`${name}-v${version}-`)) {
    const parts = partsOfName(name, collection);
    if (parts?.version === version && parts.generation < number) await dropCollection(store, collection);
  }
};
