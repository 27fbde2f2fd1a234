import type { EventStore } from '#event-store';
import { categoryOf, type EventData } from '#events';

const textIn = (data: EventData, name: string): readonly string[] => {
  const value = data[name];
  return typeof value === 'string' ? [value] : [];
};

/** The streams that tell of a mandate: its own, its delegation's, and those of its orders and what they bought. */
export const streamsOfMandate = async (mandateId: string, events: EventStore): Promise<readonly string[]> => {
  const streams = new Set([`mandate-${mandateId}`]);
  for await (const { data } of events.readStream(`mandate-${mandateId}`)) {
    for (const holder of textIn(data, 'holder'))
      for (const clientId of textIn(data, 'clientId')) streams.add(`delegation-${holder}.${clientId}`);
    for (const bookingId of textIn(data, 'bookingId')) streams.add(`booking-${bookingId}`);
    for (const orderId of textIn(data, 'orderId')) {
      streams.add(`order-${orderId}`);
      // A release that kept a late reservation out names its order alone.
      for await (const placed of events.readStream(`order-${orderId}`))
        for (const bookingId of textIn(placed.data, 'bookingId')) streams.add(`booking-${bookingId}`);
    }
  }
  return [...streams];
};

/** The streams that tell of an order: its own, those of what it bought and of the mandate that paid, and the delegation's. */
export const streamsOfOrder = async (orderId: string, events: EventStore): Promise<readonly string[]> => {
  const streams = new Set([`order-${orderId}`]);
  for await (const { data } of events.readStream(`order-${orderId}`)) {
    for (const bookingId of textIn(data, 'bookingId')) streams.add(`booking-${bookingId}`);
    for (const mandateId of textIn(data, 'mandateId')) streams.add(`mandate-${mandateId}`);
    for (const holder of textIn(data, 'holder'))
      for (const clientId of textIn(data, 'clientId')) streams.add(`delegation-${holder}.${clientId}`);
  }
  return [...streams];
};

/** The streams of one traveller, found by reading the log: their agents, and what these booked, were granted and bought. */
export const streamsOfHolder = async (holder: string, events: EventStore): Promise<readonly string[]> => {
  const streams = new Set<string>();
  for await (const { stream, data } of events.readAll(null)) {
    if (OF_A_HOLDER.includes(categoryOf(stream)) && data['holder'] === holder) streams.add(stream);
  }
  return [...streams];
};

const OF_A_HOLDER = ['delegation', 'mandate', 'booking', 'order'];
