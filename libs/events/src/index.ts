export { type DelegationEvent, delegationEvents } from './delegation.events.js';
export { type BookingEvent, bookingEvents } from './booking.events.js';
export type { Checkout, Line, RedeemedMandates } from './checkout.schema.js';
export {
  areWorse,
  type Conditions,
  DEFAULT_CONDITIONS,
  DURATION,
  keptOf,
  minutesIn,
  NO_CONDITIONS,
} from './conditions.js';
export {
  BAGGAGE,
  type Fare,
  fareFor,
  type FlightEvent,
  flightEvents,
  flightIdOf,
  type FlightName,
  flightNameOf,
  partsOf,
  type PriceParts,
} from './flight.events.js';
export { type PauseEvent, pauseEvents } from './pause.events.js';
export { type Constraints, type MandateEvent, mandateEvents } from './mandate.events.js';
export {
  CANCELLATION_REASONS,
  type CancellationReason,
  type OrderEvent,
  orderEvents,
  type Payment,
  type TicketCodes,
} from './order.events.js';
export type { EventSchemas } from './schema.js';
export { type AuditEvent, auditEvents, type AuditPage, type SecurityEvent, securityLog } from './security.events.js';
export * from './stream-type.js';
export { type SaleDaysEvent, saleDaysEvents, type TimetableEvent, timetableEvents } from './timetable.events.js';
export { type MinuteOfTraffic, type TrafficEvent, trafficLog } from './traffic.events.js';
export { type TicketStockEvent, ticketStockEvents } from './ticket-stock.events.js';
