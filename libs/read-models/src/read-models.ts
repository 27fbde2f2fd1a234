import type { ReadModelStore } from '#documents';
import type { EventStore, Position } from '#event-store';
import type { Category } from '#events';
import { refuseAheadOfLog } from './ahead-of-log.js';
import { CHECKPOINTS } from './checkpoints.js';
import { collectionName, GENERATIONS, liveGeneration, prefixOf, switchGeneration } from './generations.js';
import type { Projection } from './projection.js';
import { type OnProjectionError, Projector } from './projector.js';

/** How long (ms) a writer waits for its own write to show in the lists (rule 25). */
const PATIENCE = 250;

/** The read models of this process: keeps them up with the log, says how far they are and which collection to read. */
export class ReadModels {
  private readonly projectors = new Map<string, Projector>();
  private isOpen = false;
  private isStarted = false;

  constructor(
    private readonly events: EventStore,
    private readonly store: ReadModelStore,
    private readonly projections: readonly Projection<object>[],
    private readonly onError: OnProjectionError,
  ) {}

  /**
   * Makes the collections known and begins to follow the log.
   *
   * @throws AheadOfLog
   */
  async start(): Promise<void> {
    await this.open();
    this.isStarted = true;
    for (const projector of this.projectors.values()) projector.start();
  }

  /**
   * Resolves when every read model holds everything up to `position`.
   *
   * @throws ProjectionStopped
   */
  async caughtUp(position: Position): Promise<void> {
    await Promise.all([...this.projectors.values()].map((projector) => projector.caughtUp(position)));
  }

  /**
   * Waits until the read models that consume a category hold everything up to `position`, the place of an event in it;
   * answers whether they do before `timeout` milliseconds ended. null, where a store does not tell the place: false.
   */
  async waitFor(category: Category, position: Position | null, timeout = PATIENCE): Promise<boolean> {
    if (position === null) return false;
    const concerned = [...this.projectors.values()].filter(({ projection }) =>
      projection.categories.includes(category),
    );
    const reached = await Promise.all(concerned.map(({ progress }) => progress.waitFor(position, timeout)));
    return reached.every((isReached) => isReached);
  }

  /** Name of the collection that holds a projection's documents now. Ask again for every query: a rebuild changes it. */
  collectionOf({ name }: Projection<object>): string {
    const projector = this.projectors.get(name);
    if (!projector) throw new Error(`the read model ${name} is not open`);
    return projector.collection;
  }

  /** By projection, how far behind the end of the log it is: a distance of positions, 0 where it is up to date. */
  async lag(): Promise<ReadonlyMap<string, number>> {
    const head = await this.events.head();
    const behind = ({ progress }: Projector) => Number(BigInt(head?.position ?? 0) - BigInt(progress.position));
    return new Map([...this.projectors].map(([name, projector]) => [name, Math.max(0, behind(projector))]));
  }

  /**
   * Builds a read model anew from the whole log, beside the present one. Once it holds what the log held at the
   * beginning, it takes the place of the present one, which is dropped.
   *
   * @throws ProjectionStopped where the log cannot be read: the present one stays.
   */
  async rebuild(projection: Projection<object>): Promise<void> {
    await this.open();
    const head = await this.events.head();
    const live = await liveGeneration(this.store, projection);
    await this.dropAllBut(projection, live.number); // what an interrupted rebuild left
    const next = await this.projectorOf(projection, live.number + 1);
    next.start();
    try {
      if (head) await next.caughtUp(head.position);
    } finally {
      await next.stop();
    }
    await switchGeneration(this.store, projection, live);
    await this.projectors.get(projection.name)?.stop();
    await this.follow(projection);
    await this.dropAllBut(projection, live.number + 1);
  }

  /** Finishes the batches under way. */
  async stop(): Promise<void> {
    this.isStarted = false;
    await Promise.all([...this.projectors.values()].map((projector) => projector.stop()));
  }

  private async open(): Promise<void> {
    if (this.isOpen) return;
    await this.store.prepare(CHECKPOINTS);
    await this.store.prepare(GENERATIONS);
    for (const projection of this.projections) await this.follow(projection);
    await refuseAheadOfLog(
      this.events,
      this.store,
      [...this.projectors.values()].map(({ collection }) => collection),
    );
    this.isOpen = true;
  }

  /** Takes up the live generation of a projection. */
  private async follow(projection: Projection<object>): Promise<void> {
    const { number } = await liveGeneration(this.store, projection);
    const projector = await this.projectorOf(projection, number);
    if (this.isStarted) projector.start();
    this.projectors.set(projection.name, projector);
  }

  private async projectorOf(projection: Projection<object>, generation: number): Promise<Projector> {
    const name = collectionName(projection, generation);
    await this.store.prepare({ name, indexes: projection.indexes });
    return new Projector(projection, name, this.events, this.store, this.onError);
  }

  /** Drops every generation but one of this version of a projection; those of other versions may be in use elsewhere. */
  private async dropAllBut(projection: Projection<object>, generation: number): Promise<void> {
    const kept = collectionName(projection, generation);
    const stored = await this.store.collections(prefixOf(projection));
    for (const name of stored.filter((collection) => collection !== kept)) {
      await this.store.delete(CHECKPOINTS.name, name);
      await this.store.drop(name);
    }
  }
}
