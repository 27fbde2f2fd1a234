import { randomFrom } from '#testing';

/** A machine in virtual time (ms): threads that share its cores evenly, and what waits without a core. */
export class Machine {
  now = 0;
  private readonly threads: { left: number; readonly done: () => void }[][] = [];
  private timers: { readonly at: number; readonly done: () => void }[] = [];

  constructor(private readonly cores: number) {}

  /** A thread: does one piece of work after the other, each of so many ms of a core. */
  thread(): (cpu: number) => Promise<void> {
    const queue: { left: number; readonly done: () => void }[] = [];
    this.threads.push(queue);
    return (left) => new Promise((done) => queue.push({ left, done }));
  }

  pause(ms: number): Promise<void> {
    return new Promise((done) => this.timers.push({ at: this.now + ms, done }));
  }

  /** Lets time pass until `work` is done. */
  async until(work: Promise<unknown>): Promise<void> {
    const ended = { isDone: false };
    void work.then(() => (ended.isDone = true));
    for (;;) {
      await new Promise((turn) => setImmediate(turn)); // whoever was answered goes on, in no time
      if (ended.isDone) return;
      this.pass();
    }
  }

  /** To the next moment at which something ends. */
  private pass(): void {
    const busy = this.threads.filter(({ length }) => length > 0);
    const speed = Math.min(1, this.cores / busy.length);
    const ends = [...busy.map(([first]) => this.now + (first?.left ?? 0) / speed), ...this.timers.map(({ at }) => at)];
    const next = Math.min(...ends);
    if (next === Infinity) throw new Error('everybody waits for one another');
    for (const queue of busy) {
      const [first] = queue;
      if (!first) continue;
      first.left -= (next - this.now) * speed;
      if (first.left <= 1e-9) queue.shift()?.done();
    }
    this.now = next;
    for (const { done } of this.timers.filter(({ at }) => at <= next)) done();
    this.timers = this.timers.filter(({ at }) => at > next);
  }
}

/** A batch server: all that wait when it turns to them are served together; `serve` gets how many. */
const batchServer = (
  serve: (size: number) => Promise<void>,
  gather: () => Promise<void> = () => Promise.resolve(),
): ((size?: number) => Promise<void>) => {
  let waiting: { readonly size: number; readonly done: () => void }[] = [];
  let isBusy = false;
  const work = async () => {
    isBusy = true;
    while (waiting.length > 0) {
      await gather();
      const batch = waiting;
      waiting = [];
      await serve(batch.reduce((all, { size }) => all + size, 0));
      for (const { done } of batch) done();
    }
    isBusy = false;
  };
  return (size = 1) =>
    new Promise((done) => {
      waiting.push({ size, done });
      if (!isBusy) void work();
    });
};

/** The streams of a category: a batch server each. */
const streams = (append: (events: number) => Promise<void>): ((name: number) => Promise<void>) => {
  const servers = new Map<number, () => Promise<void>>();
  return (name) => {
    const server = servers.get(name) ?? batchServer(append);
    servers.set(name, server);
    return server();
  };
};

/** What is measured of the service: ms of a core for an order or a batch, and ms of one wait for the disk. */
export interface ServiceTimes {
  readonly cores: number;
  /** The main thread: for an order, and for each message to a writing thread and back. */
  readonly main: number;
  readonly message: number;
  /** The writing threads of the log and of the documents: for an order, and for each transaction. */
  readonly log: number;
  readonly documents: number;
  readonly transaction: number;
  /** The thread that projects: for an order, and for each batch. */
  readonly projections: number;
  readonly batch: number;
  /** V8's own threads, and the process that asks: for an order. */
  readonly garbage: number;
  readonly client: number;
  /** What a commit of one event waits for the disk, and what each further event in it adds. */
  readonly wait: number;
  readonly longer: number;
}

/** Agents that order one after the other, without a pause, by the places of flight and mandate that the n-th order has. */
export interface Load {
  readonly agents: number;
  readonly orders: number;
  readonly flight: (place: number) => number;
  readonly mandate: (place: number) => number;
  readonly seed: number;
}

/** How many batches there were for an order. */
export type Batches = Readonly<Record<'log' | 'documents' | 'projections', number>>;

/** Events of an order, and turns of the main thread between its waits. */
const [EVENTS, TURNS] = [7, 6];
/** How long (ms) an order waits for lists at most (docs/consistency.md, rule 25). */
const PATIENCE = 250;
/** How long (ms) after a look at the log the next one is at the earliest. */
const PACE = 3;

/** A closed network of agents whose orders wait as docs/performance.md lists; returns ms in all and of each order. */
export const simulate = async (
  times: ServiceTimes,
  load: Load,
): Promise<{ readonly all: number; readonly each: readonly number[]; readonly batches: Batches }> => {
  const batches = { log: 0, documents: 0, projections: 0 };
  const machine = new Machine(times.cores);
  const random = randomFrom(load.seed);
  const [main, logWriter, documentsWriter, projector, collector, client] = Array.from({ length: 6 }, () =>
    machine.thread(),
  ) as [Thread, Thread, Thread, Thread, Thread, Thread];
  const varied = (mean: number) => mean * (0.5 + random()); // half to one and a half of it
  const turn = () => main(varied(times.main / TURNS));

  const commit = (file: 'log' | 'documents', writer: Thread, perItem: number) =>
    batchServer(async (size) => {
      batches[file] += 1 / load.orders;
      await main(times.message);
      await writer(times.transaction + perItem * size);
      await machine.pause(varied(times.wait + times.longer * (size - 1)));
    });
  const toLog = commit('log', logWriter, times.log / EVENTS);
  const ledger = commit('documents', documentsWriter, times.documents);
  let looked = -Infinity;
  const fold = batchServer(
    (size) => {
      looked = machine.now;
      batches.projections += 1 / load.orders;
      return projector(times.batch + (times.projections / EVENTS) * size);
    },
    () => machine.pause(Math.max(0, looked + PACE - machine.now)),
  );
  const append = async (events = 1) => {
    await toLog(events);
    void fold(events);
  };
  const [flights, mandates] = [streams(append), streams(append)];

  const order = async (place: number) => {
    const [flight, mandate] = [load.flight(place), load.mandate(place)];
    await client(times.client);
    void collector(times.garbage);
    await turn();
    await append();
    await turn();
    await Promise.all([flights(flight), mandates(mandate), append()]);
    await turn();
    await ledger();
    await turn();
    await Promise.all([mandates(mandate), append()]);
    await turn();
    await toLog();
    await Promise.race([fold(), machine.pause(PATIENCE)]);
    await turn();
  };

  const each: number[] = [];
  const places = Array.from({ length: load.orders }).keys();
  const agent = async () => {
    for (const place of places) {
      const start = machine.now;
      await order(place);
      each.push(machine.now - start);
    }
  };
  await machine.until(Promise.all(Array.from({ length: load.agents }, agent)));
  return { all: machine.now, each, batches };
};

type Thread = (cpu: number) => Promise<void>;
