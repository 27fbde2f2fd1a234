import { loadBooking } from '#booking';
import type { ReadModelStore } from '#documents';
import type { Aggregates } from '#event-store';
import { systemContext } from '#kernel';
import type { ReadModels } from '#read-models';
import { openCheckoutsProjection } from './open-checkouts.projection.js';
import type { Settlement } from './settlement.js';

const PAGE = 100;

/**
 * Settles every open checkout: run at the start of an embedded process, when nobody else lives (consistency.md, rule
 * 8). The read model is a hint, the booking's stream decides. Answers how many were settled.
 */
export const settleOpenCheckouts = async (
  store: ReadModelStore,
  readModels: ReadModels,
  aggregates: Aggregates,
  settlement: Settlement,
): Promise<number> => {
  let settled = 0;
  let after: { readonly value: string; readonly id: string } | undefined;
  for (;;) {
    const found = await store.find<{ readonly openedAt: string }>(readModels.collectionOf(openCheckoutsProjection), {
      where: [],
      sort: { field: 'openedAt', direction: 'ascending' },
      limit: PAGE,
      after,
    });
    for (const { id: bookingId } of found) {
      const booking = await loadBooking(aggregates, bookingId);
      if (booking.kind !== 'checkout') continue;
      await settlement.settle(booking.checkout, 'service_unavailable', systemContext(booking.checkout.orderId));
      settled += 1;
    }
    const last = found.at(-1);
    if (!last || found.length < PAGE) return settled;
    after = { value: last.body.openedAt, id: last.id };
  }
};
