import { Injectable } from '@nestjs/common';
import { Leases } from '#documents';
import { type Cancel, Clock, Ids } from '#kernel';

/** How often (ms) a process that runs checkouts prolongs its lease, and for how long without it others think that it lives. */
const [BEAT, LEASE] = [2_000, 8_000];

const leaseOf = (runner: string): string => `runner ${runner}`;

/** Which of these runners have not prolonged their leases for as long as they have been watched. */
export const goneOf = async (leases: Leases, runners: readonly string[]): Promise<readonly string[]> => {
  const lapsed = new Set(await leases.lapsed(runners.map(leaseOf)));
  return runners.filter((runner) => lapsed.has(leaseOf(runner)));
};

/** The lease by which others see that this process runs its checkouts (docs/consistency.md, rule 8). An embedded one has none. */
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
    if (this.id !== undefined) await this.leases.hold(leaseOf(this.id), LEASE);
  }

  /** Keeps the lease no longer: whatever this process leaves open is taken up soon. */
  stop(): void {
    this.stopBeating?.();
  }
}
