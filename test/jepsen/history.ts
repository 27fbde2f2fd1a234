import { createWriteStream } from 'node:fs';

/** What a caller knows of an order, or of its cancellation, once it was answered; `none`: the attempt did nothing, `done`: another call. */
export type Outcome =
  'paid' | 'declined' | 'over the limit' | 'revoked' | 'refused' | 'refunded' | 'none' | 'unknown' | 'done';

/** One call, from before it was sent until its answer had come, by the one timer of the program (ms). */
export interface Call {
  readonly kind: 'order' | 'cancel' | 'read' | 'revoke';
  readonly agent: string;
  readonly mandate: string;
  /** The key of an order, which its attempts and those of its cancellation share; empty for other calls. */
  readonly intent: string;
  /** The booking that is ordered; empty for other calls. */
  readonly booking: string;
  /** Price of what is ordered, or what comes back of it, in cents. */
  readonly amount: number;
  readonly start: number;
  readonly end: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly outcome: Outcome;
  /** The order that was paid, or is cancelled. */
  readonly order?: string;
  /** What was read of the mandate, in cents. */
  readonly seen?: { readonly consumed: number; readonly reserved: number; readonly isRevoked: boolean };
}

/** All calls and faults, in memory and, a line each, in a file. */
export class History {
  readonly calls: Call[] = [];
  /** Ceilings by mandate. */
  readonly limits = new Map<string, number>();
  readonly faults = new Map<string, number>();
  private readonly file;

  constructor(path: string | null) {
    this.file = path === null ? null : createWriteStream(path);
  }

  grant(mandate: string, limit: number): void {
    this.limits.set(mandate, limit);
    this.write({ at: performance.now(), mandate, limit });
  }

  call(call: Call): void {
    this.calls.push(call);
    this.write(call);
  }

  fault(name: string, process: string): void {
    this.faults.set(name, (this.faults.get(name) ?? 0) + 1);
    this.write({ at: performance.now(), fault: name, process });
  }

  /** A list that was read, and whether it lacked what its reader had been told before. */
  list(agent: string, isStale: boolean): void {
    this.write({ at: performance.now(), agent, isStale });
  }

  /** Resolves when the file has all of it. */
  close(): Promise<void> {
    return new Promise((resolve) => (this.file ? this.file.end(resolve) : resolve()));
  }

  private write(line: object): void {
    this.file?.write(`${JSON.stringify(line)}\n`);
  }
}
