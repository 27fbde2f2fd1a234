import { createHash } from 'node:crypto';
import { DomainError } from '#kernel';
import { OAuthError } from '#oauth';
import type { Books } from '../support/books.js';
import { countFindings } from '../support/findings.js';
import { LEASES } from '#documents';
import { Readiness } from '../../apps/api/src/readiness.js';
import { Actions } from './actions.js';
import { orderAgain, settle } from './aftermath.js';
import { Answered } from './answered.js';
import type { End } from './end.js';
import { Watch } from './ending.js';
import { isOfTheLine } from './faults.js';
import { judge } from './judge.js';
import { Processes, sealerOn } from './processes.js';
import { Projectors } from './projectors.js';
import { reachedIn } from './reached.js';
import type { Mishap, Script, Strand } from './script.js';
import { SimulatedClock } from './simulated-clock.js';
import { Simulation, type Tally } from './simulation.js';
import { Standby } from './standby.js';
import { SimulatedStores } from './stores.js';
import { AGENTS } from './world.js';

/** How long (ms) the lists take on good lines until they show what was done. */
const SHOWN_WITHIN = 2_000;
const NO_TROUBLE = { lines: 0, slow: 0, deaths: 0, stalls: 0 };

export interface Lived {
  /** What was wrong with it; empty: nothing. */
  readonly findings: readonly string[];
  readonly orders: number;
  readonly reached: Tally;
  /** Hex SHA-256 of the log and the ledger as they were in the end. */
  readonly hash: () => string;
  /** What is left of it, for a judge. */
  readonly end: () => End;
  /** What happened, line by line; only where it was asked for. */
  readonly history: readonly string[];
}

/** The beginning of every life, made once. */
let beginning: Promise<SimulatedStores> | null = null;

/** Plays a script, lets everything settle, orders again what failed. `isNotified`: whether its history is kept. */
export const livedThrough = async (script: Script, isNotified = false): Promise<Lived> => {
  const prepared = await (beginning ??= SimulatedStores.prepared());
  const simulation = new Simulation(script.seed, script.trouble, isNotified);
  const clock = new SimulatedClock(simulation.scheduler, null, simulation.random);
  const life = new Life(simulation, prepared.copy(clock), script);
  return life.live().catch((error: unknown) => life.brokenBy(error));
};

class Life {
  private readonly answered: Answered;
  private readonly watch: Watch;
  private readonly refusals: unknown[] = [];
  private readonly projectors: Projectors;
  private readonly standby: Standby;
  /** The read models as they were some time ago. */
  private earlier;

  constructor(
    private readonly simulation: Simulation,
    private readonly stores: SimulatedStores,
    private readonly script: Script,
  ) {
    const now = () => simulation.scheduler.length;
    this.answered = new Answered(now);
    this.watch = new Watch(stores, simulation);
    this.projectors = new Projectors(simulation, stores);
    this.standby = new Standby(simulation, stores, this.answered.wrongs);
    this.earlier = stores.readModelStore.copy();
  }

  async live(): Promise<Lived> {
    const { simulation, stores, script, answered } = this;
    const heard = (error: unknown) => this.heard(error);
    await this.projectors.start();
    const processes = new Processes(simulation, stores, script, heard);
    const actions = new Actions(simulation, stores, processes, answered, heard);
    const strands = script.strands.map((strand, place) => this.play(strand, place % AGENTS.length, processes, actions));
    await this.until(Promise.all(strands), 'the agents');
    if (this.projectors.hasMetOne) await this.until(this.mendProjections(), 'who mends projections');

    simulation.tell(() => 'all faults stop');
    simulation.trouble = NO_TROUBLE;
    simulation.disk = null;
    simulation.listsLateUntil = 0;
    this.projectors.spare();
    processes.end();
    await this.until(settle(simulation, stores, heard), 'what is left');
    answered.wrongs.push(...countFindings(stores.books()));
    await this.until(orderAgain(stores, answered.wrongs), 'who orders again');
    await this.until(settle(simulation, stores, heard), 'what is left of it');
    if (this.watch.isSealed) await this.until(sealerOn(stores).seal(), 'the sealer');
    const books = stores.books();
    const found = [...judge(this.watch.end(answered.answers)), ...answered.broken(), ...answered.wrongs];
    this.projectors.end();
    await stores.events.close(); // who follows it would be kept for ever, and the whole life with them
    for (const situation of reachedIn(books, this.refusals)) simulation.count(`situation: ${situation}`);
    for (const { type } of books.events) simulation.count(`event: ${type}`);
    const { reached, history } = simulation;
    return {
      findings: found,
      orders: actions.orders,
      reached,
      hash: () => hashOf(books),
      history,
      end: () => this.watch.end(answered.answers),
    };
  }

  /** What came of a life that could not be lived to its end. */
  brokenBy(error: unknown): Lived {
    const { reached, history } = this.simulation;
    const findings = [...this.answered.wrongs, error instanceof Error ? (error.stack ?? error.message) : String(error)];
    const end = () => this.watch.end(this.answered.answers);
    return { findings, orders: 0, reached, history, end, hash: () => hashOf(this.stores.books()) };
  }

  private async play(strand: Strand, agent: number, processes: Processes, actions: Actions): Promise<void> {
    const { scheduler } = this.simulation;
    for (const { on, action } of strand) {
      await scheduler.delay(this.simulation.random() * 20, null);
      if (action.do === 'wait') scheduler.skip(action.seconds * 1_000);
      else if (isMishap(action)) await this.befall(action, on, processes);
      else await actions.act(agent, on, action);
    }
  }

  private async befall(mishap: Mishap, on: number, processes: Processes): Promise<void> {
    const { simulation, stores } = this;
    simulation.tell(() => `on ${on}: ${JSON.stringify(mishap)}`);
    switch (mishap.do) {
      case 'crash':
        processes.at(on).die();
        break;
      case 'jump':
        simulation.count(`fault: clock jumps ${mishap.seconds > 0 ? 'forwards' : 'backwards'}`);
        processes.at(on).clock.jump(mishap.seconds * 1_000);
        break;
      case 'disk':
        simulation.disk = { is: mishap.is, until: simulation.scheduler.now + mishap.seconds * 1_000 };
        break;
      case 'projector':
        this.projectors.replace(mishap.how);
        break;
      case 'be late':
        await simulation.scheduler.delay(SHOWN_WITHIN, null);
        simulation.listsLateUntil = simulation.scheduler.now + mishap.hours * 3_600_000;
        break;
      case 'hold':
        await this.standby.outliveHolder(mishap.minutes);
        break;
      case 'stop projecting':
        this.projectors.poison(mishap.list);
        break;
      case 'lose documents':
        await this.standby.outlastOutage(processes.all);
        break;
      case 'forget':
        simulation.count(`fault: ${mishap.what} forgotten`);
        if (mishap.what === 'leases') {
          stores.documents.empty(LEASES.name);
          break;
        }
        // As after a loss of power: what was not promised to be kept is gone, and whoever knew of it.
        simulation.powerFailures += 1;
        this.projectors.kill();
        stores.readModelStore.becomeAs(this.earlier);
        await this.projectors.startAgain();
        processes.replaceAll();
    }
    this.earlier = stores.readModelStore.copy();
  }

  /** The service says that it cannot recover; a release that reads all events takes its place. */
  private async mendProjections(): Promise<void> {
    const { simulation, stores, projectors, answered } = this;
    await simulation.scheduler.delay(60_000, null);
    const names = { events: 'events', documents: 'documents', waitsForLists: false };
    const saysSo = await new Readiness(stores, names).check().then(
      () => false,
      (error: unknown) => error instanceof DomainError && JSON.stringify(error.details).includes('recovery'),
    );
    if (projectors.hasStopped && !saysSo)
      answered.wrongs.push('a list of recovery was stopped for good, and the process calls itself ready');
    await projectors.replaceByLater();
  }

  /** Has the world go on until some work is over. */
  private async until<Answer>(work: Promise<Answer>, who: string): Promise<Answer | null> {
    let isOver = false;
    void work.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    if (await this.simulation.scheduler.run(() => isOver)) return work;
    this.answered.wrongs.push(`${who}: this never comes to an end`);
    return null;
  }

  /** Refusals and lost answers are part of life; anything else is not. */
  private heard(error: unknown): void {
    if (error instanceof DomainError) {
      this.refusals.push(error);
      this.simulation.count(`refusal: ${error.code}`);
    }
    const isOfConsent = error instanceof OAuthError && OF_CONSENTS.includes(error.reason);
    if (error instanceof DomainError || isOfConsent || isOfTheLine(error)) return;
    this.answered.wrongs.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

/** Somebody else has decided it, or was faster with what it would have granted; or its mandates' time is over. */
const OF_CONSENTS: readonly string[] = ['authorization_request_gone', 'consent_overtaken', 'consent_late'];

const MISHAPS: readonly string[] = [
  'crash',
  'jump',
  'disk',
  'projector',
  'forget',
  'be late',
  'hold',
  'stop projecting',
  'lose documents',
] satisfies readonly Mishap['do'][];
const isMishap = (action: { readonly do: string }): action is Mishap => MISHAPS.includes(action.do);

const hashOf = ({ events, ledger }: Books): string =>
  createHash('sha256')
    .update(JSON.stringify([events.map(({ stored }) => stored), [...ledger]]))
    .digest('hex');
