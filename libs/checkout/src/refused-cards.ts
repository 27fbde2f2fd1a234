import { Collection, type CollectionSpec, Documents } from '#documents';
import {
  Clock,
  DomainError,
  type ErrorCode,
  type Instant,
  KeyedMutex,
  type Party,
  plus,
  secondsUntil,
  within,
} from '#kernel';
import { z } from 'zod';
import { TooManyChallenges } from './challenge-slots.js';
import type { CheckoutSettings } from './checkout-settings.js';

/** When cards were refused, by holder and client. */
export const REFUSED_CARDS: CollectionSpec = { name: 'refused-cards', indexes: [] };

/** The time in which refused cards are counted, in ms (docs/decisions.md, Limits). */
const WINDOW = 600_000;
/** How long (ms) an order waits for a permit, as a command waits for a busy stream (docs/consistency.md, rule 14). */
const PATIENCE = 5_000;

const CARD_REFUSALS: readonly ErrorCode[] = [
  'payment_card_expired',
  'payment_card_invalid',
  'payment_challenge_failed',
  'payment_declined',
  'payment_insufficient_funds',
  'payment_not_completed',
];

/** Whether this is the answer to a card that was refused, or that its holder should have been asked about once too often. */
export const isCardRefusal = (error: unknown): boolean =>
  error instanceof TooManyChallenges || (error instanceof DomainError && CARD_REFUSALS.includes(error.code));

/** By order, when its card was refused. */
const refusals = z.object({ refused: z.record(z.string(), z.string()).default({}) });
type Refusals = z.infer<typeof refusals>;

/** Limits the cards refused of an agent by permits of this process, so that guessing cards does not pay (docs/decisions.md, Limits). */
export class RefusedCards {
  private readonly refusals: Collection<Refusals>;
  /** Those who wait for a permit, in the order they came; the first of them looks for one. */
  private readonly turns = new KeyedMutex();
  private readonly permits = new Map<string, number>();
  /** Wakes the one who looks for a permit. */
  private readonly returned = new Map<string, () => void>();

  constructor(
    documents: Documents,
    private readonly clock: Clock,
    private readonly settings: CheckoutSettings,
  ) {
    this.refusals = new Collection(documents, REFUSED_CARDS, refusals);
  }

  /** Does `work` with a permit, which returns with it or after a checkout's time. @throws DomainError `rate_limited` where none comes */
  async permitted<Result>(party: Party, work: () => Promise<Result>): Promise<Result> {
    if (this.settings.refusedCards === 0) return work();
    const id = idOf(party);
    const deadline = this.clock.monotonic() + PATIENCE;
    await this.turns.take(id, () => this.takePermit(id, deadline));
    let isReturned = false;
    const giveBack = () => {
      if (!isReturned) this.returnPermit(id);
      isReturned = true;
    };
    const cancel = this.clock.every(this.settings.hold, giveBack);
    return work().finally(() => {
      cancel();
      giveBack();
    });
  }

  /** Counts the refused card of an order, `at` an instant: once, however often it is called. */
  async count(party: Party, orderId: string, at = this.clock.now()): Promise<void> {
    if (this.settings.refusedCards === 0 || at <= this.windowStart()) return;
    const counted = (known: Refusals | null) => {
      const recent = this.recent(known);
      if (recent.some(([counted]) => counted === orderId)) return null;
      const all = [...recent, [orderId, at] as const].sort(byTime);
      return { refused: Object.fromEntries(all.slice(-this.settings.refusedCards)) };
    };
    await this.refusals.update(idOf(party), counted, { expiresAt: plus(this.clock.now(), WINDOW) });
  }

  /** Forgets the refusals of a party whose holder is erased; returns whether there were any. */
  forget(party: Party): Promise<boolean> {
    return this.refusals.delete(idOf(party));
  }

  private async takePermit(id: string, deadline: number): Promise<void> {
    for (;;) {
      // Before the refusals are read: one that is written meanwhile counts twice here, rather than not at all.
      const permits = this.permitsOf(id);
      const left = this.settings.refusedCards - (await this.countRecent(id));
      if (permits < left) {
        this.permits.set(id, this.permitsOf(id) + 1);
        return;
      }
      // Only the one whose turn it is takes any, so that fewer means that some came back during the reading.
      if (this.permitsOf(id) === permits) await this.untilReturned(id, deadline);
    }
  }

  private returnPermit(id: string): void {
    const others = this.permitsOf(id) - 1;
    if (others === 0) this.permits.delete(id);
    else this.permits.set(id, others);
    this.returned.get(id)?.();
  }

  private async untilReturned(id: string, deadline: number): Promise<void> {
    const returned = new Promise<void>((resolve) => this.returned.set(id, resolve));
    await within(this.clock, Math.max(0, deadline - this.clock.monotonic()), returned, () => {
      throw new DomainError('rate_limited', { limit: 'refused-cards' }, { retryAfter: PATIENCE / 1_000 });
    }).finally(() => this.returned.delete(id));
  }

  private permitsOf(id: string): number {
    return this.permits.get(id) ?? 0;
  }

  /** Refusals in the window. @throws DomainError `rate_limited` where they are as many as there may be */
  private async countRecent(id: string): Promise<number> {
    const recent = this.recent((await this.refusals.get(id))?.body);
    const [oldest] = recent.slice(-this.settings.refusedCards);
    if (recent.length < this.settings.refusedCards || !oldest) return recent.length;
    const endsAt = plus(oldest[1], WINDOW);
    const retryAfter = secondsUntil(endsAt, this.clock.now());
    throw new DomainError('rate_limited', { limit: 'refused-cards', endsAt }, { retryAfter });
  }

  /** Orders whose cards were refused in the window, the oldest first. */
  private recent(known: Refusals | null | undefined): readonly Refusal[] {
    const since = this.windowStart();
    const refused: readonly Refusal[] = Object.entries(known?.refused ?? {});
    return refused.filter(([, at]) => at > since).toSorted(byTime);
  }

  private windowStart(): Instant {
    return plus(this.clock.now(), -WINDOW);
  }
}

type Refusal = readonly [orderId: string, at: Instant];
const byTime = ([, one]: Refusal, [, other]: Refusal): number => (one < other ? -1 : 1);

const idOf = ({ holder, clientId }: Party): string => `${holder}.${clientId}`;
