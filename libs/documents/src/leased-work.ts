import type { Leases } from './leases.js';

/** Of several processes one works, for as long (ms) as it holds the lease; null: there is one. */
export type SharedLease = { readonly leases: Leases; readonly milliseconds: number } | null;

export interface LeasedWorkParts {
  readonly name: string;
  readonly lease: SharedLease;
  /** Goes on until the signal aborts: at the end, or once another process has the lease. */
  readonly work: (over: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Work that one process does, from the start to the stop of its owner. */
export class LeasedWork {
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;

  constructor(private readonly parts: LeasedWorkParts) {}

  start(): void {
    this.running ??= this.run();
  }

  /** Waits for what is under way, for as long as `patience` takes at most, and gives the lease back. */
  async stop(patience?: Promise<void>): Promise<void> {
    this.stopping.abort();
    await (patience ? Promise.race([this.running, patience]) : this.running);
    const { name, lease, onError } = this.parts;
    await lease?.leases.release(name).catch(onError);
  }

  private run(): Promise<void> {
    const { signal } = this.stopping;
    const { name, lease, work, onError } = this.parts;
    return lease ? lease.leases.whenever(name, lease.milliseconds, signal, work, onError) : work(signal);
  }
}
