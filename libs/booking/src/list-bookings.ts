import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModelStore } from '#documents';
import { type ListPage, listPage, type Period, ReadModels, within } from '#read-models';
import type { BookedChoice } from './booking.state.js';
import { type BookingListItem, bookingsProjection } from './bookings.projection.js';

/** The holder's bookings of every client, newest first. `created`: only what was created then. */
export class ListBookings extends Query<ListPage<BookedChoice>> {
  constructor(
    readonly holder: string,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
    readonly created: Period = {},
  ) {
    super();
  }
}

@QueryHandler(ListBookings)
export class ListBookingsHandler implements IQueryHandler<ListBookings> {
  constructor(
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ holder, page, created }: ListBookings) {
    const { items, ...rest } = await listPage<BookingListItem>(
      this.store,
      this.readModels.collectionOf(bookingsProjection),
      {
        where: [{ field: 'holder', equals: holder }, ...within('createdAt', created)],
        sort: { field: 'createdAt', direction: 'descending' },
        ...page,
      },
    );
    return { ...rest, items: items.map((item) => ({ ...item, bookingId: item.id })) };
  }
}
