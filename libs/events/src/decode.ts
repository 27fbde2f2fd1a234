import type { DelegationEvent } from './delegation.events.js';
import type { BookingEvent } from './booking.events.js';
import { categoryOf, schemasOf } from './categories.js';
import type { FlightEvent } from './flight.events.js';
import type { MandateEvent } from './mandate.events.js';
import type { OrderEvent } from './order.events.js';
import type { SecurityEvent } from './security.events.js';
import type { TicketStockEvent } from './ticket-stock.events.js';
import type { TrafficEvent } from './traffic.events.js';
import { upcast } from './upcasters.js';

/** Any event of the domain. */
export type DomainEvent =
  | DelegationEvent
  | BookingEvent
  | FlightEvent
  | MandateEvent
  | OrderEvent
  | SecurityEvent
  | TicketStockEvent
  | TrafficEvent;

/** An event as a store keeps it: JSON of which nothing is known yet. */
export interface EncodedEvent {
  readonly stream: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A stored event that this version of the program cannot read: damaged, or written by a newer one. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
}

/**
 * The one decoder: stored JSON → typed event, upcast and checked against its schema. The only place that trusts a cast.
 *
 * @throws UnreadableEvent where category, type or form is unknown.
 */
export const decode = (stored: EncodedEvent): DomainEvent => {
  const schemas = schemasOf(categoryOf(stored.stream));
  const schema = schemas && Object.hasOwn(schemas, stored.type) ? schemas[stored.type] : undefined;
  if (!schema) throw new UnreadableEvent(`no event type ${stored.type} in ${stored.stream}`);
  const parsed = schema.safeParse(upcast(stored.type, stored.schemaVersion, stored.data));
  if (!parsed.success)
    throw new UnreadableEvent(`${stored.type} in ${stored.stream} is damaged`, { cause: parsed.error });
  return { type: stored.type, data: parsed.data } as DomainEvent;
};
