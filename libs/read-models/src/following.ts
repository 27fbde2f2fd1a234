import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadModelStore } from '#documents';
import { loadCheckpoints } from './checkpoints.js';
import { Followed } from './followed.js';
import { collectionName, generationsOf, liveCollections } from './generations.js';
import type { Projection } from './projection.js';
import type { OnProjectionError } from './projector.js';

/** How often (ms) the store is asked, and how often at most while somebody waits. */
const [LOOK, LOOK_WHILE_AWAITED] = [1_000, 20];

/**
 * Follows read models that other processes project: which collections are theirs, and how far they are. The store is
 * asked once for all who wait, and once a second while nobody does.
 */
export class Following {
  private running: Promise<void> | null = null;
  private hasStopped = false;
  private resting = new AbortController();

  private constructor(
    private readonly store: ReadModelStore,
    readonly models: readonly Followed[],
    private readonly onError: OnProjectionError,
  ) {}

  static async open(
    store: ReadModelStore,
    projections: readonly Projection<object>[],
    onError: OnProjectionError,
  ): Promise<Following> {
    const models: Followed[] = [];
    for (const projection of projections) {
      const name = collectionName(projection, (await generationsOf(store, projection)).live);
      await store.prepare({ name, indexes: projection.indexes });
      models.push(new Followed(projection, name));
    }
    const following = new Following(store, models, onError);
    await following.lookAtProgress();
    return following;
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Asks soon: somebody has begun to wait. */
  wake(): void {
    this.resting.abort();
  }

  async stop(): Promise<void> {
    this.hasStopped = true;
    this.resting.abort();
    await this.running;
    for (const { progress } of this.models) progress.end();
  }

  private async run(): Promise<void> {
    let namesAt = -LOOK;
    await this.rest(0);
    while (!this.hasStopped) {
      const now = performance.now();
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
    const askedAt = performance.now();
    const projections = this.models.map(({ projection }) => projection);
    const live = await liveCollections(this.store, projections);
    for (const model of this.models) {
      const name = live.get(model.projection) ?? model.heardOf;
      if (name !== model.heardOf) await this.store.prepare({ name, indexes: model.projection.indexes });
      model.hear(name, askedAt);
    }
  }

  private async lookAtProgress(): Promise<void> {
    const names = this.models.map(({ heardOf }) => heardOf);
    const stored = await loadCheckpoints(this.store, names);
    for (const { heardOf, progress } of this.models) {
      const checkpoint = stored.get(heardOf);
      if (checkpoint) progress.reach(checkpoint);
    }
  }

  /** Waits for the time of the next look; `lookedAt`: that of the last. */
  private async rest(lookedAt: number): Promise<void> {
    if (!this.models.some(({ progress }) => progress.isAwaited)) await this.pause(LOOK);
    await sleep(LOOK_WHILE_AWAITED - (performance.now() - lookedAt));
  }

  /** Waits, until somebody wakes it or it is to stop. */
  private async pause(milliseconds: number): Promise<void> {
    this.resting = new AbortController();
    if (!this.hasStopped) await sleep(milliseconds, undefined, { signal: this.resting.signal }).catch(() => undefined);
  }
}
