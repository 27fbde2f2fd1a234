import { type Clock, plus } from '#kernel';
import { z } from 'zod';
import { Collection } from './collection.js';
import type { Documents } from './documents.port.js';
import type { CollectionSpec } from './query.js';

/** Who does work that one process at a time should do. */
export const LEASES: CollectionSpec = { name: 'leases', indexes: [] };

const storedLease = z.object({ owner: z.string() });

/**
 * Leases by name, each held by one owner until it ends. They only save work: what is done under one is correct without
 * it too, since a paused owner never notices that its lease has ended.
 *
 * Every method throws DocumentsUnavailable where the store does not answer.
 */
export class Leases {
  private readonly stored: Collection<z.infer<typeof storedLease>>;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
    private readonly owner: string,
  ) {
    this.stored = new Collection(documents, LEASES, storedLease);
  }

  /** Takes or prolongs a lease for `milliseconds`; answers whether this owner holds it. */
  async hold(name: string, milliseconds: number): Promise<boolean> {
    const body = { owner: this.owner };
    const expiry = { expiresAt: plus(this.clock.now(), milliseconds) };
    const held = await this.stored.get(name);
    if (!held) return this.stored.insertIfAbsent(name, body, expiry);
    return held.body.owner === this.owner && this.stored.replace(held, body, expiry);
  }

  /** Whether anybody holds a lease. */
  async isHeld(name: string): Promise<boolean> {
    return (await this.stored.get(name)) !== null;
  }

  /** A number that changes whenever a lease is taken or prolonged; null where nobody holds it. */
  async term(name: string): Promise<number | null> {
    return (await this.stored.get(name))?.version ?? null;
  }

  /** Gives a lease back, so that another owner need not wait for its end. */
  async release(name: string): Promise<void> {
    const held = await this.stored.get(name);
    if (held?.body.owner === this.owner) await this.stored.delete(name, held.version);
  }

  /**
   * Takes a lease and prolongs it three times as often as it must be; answers how to give it back. Whoever works under it
   * goes on where that fails, which `onError` receives: a lease only saves work.
   */
  async keep(name: string, milliseconds: number, onError: (error: unknown) => void): Promise<() => Promise<void>> {
    await this.hold(name, milliseconds);
    const ended = new AbortController();
    const prolonging = this.prolong(name, milliseconds, ended.signal, { onError, onLost: () => undefined });
    return async () => {
      ended.abort();
      await prolonging; // a lease that is being prolonged cannot be given back
      await this.release(name);
    };
  }

  /**
   * Does `work` if the lease can be had, and prolongs it three times as often as it must be until the work is done; the
   * lease then runs out by itself. `lost` aborts once another owner has it, or it has ended because the store did not
   * answer, which `onError` receives: the work had better stop where it can.
   */
  async during(
    name: string,
    milliseconds: number,
    work: (lost: AbortSignal) => Promise<void>,
    onError: (error: unknown) => void,
  ): Promise<void> {
    if (!(await this.hold(name, milliseconds))) return;
    const [ended, lost] = [new AbortController(), new AbortController()];
    const onLost = () => {
      lost.abort();
      ended.abort();
    };
    const prolonging = this.prolong(name, milliseconds, ended.signal, { onError, onLost });
    try {
      await work(lost.signal);
    } finally {
      ended.abort();
      await prolonging;
    }
  }

  /** Prolongs a lease that was just taken, until `signal` aborts. */
  private async prolong(
    name: string,
    milliseconds: number,
    signal: AbortSignal,
    { onError, onLost }: { readonly onError: (error: unknown) => void; readonly onLost: () => void },
  ): Promise<void> {
    const isOver = () => signal.aborted; // it changes meanwhile
    let endsAt = plus(this.clock.now(), milliseconds);
    while (!isOver()) {
      await this.clock.sleep(milliseconds / 3, signal);
      if (isOver()) return;
      const from = this.clock.now();
      try {
        if (await this.hold(name, milliseconds)) endsAt = plus(from, milliseconds);
        else onLost();
      } catch (error) {
        onError(error);
        if (this.clock.now() >= endsAt) onLost();
      }
    }
  }
}
