import { IdempotentRequests } from '#http';
import { KeyedMutex } from '#kernel';
import { Heads, Sealer, StoredTiles, TransparencyLog, TreeBuilder } from '#transparency';
import { type LogicalProcess, logicalProcess } from '../support/logical-process.js';
import { lineOf } from './faults.js';
import { lined } from './lined-store.js';
import { Actor } from './scheduler.js';
import { PROCESSES, type Script } from './script.js';
import { SimulatedClock } from './simulated-clock.js';
import { shopParts } from './shop.js';
import type { Simulation } from './simulation.js';
import type { Stores } from '../support/shared-stores.js';
import { PSEUDONYMS, type SimulatedStores } from './stores.js';
import { PROMISE } from './world.js';

export interface SimulatedProcess {
  readonly name: string;
  readonly actor: Actor;
  readonly clock: SimulatedClock;
  readonly use: LogicalProcess;
  readonly idempotent: IdempotentRequests;
  /** Seals the log: as its loop does, one round after the other. */
  readonly seal: () => Promise<unknown>;
  readonly death: Promise<void>;
  readonly die: () => void;
}

/** The processes of a life: each on bad lines, with a clock that may be wrong, replaced by another when it dies. */
export class Processes {
  private readonly living: SimulatedProcess[];
  private count = 0;

  /** `heard`: receives what recovery could not do. */
  constructor(
    private readonly simulation: Simulation,
    private readonly stores: SimulatedStores,
    private readonly script: Pick<Script, 'skews' | 'refusedCards' | 'isKnownToLive'>,
    private readonly heard: (error: unknown) => void,
  ) {
    this.living = Array.from({ length: PROCESSES }, (_, place) => this.begin(place));
  }

  at(place: number): SimulatedProcess {
    const found = this.living[place % PROCESSES];
    if (!found) throw new Error(`no process ${place}`);
    return found;
  }

  /** Those that live. */
  get all(): readonly SimulatedProcess[] {
    return [...this.living];
  }

  /** Has a process do some work; returns what came of it, or null where the process died over it. */
  async run<Answer>(place: number, work: (process: SimulatedProcess) => Promise<Answer>): Promise<Answer | null> {
    const process = this.at(place);
    return Promise.race([work(process), process.death.then(() => null)]);
  }

  replaceAll(): void {
    for (const process of [...this.living]) process.die();
  }

  /** All of them die for good. */
  end(): void {
    for (const { actor } of this.living) actor.isDead = true;
  }

  private begin(place: number): SimulatedProcess {
    const { simulation, stores, script } = this;
    this.count += 1;
    const name = `process ${this.count}`;
    const actor = new Actor();
    const skew = script.skews[place] ?? 0;
    if (skew !== 0) simulation.count('fault: clock is wrong');
    const clock = new SimulatedClock(simulation.scheduler, actor, simulation.random, skew);
    let tellDeath = (): void => undefined;
    const death = new Promise<void>((resolve) => (tellDeath = resolve));
    const die = () => {
      if (actor.isDead) return;
      actor.isDead = true;
      tellDeath();
      this.living[place] = this.begin(place);
    };
    const intercept = lineOf(simulation, { name, actor, die });
    const { secret, ids } = stores;
    const readModelStore = lined(stores.readModelStore, intercept);
    const { events, documents, readModels } = stores;
    const use = logicalProcess(
      { events, documents, readModels, ids, secret, clock, readModelStore },
      {
        intercept,
        wait: () => simulation.scheduler.delay(simulation.random() * 20, actor),
        settings: { refusedCards: script.refusedCards, promise: PROMISE },
        onError: (_, error) => this.heard(error),
        others: shopParts(stores, stores.shop.mandateId),
      },
    );
    const sealer = sealerOn({ events: use.events, documents: use.documents, readModelStore, clock });
    const rounds = new KeyedMutex();
    const seal = () => rounds.take('seal', () => sealer.seal());
    if (script.isKnownToLive) void use.runner.start();
    return { name, actor, clock, use, idempotent: use.the(IdempotentRequests), seal, death, die };
  }
}

/** What seals the log in a process; nothing is signed here. */
export const sealerOn = ({
  events,
  documents,
  readModelStore,
  clock,
}: Omit<Stores, 'ids' | 'readModels' | 'secret'>): Sealer => {
  const tiles = new StoredTiles(readModelStore);
  const [heads, pseudonyms] = [new Heads(documents), PSEUDONYMS];
  const keys = { origin: 'simulated', sign: () => Promise.resolve(''), verifierKeys: () => Promise.resolve([]) };
  const log = new TransparencyLog({ events, heads, tiles, pseudonyms, keys });
  const parts = { events, heads, tiles, pseudonyms, log, clock };
  return new Sealer(parts, {
    growing: new TreeBuilder(parts),
    interval: 1_000,
    lease: null,
    onError: () => undefined,
  });
};
