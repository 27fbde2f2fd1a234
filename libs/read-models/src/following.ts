import { DocumentsUnavailable, type ReadModelStore } from '#documents';
import { BEGINNING, type EventStore, type Position } from '#event-store';
import type { Clock } from '#kernel';
import { loadCheckpoint, loadCheckpoints, type StoredCheckpoint } from './checkpoints.js';
import { collectionName, generationsOf, liveCollections } from './generations.js';
import { Progress } from './progress.js';
import type { Projection } from './projection.js';
import type { OnProjectionError } from './projected.js';

/** How often (ms) the store is asked which collections are live. */
const LOOK = 1_000;
/** How often (ms) it is asked how far they are. */
const LOOK_AT_PROGRESS = 100;
/** How soon (ms) after a look the next one comes where somebody has begun to wait, and the longest time while somebody always does. */
const [SOONEST, LATEST] = [5, 20];

/** Why a rest ends, for every request that waits: without a reason, Node makes an error with a stack. */
const WOKEN = 'woken';

/** How long (ms) it is relied on which collection is live: a rebuild waits longer (`REBUILD_GRACE`) before it drops the previous one. */
export const RELIED_ON = 5_000;

/** A read model that other processes keep up with the log, as this one knows it. */
export class Followed {
  readonly progress: Progress;
  private confirmedAt: number;

  constructor(
    readonly projection: Projection<object>,
    /** The collection last known to be live, however long ago. */
    public lastKnown: string,
    private readonly clock: Clock,
  ) {
    this.progress = new Progress(clock);
    this.confirmedAt = clock.monotonic();
  }

  /** @throws DocumentsUnavailable where the store has not answered for too long. */
  get collection(): string {
    if (this.clock.monotonic() - this.confirmedAt <= RELIED_ON) return this.lastKnown;
    throw new DocumentsUnavailable(
      `which collection of ${this.projection.name} is live is not known for ${RELIED_ON} ms`,
    );
  }

  /** Notes the store's answer; `askedAt`: when the question was sent, by the monotonic clock. */
  confirm(askedAt: number): void {
    this.confirmedAt = askedAt;
  }

  /** Reads another collection from now on, as far as that is: it may be behind the one before. */
  moveTo(collection: string, checkpoint: StoredCheckpoint | null): void {
    this.lastKnown = collection;
    this.progress.restart(checkpoint);
  }

  /** Resolves when the documents hold everything up to `position`. */
  async caughtUp(position: Position): Promise<void> {
    if (await this.progress.waitFor(position, null)) return;
    throw new Error(`the read model ${this.projection.name} is no longer followed`);
  }
}

/** Follows read models that others project: the store is asked once for all who wait, else ten times a second. */
export class Following {
  private running: Promise<void> | null = null;
  private hasStopped = false;
  private resting = new AbortController();
  /** How soon (ms) the next look comes while somebody waits. */
  private soon = SOONEST;

  private constructor(
    private readonly store: ReadModelStore,
    readonly models: readonly Followed[],
    private readonly clock: Clock,
    private readonly onError: OnProjectionError,
  ) {}

  static async open(
    events: EventStore,
    store: ReadModelStore,
    projections: readonly Projection<object>[],
    clock: Clock,
    onError: OnProjectionError,
  ): Promise<Following> {
    const models: Followed[] = [];
    for (const projection of projections) {
      const name = collectionName(projection, (await generationsOf(store, projection)).live);
      await store.prepare({ name, indexes: projection.indexes });
      models.push(new Followed(projection, name, clock));
    }
    const following = new Following(store, models, clock, onError);
    const end = (await events.head())?.position ?? BEGINNING;
    await following.lookAtProgress();
    for (const { progress } of models) if (!progress.checkpoint) progress.aimAt(end); // nobody has begun it yet
    return following;
  }

  /** Asks which collections are live first: since they were found, the start of a process may have taken long. */
  async start(): Promise<void> {
    await this.lookAtNames();
    this.running ??= this.run();
  }

  /** Asks soon: somebody has begun to wait. */
  wake(): void {
    this.resting.abort(WOKEN);
  }

  async stop(): Promise<void> {
    this.hasStopped = true;
    this.resting.abort();
    await this.running;
    for (const { progress } of this.models) progress.end();
  }

  private async run(): Promise<void> {
    let namesAt = this.clock.monotonic();
    await this.rest(0);
    while (!this.hasStopped) {
      const now = this.clock.monotonic();
      try {
        if (now - namesAt >= LOOK) {
          await this.lookAtNames();
          namesAt = now;
        }
        await this.lookAtProgress();
      } catch (error) {
        this.onError('read models', error);
        await this.pause(LOOK);
      }
      await this.rest(now);
    }
  }

  private async lookAtNames(): Promise<void> {
    const askedAt = this.clock.monotonic();
    const projections = this.models.map(({ projection }) => projection);
    const live = await liveCollections(this.store, projections);
    for (const model of this.models) {
      const name = live.get(model.projection) ?? model.lastKnown;
      if (name !== model.lastKnown) {
        await this.store.prepare({ name, indexes: model.projection.indexes });
        model.moveTo(name, await loadCheckpoint(this.store, name));
      }
      model.confirm(askedAt);
    }
  }

  private async lookAtProgress(): Promise<void> {
    const names = this.models.map(({ lastKnown }) => lastKnown);
    const stored = await loadCheckpoints(this.store, names);
    for (const { lastKnown, progress } of this.models) {
      const checkpoint = stored.get(lastKnown);
      if (checkpoint) progress.reach(checkpoint);
    }
  }

  /** Waits for the time of the next look; `lookedAt`: that of the last. Each look that somebody waits for puts off the next. */
  private async rest(lookedAt: number): Promise<void> {
    if (!this.models.some(({ progress }) => progress.isAwaited)) {
      this.soon = SOONEST;
      await this.pause(LOOK_AT_PROGRESS);
    }
    await this.clock.sleep(this.soon - (this.clock.monotonic() - lookedAt));
    this.soon = Math.min(2 * this.soon, LATEST);
  }

  /** Waits, until somebody wakes it or it is to stop. */
  private async pause(milliseconds: number): Promise<void> {
    this.resting = new AbortController();
    if (!this.hasStopped) await this.clock.sleep(milliseconds, this.resting.signal);
  }
}
