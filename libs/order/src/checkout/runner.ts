import { Injectable } from '@nestjs/common';
import { Leases } from '#documents';
import { type Cancel, Clock, Ids } from '#kernel';

/** How often (ms) a process that runs checkouts prolongs its lease, and for how long without it others think that it lives. */
const [BEAT, PATIENCE] = [2_000, 8_000];
/** When (ms) a lease that nobody prolongs is swept away. Nobody reads this end by a clock of their own. */
const KEPT = 600_000;

const leaseOf = (runner: string): string => `runner ${runner}`;

/**
 * The process that runs a checkout is known by a lease that it keeps alive, so that its orders need not wait for the end of
 * their hold where it was killed (docs/consistency.md, rule 8). An embedded process is alone and has none. The lease costs an
 * order nothing: it is prolonged beside them, and names the process in what is written anyway.
 */
@Injectable()
export class Runner {
  /** The random id that the process's checkouts bear; undefined where it keeps no lease. */
  id: string | undefined;
  private stopBeating: Cancel | undefined;

  constructor(
    private readonly leases: Leases,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Takes the lease and keeps it, from before the first order on. Where the store does not answer, the next beat does it. */
  async start(): Promise<void> {
    this.id = this.ids.next();
    const beat = () => this.beat().catch(() => undefined);
    this.stopBeating = this.clock.every(BEAT, () => void beat());
    await beat();
  }

  async beat(): Promise<void> {
    if (this.id !== undefined) await this.leases.hold(leaseOf(this.id), KEPT);
  }

  /** Keeps the lease no longer: whatever this process leaves open is taken up soon. */
  stop(): void {
    this.stopBeating?.();
  }
}

/** When somebody saw a lease change, by their own timer. */
interface Sighting {
  readonly term: number | null;
  readonly since: number;
}

/**
 * Tells which runners have not prolonged their leases for as long as they have been watched. No two clocks are compared:
 * who watches sees a lease change or stand still, by a timer of their own.
 */
export class RunnerWatch {
  private sightings: ReadonlyMap<string, Sighting> = new Map();

  constructor(
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  /** Looks at these runners, and forgets all others; answers those whose leases have lapsed. */
  async lapsed(runners: readonly string[]): Promise<readonly string[]> {
    const seen = new Map<string, Sighting>();
    for (const runner of runners) {
      const term = await this.leases.term(leaseOf(runner));
      const before = this.sightings.get(runner);
      seen.set(runner, before?.term === term ? before : { term, since: this.clock.monotonic() });
    }
    this.sightings = seen;
    const now = this.clock.monotonic();
    return [...seen].filter(([, { since }]) => now - since >= PATIENCE).map(([runner]) => runner);
  }
}
