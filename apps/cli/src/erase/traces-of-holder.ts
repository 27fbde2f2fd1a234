import { checkpointAfter, type EventStore, type Position, shareOf } from '#event-store';
import { bookingEvents, categoryOf, delegationEvents, idOf, mandateEvents } from '#events';

/** What the log knows of a holder: the ids under which documents about them may lie. */
export class Traces {
  /** The agents that they ever let in. */
  readonly clients = new Set<string>();
  readonly mandates = new Set<string>();
  readonly orders = new Set<string>();
  readonly bookings = new Set<string>();
  /** The bookings that an order has taken and not ended. */
  readonly openBookings = new Set<string>();
  /** How far the log was read for them. */
  upTo: Position | null = null;
}

const holderIn = ({ holder }: { readonly holder?: unknown }): unknown => holder;

/** Reads the log from where `traces` end, since lists are hints. `onProgress`: the share that has been read. */
export const readTraces = async (
  holder: string,
  traces: Traces,
  events: EventStore,
  onProgress: (share: number) => void,
): Promise<void> => {
  const { clients, mandates, orders, bookings, openBookings } = traces;
  const end = (await events.head())?.position;
  const after = traces.upTo === null ? null : checkpointAfter(traces.upTo);
  for await (const { stream, type, data, position } of events.readAll(after)) {
    traces.upTo = position;
    if (end !== undefined) onProgress(shareOf(position, end));
    switch (categoryOf(stream)) {
      case 'delegation': {
        const name = idOf(stream);
        if (!name.startsWith(`${holder}.`)) break;
        clients.add(name.slice(holder.length + 1));
        if (type === 'MandateOpened') mandates.add(delegationEvents.MandateOpened.parse(data).mandateId);
        break;
      }
      case 'mandate':
        if (type === 'MandateRequested' && holderIn(data) === holder)
          mandates.add(mandateEvents.MandateRequested.parse(data).mandateId);
        break;
      case 'booking': {
        const bookingId = idOf(stream);
        if (type === 'BookingCreated' && holderIn(data) === holder) bookings.add(bookingId);
        if (!bookings.has(bookingId)) break;
        if (type === 'BookingCheckoutStarted') {
          orders.add(bookingEvents.BookingCheckoutStarted.parse(data).orderId);
          openBookings.add(bookingId);
        }
        if (type === 'BookingTicketed' || type === 'BookingCheckoutAbandoned') openBookings.delete(bookingId);
        break;
      }
    }
  }
  onProgress(1);
};
