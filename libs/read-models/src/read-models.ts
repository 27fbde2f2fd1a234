import { DocumentsUnavailable, type ReadModelStore } from '#documents';
import type { EventStore, Position } from '#event-store';
import { type Clock, type Instant, Unavailable, within } from '#kernel';
import { CHECKPOINTS, refuseAheadOfLog } from './checkpoints.js';
import { Following } from './following.js';
import { collectionName, GENERATIONS, generationsOf } from './generations.js';
import { LogEnd } from './log-end.js';
import { type Lag, lagAt, unreadAfter } from './standings.js';
import { Progress } from './progress.js';
import { farBehind, prepareCollections, projectHere, type Projecting } from './start-projecting.js';
import { type OnBatch, type OnProjectionError, Projected, ProjectionStopped } from './projected.js';
import type { Projection } from './projection.js';

/** How far (s) behind one is that is looked at: longer than a take-over after a crash takes. */
const BEHIND = 30;

/** What the documents of a read model hold: another version after each event that they show. */
export interface ReadModelVersion {
  readonly collection: string;
  /** The last event that they are made of. */
  readonly upTo: Position;
}

/** The documents of a read model are not whole yet: asked now, it would answer with a part. */
export class BeingBuilt extends Unavailable {
  override readonly name = 'BeingBuilt';
  override readonly isForeseen = true;
  override readonly retryAfter = 5;

  constructor(readModel: string) {
    super(`the read model ${readModel} is being built`);
  }
}

interface ReadModel {
  readonly projection: Projection<object>;
  readonly collection: string;
  readonly progress: Progress;
  caughtUp(position: Position): Promise<void>;
}

/** The read models as a process sees them: it keeps them up itself (`start`), or follows those that do (`follow`). */
export class ReadModels {
  private readonly models = new Map<string, ReadModel>();
  /** By category of streams, how far those are that consume it. */
  private readonly consumers = new Map<string, readonly Progress[]>();
  /** By projection, what was found after the place where it stands. */
  private readonly unread = new Map<string, { readonly position: Position; readonly isUnread: boolean }>();
  private readonly end: LogEnd;
  private following: Following | null = null;
  private stopProjecting: (() => Promise<void>) | null = null;
  /** How long (ms) a list waits for what was written before it was asked for, and from which lag on it does not (rule 25). */
  patience = 250;

  /** `projecting`: where the projectors run that `start` begins; here, unless it is given. */
  constructor(
    private readonly events: EventStore,
    private readonly store: ReadModelStore,
    private readonly projections: readonly Projection<object>[],
    private readonly clock: Clock,
    private readonly onError: OnProjectionError,
    private readonly onBatch?: OnBatch,
    private readonly projecting: Projecting = projectHere(events, store, clock),
  ) {
    this.end = new LogEnd(events);
  }

  /** Makes the collections known and begins to keep them up with the log, in this process. @throws AheadOfLog */
  async start(): Promise<void> {
    await this.prepare();
    const models: Projected[] = [];
    for (const projection of this.projections) {
      const { live } = await generationsOf(this.store, projection);
      models.push(new Projected(projection, collectionName(projection, live), this.clock));
    }
    await prepareCollections(this.store, models);
    await this.know(models);
    const { far, end } = await farBehind(this.events, this.store, models);
    for (const { progress } of far) progress.aimAt(end);
    const modelOf = new Map(models.map((model) => [model.projection.name, model]));
    const stop = this.projecting(models, {
      onReached: (projection, checkpoint) => modelOf.get(projection)?.progress.reach(checkpoint),
      onBatch: this.onBatch,
      onError: (projection, error) => {
        if (error instanceof ProjectionStopped) modelOf.get(projection)?.end(error);
        this.onError(projection, error);
      },
    });
    this.stopProjecting = async () => {
      await stop();
      for (const model of models) model.end(null);
    };
  }

  /** Begins to follow read models that other processes keep up with the log. @throws AheadOfLog */
  async follow(): Promise<void> {
    await this.prepare();
    const following = await Following.open(this.events, this.store, this.projections, this.clock, this.onError);
    await this.know(following.models);
    this.following = following;
    await following.start();
  }

  /** Resolves when every read model holds everything up to `position`. @throws ProjectionStopped */
  async caughtUp(position: Position): Promise<void> {
    const reached = [...this.models.values()].map((model) => model.caughtUp(position));
    this.following?.wake();
    await Promise.all(reached);
  }

  /** Resolves when every read model that is not being built holds everything up to `position`. @throws ProjectionStopped */
  async builtCaughtUp(position: Position): Promise<void> {
    const built = [...this.models.values()].filter(({ progress }) => progress.isBuilt);
    await Promise.all(built.map((model) => model.caughtUp(position)));
  }

  /** Whether a read model is whole: it once held all that the log held when it was begun, or found far behind. */
  isBuilt({ name }: Projection<object>): boolean {
    return this.models.get(name)?.progress.isBuilt ?? false;
  }

  /** Why this process keeps a read model up with the log no more, for good; null: it does, or another one has to. */
  failureOf({ name }: Pick<Projection<object>, 'name'>): ProjectionStopped | null {
    const model = this.models.get(name);
    return model instanceof Projected ? model.failure : null;
  }

  /** How much of the log, 0 to 1, the read models hold that are being built; 1: none is. */
  get builtShare(): number {
    return Math.min(...[...this.models.values()].map(({ progress }) => progress.builtShare), 1);
  }

  /** Waits until a category's read models hold `position`, and says whether they do; not for those known to be further behind (rule 25). */
  async waitFor(
    { category }: { readonly category: string },
    position: Position | null,
    timeout = this.patience,
  ): Promise<boolean> {
    if (position === null) return false;
    return this.reached(this.consumers.get(category) ?? [], position, timeout);
  }

  /**
   * Where a projection's documents are, once they show what was written before this was asked (rule 25): for a query whose
   * answer somebody is given. They may be behind where the log does not answer, or they are known to be late. @throws as `collectionOf`
   */
  async upToDate(projection: Projection<object>): Promise<string> {
    const { progress } = this.models.get(projection.name) ?? {};
    if (progress?.isBuilt && progress.lag < this.patience) {
      const end = await within(this.clock, this.patience, this.end.read(), () => null);
      if (end !== null) await this.reached([progress], end, this.patience);
    }
    return this.collectionOf(projection);
  }

  /** Waits until all of these are at `position`, and says whether they are; not for those known to be further behind. */
  private async reached(models: readonly Progress[], position: Position, timeout: number): Promise<boolean> {
    const behind = models.filter((progress) => progress.position < position);
    if (behind.length === 0) return true;
    const waiting = behind.map((progress) => {
      progress.expect(position);
      const isNear = progress.isBuilt && progress.lag < timeout;
      return isNear ? progress.waitFor(position, timeout) : Promise.resolve(false);
    });
    this.following?.wake();
    return (await Promise.all(waiting)).every(Boolean);
  }

  /** Where a projection's documents are now, which may be behind: ask for every query, a rebuild changes it. Lists ask `upToDate`. @throws BeingBuilt; DocumentsUnavailable */
  collectionOf({ name }: Projection<object>): string {
    const model = this.models.get(name);
    if (!model) throw new Error(`the read model ${name} is not open`);
    if (!model.progress.isBuilt) throw new BeingBuilt(name);
    return model.collection;
  }

  /** What the documents of a read model hold; it changes after they did. Null: not known, or the store does not answer. */
  versionOf({ name }: Pick<Projection<object>, 'name'>): ReadModelVersion | null {
    const model = this.models.get(name);
    const checkpoint = model?.progress.checkpoint;
    if (!model?.progress.isBuilt || !checkpoint) return null;
    try {
      return { collection: model.collection, upTo: checkpoint.lastEvent };
    } catch (error) {
      if (error instanceof DocumentsUnavailable) return null;
      throw error;
    }
  }

  /** By projection, how far behind the end of the log it is at the instant `now`. */
  lag(now: Instant): Promise<ReadonlyMap<string, Lag>> {
    const checkpoints = [...this.models].map(([name, { progress }]) => [name, progress.checkpoint] as const);
    return lagAt(this.events, new Map(checkpoints), now);
  }

  /** The read models that an event has stopped; of those that others project only such as are `BEHIND` seconds behind. */
  async stopped(lag: ReadonlyMap<string, Lag>): Promise<ReadonlySet<string>> {
    const stopped = new Set<string>();
    for (const [name, model] of this.models) {
      const { seconds = 0 } = lag.get(name) ?? {};
      const isStopped =
        model instanceof Projected ? model.failure !== null : seconds > BEHIND && (await this.isUnread(name, model));
      if (isStopped) stopped.add(name);
    }
    return stopped;
  }

  /** Whether the event after the place where a read model stands cannot be read; looked at once for each place. */
  private async isUnread(name: string, { projection, progress }: ReadModel): Promise<boolean> {
    const { checkpoint, position } = progress;
    const known = this.unread.get(name);
    if (known?.position === position) return known.isUnread;
    const isUnread = (await unreadAfter(this.events, projection, checkpoint)) !== null;
    this.unread.set(name, { position, isUnread });
    return isUnread;
  }

  /** Finishes the batches under way. */
  async stop(): Promise<void> {
    await Promise.all([this.following?.stop(), this.stopProjecting?.()]);
  }

  private async prepare(): Promise<void> {
    await this.store.prepare(CHECKPOINTS);
    await this.store.prepare(GENERATIONS);
  }

  private async know(models: readonly ReadModel[]): Promise<void> {
    const collections = models.map(({ collection }) => collection);
    await refuseAheadOfLog(this.events, this.store, collections);
    // Of a start that failed nothing is left: nobody moves what it knew.
    this.models.clear();
    this.consumers.clear();
    for (const model of models) {
      this.models.set(model.projection.name, model);
      for (const { category } of model.projection.from) {
        this.consumers.set(category, [...(this.consumers.get(category) ?? []), model.progress]);
      }
    }
  }
}
