import type { Checkout } from '#events';
import type { Choice } from './booking.state.js';

/** Commands of `booking-<id>`. A command of an order names it; for another than the current one it changes nothing. */
export type BookingCommand =
  | {
      readonly type: 'CreateBooking';
      readonly bookingId: string;
      readonly holder: string;
      readonly clientId: string;
      readonly choice: Choice;
    }
  | {
      readonly type: 'ChangeBooking';
      readonly holder: string;
      readonly clientId: string;
      /** The choice the new one was made from. */
      readonly basedOn: Choice;
      readonly choice: Choice;
    }
  | { readonly type: 'StartCheckout'; readonly checkout: Checkout }
  | { readonly type: 'AbandonCheckout'; readonly orderId: string }
  | { readonly type: 'TicketBooking'; readonly orderId: string; readonly ticketCode: string };
