import { Collection, type CollectionSpec, type Documents } from '#documents';
import { type Clock, type DomainError, type Instant, latest } from '#kernel';
import { z, type ZodType } from 'zod';

/** What has a place of one holder, by id. */
export type Waiting<Slot> = Readonly<Record<string, Slot>>;

/** Limits what of one holder waits at once: in one document, so that requests at one moment get no more places than there are. */
export abstract class HolderSlots<Slot extends object> {
  private readonly slots: Collection<{ readonly waiting: Waiting<Slot> }>;

  constructor(
    documents: Documents,
    spec: CollectionSpec,
    slot: ZodType<Slot>,
    protected readonly clock: Clock,
  ) {
    this.slots = new Collection(documents, spec, z.object({ waiting: z.record(z.string(), slot) }));
  }

  async free(holder: string, id: string): Promise<void> {
    await this.slots.update(holder, (known) => {
      if (!known || !Object.hasOwn(known.waiting, id)) return null;
      const { [id]: _, ...waiting } = known.waiting;
      return { waiting };
    });
  }

  async forget(holder: string): Promise<void> {
    await this.slots.delete(holder);
  }

  /** When a place is free that nobody has freed. */
  protected abstract endOf(slot: Slot): Instant;

  /** Why there is no place beside those that wait; null where there is one. */
  protected abstract refusalOf(waiting: Waiting<Slot>, wanted: Slot): DomainError | null;

  /** Whether what has a place, and has not come to its end, still waits. */
  protected abstract isWaiting(id: string): Promise<boolean>;

  /** Takes a place; what has one already keeps it until the later end. @throws the refusal */
  protected async takePlace(holder: string, id: string, wanted: Slot): Promise<void> {
    for (;;) {
      const known = await this.slots.get(holder);
      const { [id]: own, ...others } = await this.stillWaiting(known?.body.waiting);
      if (own && this.endOf(own) >= this.endOf(wanted)) return;
      const refusal = own ? null : this.refusalOf(others, wanted);
      if (refusal) throw refusal;
      const waiting = { ...others, [id]: wanted };
      const ends = Object.values(waiting).map((slot) => this.endOf(slot));
      const [body, expiry] = [{ waiting }, { expiresAt: ends.reduce(latest) }];
      const isTaken = known
        ? await this.slots.replace(known, body, expiry)
        : await this.slots.insertIfAbsent(holder, body, expiry);
      if (isTaken) return;
    }
  }

  protected async waitingOf(holder: string): Promise<Waiting<Slot>> {
    return this.stillWaiting((await this.slots.get(holder))?.body.waiting);
  }

  private async stillWaiting(known: Waiting<Slot> = {}): Promise<Waiting<Slot>> {
    const now = this.clock.now();
    const waiting: Record<string, Slot> = {};
    for (const [id, slot] of Object.entries(known))
      if (this.endOf(slot) > now && (await this.isWaiting(id))) waiting[id] = slot;
    return waiting;
  }
}
