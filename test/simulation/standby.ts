import { DocumentsUnavailable, LEASES, Leases } from '#documents';
import { goneOf } from '../../libs/checkout/src/testing/index.js';
import { interceptedDocuments } from '../support/intercept.js';
import { SETTINGS } from '../support/shared-stores.js';
import type { SimulatedProcess } from './processes.js';
import { SimulatedClock } from './simulated-clock.js';
import type { Simulation } from './simulation.js';
import type { SimulatedStores } from './stores.js';

const RECOVERY = 'recovery';
/** How often (ms) who stands by looks. */
const LOOKS_EVERY = 1_000;
/** How many looks a lease may take to lapse whose holder has died: it lasts eight seconds, as they are counted. */
const ENOUGH = 20;
/** How long (ms) documents are gone. */
const OUTAGE = 10_000;

/** A process that stands by on good lines: it takes over from who is gone, and from nobody who lives. */
export class Standby {
  constructor(
    private readonly simulation: Simulation,
    private readonly stores: SimulatedStores,
    /** Receives what should never happen. */
    private readonly wrongs: string[],
  ) {}

  /** A process whose clock is so many minutes ahead takes the lease of recovery, and dies; another one takes it over. */
  async outliveHolder(minutes: number): Promise<void> {
    const { simulation, stores, wrongs } = this;
    const { scheduler, random } = simulation;
    const holder = `holder ${minutes} minutes ahead`;
    const ahead = new Leases(stores.documents, new SimulatedClock(scheduler, null, random, minutes * 60_000), holder);
    if (!(await this.hold(ahead))) return; // others work
    simulation.count('fault: lease holder ahead of time');
    const leases = new Leases(stores.documents, stores.clock, 'standby');
    if (await this.hold(leases)) await leases.release(RECOVERY);
    else if (stores.documents.body(LEASES.name, RECOVERY)?.['owner'] === holder)
      wrongs.push(`nobody takes over from a process whose clock was ${minutes} minutes ahead`);
  }

  /** Nobody reaches the documents for a while; nobody who lives is taken for gone over it. */
  async outlastOutage(processes: readonly SimulatedProcess[]): Promise<void> {
    const { simulation, stores, wrongs } = this;
    const { scheduler, trouble } = simulation;
    const documents = interceptedDocuments(stores.documents, (call, work) =>
      scheduler.now < simulation.documentsDownUntil ? Promise.reject(new DocumentsUnavailable(call)) : work(),
    );
    const leases = new Leases(documents, stores.clock, 'standby');
    const runners = new Map(processes.flatMap(({ use, actor }) => (use.runner.id ? [[use.runner.id, actor]] : [])));
    const look = () => goneOf(leases, [...runners.keys()]).catch(() => []);
    await look();
    simulation.documentsDownUntil = scheduler.now + OUTAGE;
    while (scheduler.now <= simulation.documentsDownUntil) {
      await scheduler.delay(LOOKS_EVERY, null);
      await look();
    }
    const gone = await look();
    const isCalm = Object.values(trouble).every((share) => share === 0);
    const living = gone.filter((runner) => runners.get(runner)?.isDead === false);
    if (isCalm && living.length > 0) wrongs.push(`${living.length} processes that live were taken for gone`);
  }

  private async hold(leases: Leases): Promise<boolean> {
    for (let looks = 0; looks < ENOUGH; looks += 1) {
      if (await leases.hold(RECOVERY, SETTINGS.recoveryLease)) return true;
      await this.simulation.scheduler.delay(LOOKS_EVERY, null);
    }
    return false;
  }
}
