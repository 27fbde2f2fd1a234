/** Names of streams: `<category>-<id>` (design.md §4). */
export const flightStream = (flightNumber: string): string => `flight-${flightNumber}`;
export const bookingStream = (bookingId: string): string => `booking-${bookingId}`;
export const mandateStream = (mandateId: string): string => `mandate-${mandateId}`;
export const orderStream = (orderId: string): string => `order-${orderId}`;
export const delegationStream = (holder: string, clientId: string): string => `delegation-${holder}.${clientId}`;
/** The stream of the UTC day of an instant. */
export const securityStream = (instant: string): string => `security-${instant.slice(0, 10)}`;
/** The stream of what the process that began as `start` counts on the UTC day of an instant. */
export const trafficStream = (instant: string, start: string): string => `traffic-${instant.slice(0, 10)}-${start}`;
/** The one stream of its category. */
export const TICKET_STOCK_STREAM = 'ticket-stock';
/** The id a stream's name carries: everything after the category. */
export const idOf = (stream: string): string => stream.slice(stream.indexOf('-') + 1);
