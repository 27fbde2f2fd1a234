import { Injectable } from '@nestjs/common';
import { ReadModelStore } from '#documents';
import { Aggregates, StreamBusy } from '#event-store';
import { type Clock, DomainError, isId } from '#kernel';
import { AttachedMetadata } from '#http';
import { type ListPage, listPage, type ListPart, type Period, ReadModels, within } from '#read-models';
import { bookings, ChangedMeanwhile } from './booking.decider.js';
import type { BookedChoice, Booking } from './booking.state.js';
import { type BookingListItem, bookingsProjection } from './bookings.projection.js';
import { Travellers } from './travellers.js';

/** A booking as its stream has it now; what has not the form of an id names none. */
export const loadBooking = async (aggregates: Aggregates, bookingId: string): Promise<Booking> =>
  isId(bookingId) ? (await aggregates.load(bookings, bookingId)).state : { kind: 'none' };

/** The same for an order: while it is open, as this process knows it, since `StartCheckout` looks again (rule 13). */
export const bookingToOrder = async (aggregates: Aggregates, bookingId: string): Promise<Booking> =>
  isId(bookingId)
    ? (await aggregates.known(bookings, bookingId, ({ kind }) => kind === 'open')).state
    : { kind: 'none' };

/** The bookings of a holder, for any client of theirs, and what each agent noted and said of its own. */
@Injectable()
export class Bookings {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
    readonly attached: AttachedMetadata,
    readonly travellers: Travellers,
  ) {}

  /** A booking by id, folded from its stream (docs/consistency.md, rule 25). @throws DomainError `booking_not_found` */
  async get(bookingId: string, holder: string): Promise<BookedChoice> {
    const booking = await loadBooking(this.aggregates, bookingId);
    if (booking.kind === 'none' || booking.holder !== holder) throw new DomainError('booking_not_found');
    return { bookingId, named: booking.named, ...booking.choice };
  }

  /** The newest first. `created`: only what was created then. @throws DomainError `invalid_cursor` */
  async list(holder: string, page: ListPart, created: Period = {}): Promise<ListPage<BookedChoice>> {
    const collection = await this.readModels.upToDate(bookingsProjection);
    const { items, ...rest } = await listPage<BookingListItem>(this.store, collection, {
      where: [{ field: 'holder', equals: holder }, ...within('createdAt', created)],
      sort: { field: 'createdAt', direction: 'descending' },
      ...page,
    });
    return { ...rest, items: items.map((item) => ({ ...item, bookingId: item.id })) };
  }
}

/** How long (ms) a booking may go on changing, as `handle()` waits for a busy stream (docs/consistency.md, rule 14). */
const PATIENCE = 5_000;

/** Does `work` again from the start while the booking changes under it. @throws StreamBusy after 5 s of it */
export const untilUnchanged = async <Result>(clock: Clock, work: () => Promise<Result>): Promise<Result> => {
  const deadline = clock.monotonic() + PATIENCE;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
      if (clock.monotonic() >= deadline) throw new StreamBusy('a booking kept changing', { cause: error });
    }
  }
};
