import { Collection, type CollectionSpec, type Documents } from '#documents';
import { CANCELLATION_REASONS, type CancellationReason } from '#events';
import { type Clock, CURRENCIES, DomainError, type Instant, type Money, type Party, plus, secondsUntil } from '#kernel';
import { z } from 'zod';

/** Quotes by their ids, and how many orders agents cancelled for a traveller on a day; they expire. */
export const CANCELLATIONS: CollectionSpec = { name: 'cancellations', indexes: [] };

/** Orders that agents may cancel for a traveller on a day, in UTC (docs/decisions.md, Cancellation). */
const A_DAY = 20;
const DAY = 86_400_000;

const money = z.object({ amount: z.int(), currency: z.enum(CURRENCIES) }).readonly();
const quote = z.object({
  orderId: z.string(),
  reason: z.enum(CANCELLATION_REASONS),
  refund: money,
  fee: money,
  departsAt: z.string(),
  /** Absent: of a release that did not say. */
  holdsFrom: z.string().optional(),
  expiresAt: z.string(),
});
const counted = z.object({ orders: z.array(z.string()).readonly() });

/** What a cancellation would give back, promised from `holdsFrom` until `expiresAt`. */
export interface Quote {
  readonly orderId: string;
  readonly reason: CancellationReason;
  readonly refund: Money;
  readonly fee: Money;
  readonly departsAt: Instant;
  readonly holdsFrom?: Instant | undefined;
  readonly expiresAt: Instant;
}

/** Remembers quotes, and counts what agents cancel. Nothing is decided by either: the order's stream freezes what it gives back. */
export class CancellationQuotes {
  private readonly quotes: Collection<Quote>;
  private readonly counts: Collection<z.infer<typeof counted>>;
  private readonly rows: Collection<Quote | z.infer<typeof counted>>;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
  ) {
    this.quotes = new Collection(documents, CANCELLATIONS, quote);
    this.counts = new Collection(documents, CANCELLATIONS, counted);
    this.rows = new Collection(documents, CANCELLATIONS, z.union([quote, counted]));
  }

  /** Sent again, the first stands. */
  async keep(id: string, wanted: Quote): Promise<Quote> {
    if (await this.quotes.insertIfAbsent(id, wanted, { expiresAt: plus(wanted.expiresAt, DAY) })) return wanted;
    return (await this.quotes.get(id))?.body ?? wanted;
  }

  /** null: it was never given, or is long over. */
  async find(id: string): Promise<Quote | null> {
    return (await this.quotes.get(id))?.body ?? null;
  }

  /** Forgets what was quoted for these orders of a holder, and what was counted. */
  async forget(holder: string, orders: ReadonlySet<string>): Promise<void> {
    for await (const { id, body } of this.rows.every()) {
      const isOfThem = 'orderId' in body ? orders.has(body.orderId) : id.endsWith(` ${holder}`);
      if (isOfThem) await this.rows.delete(id);
    }
  }

  /** Counts an order that an agent cancels, once. @throws DomainError `rate_limited` where too many were on this day */
  async count({ holder }: Party, orderId: string): Promise<void> {
    const now = this.clock.now();
    const day = now.slice(0, 10);
    const until = plus(`${day}T00:00:00.000Z`, DAY);
    const write = (known: z.infer<typeof counted> | null) => {
      const orders = known?.orders ?? [];
      if (orders.includes(orderId)) return null;
      if (orders.length >= A_DAY)
        throw new DomainError(
          'rate_limited',
          { limit: 'cancellations', endsAt: until },
          { retryAfter: secondsUntil(until, now) },
        );
      return { orders: [...orders, orderId] };
    };
    await this.counts.update(`${day} ${holder}`, write, { expiresAt: plus(until, DAY) });
  }
}
