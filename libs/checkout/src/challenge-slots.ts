import type { CollectionSpec, Documents } from '#documents';
import { type Checkout, flightIdOf, flightNameOf } from '#events';
import { type Clock, DomainError, type Instant, plus, secondsUntil, upTo } from '#kernel';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { CheckoutSettings } from './checkout-settings.js';
import { HolderSlots, type Waiting } from './holder-slots.js';

/** The challenges of each holder that wait, by order. */
export const CHALLENGE_SLOTS: CollectionSpec = { name: 'challenge-slots', indexes: [] };

/** Seats of one flight that all who wait of a holder may have: as many as one order (docs/interface.md, Limits). */
const SEATS = 9;
/** How many holders with waiting challenges a process remembers. */
const REMEMBERED = 10_000;

/** `clientId`: the agent of the order; absent: it was stored before agents were recorded. */
const slot = z.object({
  flightId: z.string().optional(),
  flightNumber: z.string(),
  seats: z.int(),
  expiresAt: z.string(),
  clientId: z.string().optional(),
});
type Slot = z.infer<typeof slot>;
type Wanted = Omit<Slot, 'expiresAt'>;

/** Too many challenges of one holder would wait at once. `waiting`: the orders of those that do. */
export class TooManyChallenges extends DomainError {
  constructor(
    readonly waiting: readonly string[],
    endsAt: Instant,
    now: Instant,
  ) {
    super('rate_limited', { limit: 'open-challenges', endsAt }, { retryAfter: secondsUntil(endsAt, now) });
  }
}

/** Limits the challenges of a holder that wait at once, of them those of one agent, and seats held unpaid of a flight (rule 10). */
export class ChallengeSlots extends HolderSlots<Slot> {
  /** Holders of whom a challenge waits, as far as this process knows: of others nobody looks before their card is charged. */
  private readonly asked = new LRUCache<string, true>(upTo(REMEMBERED));

  constructor(
    documents: Documents,
    clock: Clock,
    private readonly settings: CheckoutSettings,
  ) {
    super(documents, CHALLENGE_SLOTS, slot, clock);
  }

  /** Takes a place for an order's challenge, until the order is finished. @throws TooManyChallenges */
  async take({ holder, clientId, orderId, line }: Checkout, expiresAt: Instant): Promise<void> {
    if (this.settings.openChallenges === 0) return;
    this.asked.set(holder, true);
    const seats = { ...flightNameOf(line), seats: line.passengers };
    await this.takePlace(holder, orderId, { ...seats, expiresAt, clientId });
  }

  /** Why a challenge of these seats could not wait now, where this process knows; `take` decides. */
  async refusal(holder: string, wanted: Wanted): Promise<TooManyChallenges | null> {
    if (!this.asked.has(holder)) return null;
    const waiting = await this.waitingOf(holder);
    if (Object.keys(waiting).length === 0) this.asked.delete(holder);
    return this.refusalOf(waiting, wanted);
  }

  /** The order of a challenge that has lapsed holds its seats until recovery finishes it; this is for what never comes to that. */
  protected endOf({ expiresAt }: Slot): Instant {
    return plus(expiresAt, this.settings.hold);
  }

  /** Its place is freed when the order is finished. */
  protected isWaiting(): Promise<boolean> {
    return Promise.resolve(true);
  }

  protected refusalOf(waiting: Waiting<Slot>, wanted: Wanted): TooManyChallenges | null {
    const { openChallenges } = this.settings;
    if (openChallenges === 0) return null;
    const all = Object.values(waiting);
    if (all.length >= openChallenges) return this.tooMany(waiting, all);
    const ofAgent = all.filter(({ clientId }) => clientId === wanted.clientId);
    if (ofAgent.length >= Math.max(1, openChallenges - 1)) return this.tooMany(waiting, ofAgent);
    const ofFlight = all.filter((slot) => flightIdOf(slot) === flightIdOf(wanted));
    const unpaid = ofFlight.reduce((sum, { seats }) => sum + seats, wanted.seats);
    return unpaid > SEATS ? this.tooMany(waiting, ofFlight) : null;
  }

  /** `inTheWay`: those of which one has to end. */
  private tooMany(waiting: Waiting<Slot>, inTheWay: readonly Slot[]): TooManyChallenges {
    const now = this.clock.now();
    const [end = now] = inTheWay.map(({ expiresAt }) => expiresAt).toSorted();
    return new TooManyChallenges(Object.keys(waiting), end, now);
  }
}
