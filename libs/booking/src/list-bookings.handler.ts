import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ReadModelStore } from '#documents';
import { listPage, ReadModels } from '#read-models';
import { bookingView } from './booking.view.js';
import { type BookingListItem, bookingsProjection } from './bookings.projection.js';
import { ListBookings } from './list-bookings.query.js';

@QueryHandler(ListBookings)
export class ListBookingsHandler implements IQueryHandler<ListBookings> {
  constructor(
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ holder, page }: ListBookings) {
    const { items, ...rest } = await listPage<BookingListItem>(
      this.store,
      this.readModels.collectionOf(bookingsProjection),
      { where: [{ field: 'holder', equals: holder }], sort: { field: 'createdAt', direction: 'descending' }, ...page },
    );
    return { ...rest, items: items.map((item) => bookingView(item.id, item)) };
  }
}
