import { delegationEvents } from './delegation.events.js';
import { bookingEvents } from './booking.events.js';
import { flightEvents } from './flight.events.js';
import { mandateEvents } from './mandate.events.js';
import { orderEvents } from './order.events.js';
import type { EventSchemas } from './schema.js';
import { securityEvents } from './security.events.js';
import { ticketStockEvents } from './ticket-stock.events.js';
import { trafficEvents } from './traffic.events.js';

/** Every category of streams with the schemas of its events. */
const CATEGORIES = {
  flight: flightEvents,
  booking: bookingEvents,
  mandate: mandateEvents,
  order: orderEvents,
  delegation: delegationEvents,
  ticket: ticketStockEvents,
  security: securityEvents,
  traffic: trafficEvents,
} as const satisfies Readonly<Record<string, EventSchemas>>;

/** The category of a stream: the part of its name before the first hyphen. */
export type Category = keyof typeof CATEGORIES;

/** The category of `stream`: the part of its name before the first hyphen, as EventStoreDB's own projections cut it. */
export const categoryOf = (stream: string): string => stream.split('-', 1)[0] ?? stream;

/** The schemas of a category's events, or undefined where no such category exists. */
export const schemasOf = (category: string): EventSchemas | undefined =>
  Object.hasOwn(CATEGORIES, category) ? CATEGORIES[category as Category] : undefined;
