import type { Clock } from '#kernel';
import { z } from 'zod';
import { Collection } from './collection.js';
import type { Document, Documents } from './documents.port.js';
import type { CollectionSpec } from './query.js';

/** Who does work that one process at a time should do. */
export const LEASES: CollectionSpec = { name: 'leases', indexes: [] };

/** How long (ms) a lease lasts that does not say so: one that nobody has taken, or that an earlier release took. */
const USUAL = 8_000;
/** So many sweeps find a lease unchanged before they delete it. It expires by no clock, since clocks differ. */
const SWEEPS = 10;
/** How many leases are remembered as they were seen: the oldest of more is seen again. */
const REMEMBERED = 1_000;

const storedLease = z.object({
  owner: z.string(),
  milliseconds: z.int().optional(),
  /** Counts the times that its owner took or prolonged a lease: one that was taken again is another term. */
  turn: z.int().optional(),
});
type StoredLease = z.infer<typeof storedLease>;

/** What changes whenever a lease is taken or prolonged. */
const termOf = ({ version, body }: Document<StoredLease>): string => `${body.owner} ${version} ${body.turn ?? 0}`;

interface Sighting {
  /** The holder of the last turn, and its number; null: nobody. */
  readonly term: string | null;
  /** How long (ms) that was seen unchanged. */
  readonly unchanged: number;
  /** When it was seen last; null: a look has failed since. */
  readonly seenAt: number | null;
}

/** Leases by name, watched by timers and not by clocks. They only save work. Methods throw DocumentsUnavailable. */
export class Leases {
  private readonly stored: Collection<StoredLease>;
  private readonly sightings = new Map<string, Sighting>();
  /** How often sweeps have found each lease in the term that it is in. */
  private found = new Map<string, { readonly term: string; readonly times: number }>();
  private turns = 0;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
    private readonly owner: string,
  ) {
    this.stored = new Collection(documents, LEASES, storedLease);
  }

  /** Takes or prolongs a lease for `milliseconds`; returns whether this owner holds it. Who waits for it has to ask often. */
  async hold(name: string, milliseconds: number): Promise<boolean> {
    this.turns += 1;
    const body = { owner: this.owner, milliseconds, turn: this.turns };
    const { held, hasLapsed } = await this.look(name);
    if (!held) return this.stored.insertIfAbsent(name, body);
    return (held.body.owner === this.owner || hasLapsed) && this.stored.replace(held, body, { expiresAt: null });
  }

  /** Whether anybody holds a lease, as far as this process has watched it. */
  async isHeld(name: string): Promise<boolean> {
    const { held, hasLapsed } = await this.look(name);
    return held !== null && !hasLapsed;
  }

  /** Of these leases those that nobody has prolonged for as long as they last, or that were not there for so long. */
  async lapsed(names: readonly string[]): Promise<readonly string[]> {
    const lapsed: string[] = [];
    try {
      for (const name of names) if ((await this.look(name)).hasLapsed) lapsed.push(name);
    } catch (error) {
      for (const name of names) this.missed(name);
      throw error;
    }
    return lapsed;
  }

  private async look(name: string) {
    const held = await this.stored.get(name).catch((error: unknown) => {
      this.missed(name);
      throw error;
    });
    const [now, before] = [this.clock.monotonic(), this.sightings.get(name)];
    const term = held && termOf(held);
    const length = held?.body.milliseconds ?? USUAL;
    const isSame = before?.term === term;
    // A gap of any length, in which this process or its machine may have stood still, counts as half a lease at most.
    const since = isSame && before.seenAt !== null ? Math.min(now - before.seenAt, length / 2) : 0;
    const unchanged = isSame ? before.unchanged + since : 0;
    this.remember(name, { term, unchanged, seenAt: now });
    return { held, hasLapsed: unchanged >= length };
  }

  /** Deletes what nobody prolongs any more. Call it about once a minute, so that watchers of a lease saw it lapse before. */
  async sweep(): Promise<void> {
    const found: typeof this.found = new Map();
    for await (const held of this.stored.every()) {
      const { id, version } = held;
      const [term, before] = [termOf(held), this.found.get(id)];
      const times = before?.term === term ? before.times + 1 : 1;
      if (times >= SWEEPS) await this.stored.delete(id, version);
      else found.set(id, { term, times });
    }
    this.found = found;
  }

  private missed(name: string): void {
    const before = this.sightings.get(name);
    if (before) this.remember(name, { ...before, seenAt: null });
  }

  private remember(name: string, sighting: Sighting): void {
    this.sightings.delete(name);
    this.sightings.set(name, sighting);
    const [oldest] = this.sightings.keys();
    if (this.sightings.size > REMEMBERED && oldest !== undefined) this.sightings.delete(oldest);
  }

  /** Gives a lease back, so that another owner need not wait for its end. */
  async release(name: string): Promise<void> {
    const held = await this.stored.get(name);
    if (held?.body.owner === this.owner) await this.stored.delete(name, held.version);
  }

  /** Takes a lease and prolongs it; returns how to give it back. Work goes on where that fails: a lease only saves work. */
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

  /** Works under a lease, if it is free, and prolongs it. `lost` aborts once it has another owner or could not be prolonged. */
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

  /** Works whenever a lease can be had, until `signal` aborts; `work` is told then, and when the lease is lost. */
  async whenever(
    name: string,
    milliseconds: number,
    signal: AbortSignal,
    work: (over: AbortSignal) => Promise<void>,
    onError: (error: unknown) => void,
  ): Promise<void> {
    const held = (lost: AbortSignal) => work(AbortSignal.any([signal, lost]));
    while (!signal.aborted) {
      await this.during(name, milliseconds, held, onError).catch(onError);
      await this.clock.sleep(milliseconds / 3, signal);
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
    let endsAt = this.clock.monotonic() + milliseconds;
    while (!isOver()) {
      await this.clock.sleep(milliseconds / 3, signal);
      if (isOver()) return;
      const from = this.clock.monotonic();
      try {
        if (await this.hold(name, milliseconds)) endsAt = from + milliseconds;
        else onLost();
      } catch (error) {
        onError(error);
        if (this.clock.monotonic() >= endsAt) onLost();
      }
    }
  }
}
