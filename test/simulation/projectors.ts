import { openCheckoutsProjection } from '#checkout';
import type { Delivery, StoredEvent, SubscriptionOptions } from '#event-store';
import { categoryOf } from '#events';
import { overriding } from '#kernel';
import { openMandatesProjection } from '#mandate';
import { projectHere, type ProjectedCollection, ProjectionStopped, type ProjectorObserver } from '#read-models';
import { lineOf } from './faults.js';
import { lined } from './lined-store.js';
import { Actor } from './scheduler.js';
import { SimulatedClock } from './simulated-clock.js';
import type { Simulation } from './simulation.js';
import type { SimulatedStores } from './stores.js';

const WORK_LISTS = { checkouts: openCheckoutsProjection, mandates: openMandatesProjection };
type WorkList = keyof typeof WORK_LISTS;
const isFor = (list: WorkList, { stream }: StoredEvent): boolean =>
  WORK_LISTS[list].from.some(({ category }) => category === categoryOf(stream));

type Poisoned = Map<WorkList, string | null>;

/** The processes that keep the read models up with the log: they are slow, told things twice, and die. */
export class Projectors {
  /** Those that project, the newest last. */
  private readonly actors: Actor[] = [];
  private readonly stops: (() => Promise<void>)[] = [];
  /** By list, the place of the event that cannot be read; null: the next one. */
  private readonly poisoned: Poisoned = new Map();
  private stopped = false;
  private work: { readonly collections: readonly ProjectedCollection[]; readonly observer: ProjectorObserver } | null =
    null;

  constructor(
    private readonly simulation: Simulation,
    private readonly stores: SimulatedStores,
  ) {}

  /** Begins, as a start of the service does. */
  start(): Promise<void> {
    return this.stores.keepReadModels((collections, observer) => {
      this.work = { collections, observer };
      this.project();
      return () => Promise.resolve();
    });
  }

  /** Another process takes the place of the one that projects: it dies, or it goes on beside the new one. */
  replace(how: 'dies' | 'goes on'): void {
    this.simulation.count(how === 'dies' ? 'fault: projector dies' : 'fault: second projector');
    if (how === 'dies') this.kill(this.actors.slice(-1));
    this.project();
  }

  /** One that went on beside the newest does not survive a loss of power either. */
  kill(actors: readonly Actor[] = this.actors): void {
    for (const actor of actors) actor.isDead = true;
  }

  /** The life is over: Node keeps whoever listens to a signal, and with them all that they know. */
  end(): void {
    this.kill();
    for (const stop of this.stops) void stop();
  }

  /** The next event that a list of recovery is told of cannot be read by this program, not by a later try either. */
  poison(list: WorkList): void {
    this.poisoned.set(list, null);
  }

  /** Every event can be read from now on. */
  spare(): void {
    this.poisoned.clear();
  }

  /** Whether somebody has been told of an event that cannot be read. */
  get hasMetOne(): boolean {
    return [...this.poisoned.values()].some((position) => position !== null);
  }

  /** Whether the process that projects now keeps a list of recovery no further. */
  get hasStopped(): boolean {
    return this.stopped;
  }

  /** After a loss of power. A start that comes upon what it cannot read fails, and another release takes over. */
  async startAgain(): Promise<void> {
    await this.start().catch((error: unknown) => {
      if (!(error instanceof ProjectionStopped)) throw error;
      return this.replaceByLater();
    });
  }

  /** Another release takes over, which can read all events. */
  async replaceByLater(): Promise<void> {
    this.poisoned.clear();
    this.kill();
    await this.start();
  }

  private project(): void {
    if (!this.work) return;
    const { simulation, stores } = this;
    const actor = new Actor();
    this.actors.push(actor);
    const clock = new SimulatedClock(simulation.scheduler, actor, simulation.random);
    const line = lineOf(simulation, { name: 'projector', actor, die: () => this.replace('dies') });
    const slow = new SlowDeliveries(simulation, stores, actor, this.poisoned);
    const events = overriding(stores.events, { subscribe: (options) => slow.subscribe(options) });
    const { collections, observer } = this.work;
    this.stopped = false;
    const onError = (name: string, error: unknown): void => {
      const isOfWork = Object.values(WORK_LISTS).some((list) => list.name === name);
      if (isOfWork && error instanceof ProjectionStopped && actor === this.actors.at(-1)) this.stopped = true;
      observer.onError(name, error);
    };
    this.stops.push(
      projectHere(events, lined(stores.readModelStore, line), clock)(collections, { ...observer, onError }),
    );
  }
}

/** A log whose news come late, several at once, and now and then a second time. */
class SlowDeliveries {
  constructor(
    private readonly simulation: Simulation,
    private readonly stores: SimulatedStores,
    private readonly actor: Actor,
    private readonly poisoned: Poisoned,
  ) {}

  async *subscribe(options: SubscriptionOptions): AsyncGenerator<Delivery> {
    const { scheduler, trouble } = this.simulation;
    let last: Delivery | null = null;
    let step = -1;
    for await (const delivery of this.stores.events.subscribe(options)) {
      if (step !== scheduler.length) {
        const isSlow = this.simulation.chance(trouble.lines);
        if (isSlow) this.simulation.count('fault: delivery slow');
        await scheduler.delay(
          isSlow ? this.simulation.random() * 60_000 : 20 + this.simulation.random() * 300,
          this.actor,
        );
        step = scheduler.length;
      }
      const late = this.simulation.listsLateUntil - scheduler.now;
      if (late > 0) {
        this.simulation.count('fault: lists hours late');
        await scheduler.delay(late, this.actor);
      }
      if (last && this.simulation.chance(trouble.lines / 4)) {
        this.simulation.count('fault: delivery repeated');
        yield this.asCanBeRead(last);
      }
      last = delivery;
      yield this.asCanBeRead(delivery);
    }
  }

  /** Whoever reads it, alone or with others: the program cannot. */
  private asCanBeRead(delivery: Delivery): Delivery {
    const { event } = delivery;
    const list = event && this.listStoppedBy(event);
    if (!event || !list) return delivery;
    if (this.poisoned.get(list) === null) this.simulation.count('fault: projection stopped for good');
    this.poisoned.set(list, event.position);
    return { ...delivery, event: { ...event, metadata: { ...event.metadata, schemaVersion: 99 } } };
  }

  private listStoppedBy(event: StoredEvent): WorkList | undefined {
    const lists = [...this.poisoned].filter(([list]) => isFor(list, event));
    return lists.find(([, place]) => place === null || place === event.position)?.[0];
  }
}
