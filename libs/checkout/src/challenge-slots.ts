import { Collection, type CollectionSpec, Documents } from '#documents';
import type { Checkout } from '#events';
import { Clock, DomainError, type Instant, millisecondsOf, plus } from '#kernel';
import { z } from 'zod';
import type { CheckoutSettings } from './checkout-settings.js';

/** The challenges of each holder that wait. */
export const CHALLENGE_SLOTS: CollectionSpec = { name: 'challenge-slots', indexes: [] };

/** Seats of one flight that all who wait of a holder may have: as many as one order (docs/interface.md, Limits). */
const SEATS = 9;

/** `clientId`: the agent whose order it is; absent: it is one from before. */
const slot = z.object({
  flightNumber: z.string(),
  seats: z.int(),
  expiresAt: z.string(),
  clientId: z.string().optional(),
});
/** By order id. */
const slots = z.object({ waiting: z.record(z.string(), slot) });
type Slot = z.infer<typeof slot>;
/** The seats that are asked for, and by which agent. */
type Wanted = Pick<Slot, 'flightNumber' | 'seats'> & { readonly clientId: string };
type Waiting = z.infer<typeof slots>['waiting'];

/** Too many challenges of one holder would wait at once. `waiting`: the orders of those that do. */
export class TooManyChallenges extends DomainError {
  constructor(
    readonly waiting: readonly string[],
    endsAt: Instant,
    retryAfter: number,
  ) {
    super('rate_limited', { limit: 'open-challenges', endsAt }, { retryAfter });
  }
}

/**
 * Limits how many challenges of one holder wait at once, all but one of which may be of the same agent, and how many seats of one flight they hold unpaid
 * (docs/consistency.md, rule 10). One document has all that waits of a holder, so that of orders at the same moment, in
 * whatever process, no more get a place than there are.
 */
export class ChallengeSlots {
  private readonly slots: Collection<z.infer<typeof slots>>;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
    private readonly settings: CheckoutSettings,
  ) {
    this.slots = new Collection(documents, CHALLENGE_SLOTS, slots);
  }

  /** Takes a place for an order's challenge, until the order is finished. @throws TooManyChallenges */
  async take({ holder, clientId, orderId, line }: Checkout, expiresAt: Instant): Promise<void> {
    if (this.settings.openChallenges === 0) return;
    const wanted = { flightNumber: line.flightNumber, seats: line.passengers, expiresAt, clientId };
    const taken = (known: { readonly waiting: Waiting } | null) => {
      const waiting = this.stillWaiting(known?.waiting);
      const refusal = this.refusalOf(waiting, wanted);
      if (refusal) throw refusal;
      return { waiting: { ...waiting, [orderId]: wanted } };
    };
    await this.slots.update(holder, taken, { expiresAt: this.endOf(wanted) });
  }

  /** Why a challenge of these seats could not wait now; null where it could. */
  async refusal(holder: string, wanted: Wanted): Promise<TooManyChallenges | null> {
    return this.refusalOf(this.stillWaiting((await this.slots.get(holder))?.body.waiting), wanted);
  }

  /** Frees the place of an order that is finished. */
  async free({ holder, orderId }: Checkout): Promise<void> {
    await this.slots.update(holder, (known) => {
      if (!known || !Object.hasOwn(known.waiting, orderId)) return null;
      const { [orderId]: _, ...waiting } = known.waiting;
      return { waiting };
    });
  }

  /** Forgets what waits of a holder who is erased. */
  async forget(holder: string): Promise<void> {
    await this.slots.delete(holder);
  }

  private refusalOf(waiting: Waiting, { flightNumber, seats, clientId }: Wanted): TooManyChallenges | null {
    const { openChallenges } = this.settings;
    if (openChallenges === 0) return null;
    const all = Object.values(waiting);
    if (all.length >= openChallenges) return this.tooMany(waiting, all);
    const ofAgent = all.filter((slot) => slot.clientId === clientId);
    if (ofAgent.length >= Math.max(1, openChallenges - 1)) return this.tooMany(waiting, ofAgent);
    const ofFlight = all.filter((slot) => slot.flightNumber === flightNumber);
    const unpaid = ofFlight.reduce((sum, slot) => sum + slot.seats, seats);
    return unpaid > SEATS ? this.tooMany(waiting, ofFlight) : null;
  }

  /** `inTheWay`: those of which one has to end. */
  private tooMany(waiting: Waiting, inTheWay: readonly Slot[]): TooManyChallenges {
    const now = this.clock.now();
    const [end = now] = inTheWay.map(({ expiresAt }) => expiresAt).toSorted();
    const wait = Math.ceil((millisecondsOf(end) - millisecondsOf(now)) / 1_000);
    return new TooManyChallenges(Object.keys(waiting), end, Math.max(1, wait));
  }

  private stillWaiting(waiting: Waiting = {}): Waiting {
    const now = this.clock.now();
    return Object.fromEntries(Object.entries(waiting).filter(([, slot]) => this.endOf(slot) > now));
  }

  /** The order of a challenge that has lapsed holds its seats until recovery finishes it; this is for what never comes to that. */
  private endOf({ expiresAt }: Slot): Instant {
    return plus(expiresAt, this.settings.hold);
  }
}
