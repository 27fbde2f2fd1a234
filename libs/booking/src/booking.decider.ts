import {
  type BookingEvent,
  bookingEvents,
  type Checkout,
  DEFAULT_CONDITIONS,
  type Fare,
  fareFor,
  flightIdOf,
  type FlightName,
  streamType,
} from '#events';
import {
  type Decider,
  DomainError,
  type Instant,
  type Money,
  money,
  partyOf,
  plus,
  type Stamped,
  TooLate,
} from '#kernel';
import {
  type Booking,
  type Choice,
  evolveBooking,
  type ExistingBooking,
  isPromised,
  sameChoice,
} from './booking.state.js';

/** Commands of `booking-<id>`. A command of an order names it; for another than the current one it changes nothing. */
export type BookingCommand =
  | {
      readonly type: 'CreateBooking';
      readonly bookingId: string;
      readonly holder: string;
      readonly clientId: string;
      readonly choice: Choice;
      /** Whether it comes with who flies. */
      readonly named?: boolean;
    }
  | {
      readonly type: 'ChangeBooking';
      readonly holder: string;
      readonly clientId: string;
      /** What is named becomes another: of changes at once each is made from what the one before led to. */
      readonly changes: Partial<BookingRequest>;
      /** Whether it is said who flies; a document says who. */
      readonly names?: boolean;
      /** The flight of the changed booking, as it was read; of another one the command changes nothing. */
      readonly offer: Offer | null;
      /** The flight that a changed number or date was made of; of a booking on another one the command changes nothing. */
      readonly changedFrom?: string | null | undefined;
      /** How long (ms) the price is promised from now on. */
      readonly promise: number;
    }
  | {
      readonly type: 'StartCheckout';
      readonly checkout: Checkout;
      /** The booking as the order was judged by it, and whether its price was still promised then (rule 34). */
      readonly judged: { readonly choice: Choice; readonly wasPromised: boolean };
      /** What the order named, where it pays more than was promised. */
      readonly accepted?: Money | undefined;
      /** The process that runs it; undefined where it keeps no lease. */
      readonly runner?: string | undefined;
      /** Orders that had been abandoned when the card was judged: it may have failed the challenge of a later one. */
      readonly abandoned: ExistingBooking['abandoned'];
    }
  | { readonly type: 'AbandonCheckout'; readonly orderId: string }
  | { readonly type: 'TicketBooking'; readonly orderId: string; readonly ticketCode: string };

/** The booking is not what the command was made from: somebody changed it in between. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
}

/** The rules of `booking-<id>`: one order at a time, one ticket at the most. */
export const bookingDecider: Decider<Booking, BookingCommand, BookingEvent> = {
  initialState: () => ({ kind: 'none' }),
  evolve: evolveBooking,
  decide: (command, booking) => {
    switch (command.type) {
      case 'CreateBooking': {
        const { bookingId, holder, clientId, choice, named, now } = command;
        if (booking.kind !== 'none') return [];
        const data = { bookingId, holder, clientId, ...choice, named, createdAt: now };
        return [{ type: 'BookingCreated', data }];
      }
      case 'ChangeBooking':
        return change(command, booking);
      case 'StartCheckout':
        return startCheckout(command, booking);
      case 'AbandonCheckout': {
        const { orderId, now } = command;
        return isCurrent(booking, orderId)
          ? [{ type: 'BookingCheckoutAbandoned', data: { orderId, abandonedAt: now } }]
          : [];
      }
      case 'TicketBooking': {
        const { orderId, ticketCode, now } = command;
        return isCurrent(booking, orderId)
          ? [{ type: 'BookingTicketed', data: { orderId, ticketCode, ticketedAt: now } }]
          : [];
      }
    }
  },
};

/** A booking cannot be ordered because of an earlier order; its owner gets that order's id. */
export class OrderInTheWay extends DomainError {
  constructor(
    code: 'booking_already_ordered' | 'order_in_progress' | 'mandate_redeemed',
    readonly orderId: string,
  ) {
    super(code);
  }
}

const isCurrent = (booking: Booking, orderId: string): boolean =>
  booking.kind === 'checkout' && booking.checkout.orderId === orderId;

type CommandOf<Type extends BookingCommand['type']> = Stamped<Extract<BookingCommand, { type: Type }>>;

const change = (command: CommandOf<'ChangeBooking'>, booking: Booking): readonly BookingEvent[] => {
  const { choice: present, named } = changeable(booking, command);
  const { changes, names, offer, changedFrom, promise, now } = command;
  if (changedFrom !== undefined && flightIdOf(present) !== changedFrom) return [];
  if (changes.flightId === undefined && !isOf(present, offer)) return [];
  const isPriced = names !== true || Object.keys(changes).length > 0;
  const choice = isPriced ? priced(offer, { ...present, ...changes }, now, promise) : present;
  const isNamed = names === true && named !== true;
  if (sameChoice(present, choice) && !isNamed) return [];
  return [{ type: 'BookingChanged', data: { ...choice, named: isNamed || undefined, changedAt: now } }];
};

/** The booking, if this caller may change it now. @throws DomainError `booking_not_found`, `invalid_change`, `booking_locked` */
export const changeable = (
  booking: Booking,
  party: { readonly holder: string; readonly clientId: string },
): ExistingBooking => {
  if (booking.kind === 'none' || booking.holder !== party.holder) throw new DomainError('booking_not_found');
  if (booking.clientId !== party.clientId) throw new DomainError('invalid_change');
  if (booking.kind !== 'open') throw new DomainError('booking_locked');
  return booking;
};

const startCheckout = (
  { checkout, judged, accepted, runner, abandoned, now }: CommandOf<'StartCheckout'>,
  booking: Booking,
): readonly BookingEvent[] => {
  if (isCurrent(booking, checkout.orderId)) return [];
  const current = orderable(booking, checkout);
  const { ap2 } = checkout;
  const redeemedBy = ap2 && [ap2.checkout, ap2.payment].map(({ redemption }) => current.redeemed?.[redemption]);
  for (const orderId of redeemedBy ?? [])
    if (orderId !== undefined) throw new OrderInTheWay('mandate_redeemed', orderId);
  // Sent again while its first try was being given up: its id is spent, and the next try is given another one.
  if (checkout.orderId in current.abandoned) throw new TooLate();
  const isJudged = Object.keys(current.abandoned).every((orderId) => orderId in abandoned);
  const isAsJudged = isPromised(current.choice, now) === judged.wasPromised;
  if (!isJudged || !isAsJudged || !sameChoice(current.choice, bought(checkout, judged))) throw new ChangedMeanwhile();
  const data = { ...checkout, named: checkout.named === true || current.named, runner, accepted, openedAt: now };
  return [{ type: 'BookingCheckoutStarted', data }];
};

/** What the booking has to be for what is bought of it. Only a promised price is the booking's own. */
const bought = ({ line, total }: Checkout, { choice, wasPromised }: CommandOf<'StartCheckout'>['judged']): Choice => {
  const { flightId, flightNumber, fareCode, passengers } = line;
  return { ...choice, flightId, flightNumber, fareCode, passengers, total: wasPromised ? total : choice.total };
};

/** The booking, if this caller may order it now. @throws DomainError `invalid_booking`, `booking_empty`; OrderInTheWay */
export const orderable = (
  booking: Booking,
  party: { readonly holder: string; readonly clientId: string },
): ExistingBooking => {
  if (booking.kind === 'none' || booking.holder !== party.holder || booking.clientId !== party.clientId) {
    throw new DomainError('invalid_booking');
  }
  if (booking.choice.flightNumber === null || booking.choice.fareCode === null) throw new DomainError('booking_empty');
  if (booking.kind === 'ticketed') throw new OrderInTheWay('booking_already_ordered', booking.orderId);
  if (booking.kind === 'checkout') throw new OrderInTheWay('order_in_progress', booking.checkout.orderId);
  return booking;
};

/** `booking-<id>`: what is to be bought, and the one order at a time that buys it. */
export const bookings = streamType({
  category: 'booking',
  id: (bookingId: string) => bookingId,
  events: bookingEvents,
  decider: bookingDecider,
  party: (booking) => (booking.kind === 'none' ? null : partyOf(booking)),
});

/** What somebody wants to book; the price is ours. `flightId` null: no flight. */
export interface BookingRequest extends Pick<Choice, 'fareCode' | 'passengers'> {
  readonly flightId: string | null;
}

/** A flight as it was read: its fares, its day, when it leaves, and when its sale ends; null: never. */
export interface Offer extends FlightName {
  readonly currency: Money['currency'];
  readonly fares: readonly Pick<Fare, 'code' | 'name' | 'price' | 'taxes' | 'conditions'>[];
  readonly departureDate: string | null;
  readonly departureAt: Instant | null;
  readonly closesAt: Instant | null;
  readonly isCancelled?: boolean;
}

/** Whether what is booked is on this flight; null: on none. */
export const isOf = (choice: FlightName<string | null>, offer: Offer | null): boolean =>
  flightIdOf(choice) === (offer && flightIdOf(offer));

/** A choice at its fare, promised for so long (ms); a draft or a flight without a fare costs 0. @throws DomainError `flight_cancelled`, `flight_departed`, `invalid_fare` */
export const priced = (
  offer: Offer | null,
  { fareCode, passengers }: Omit<BookingRequest, 'flightId'>,
  now: Instant,
  promise: number,
): Choice => {
  if (offer === null) {
    if (fareCode !== null) throw new DomainError('invalid_fare');
    return { flightNumber: null, fareCode, passengers, total: money(0, 'BRL') };
  }
  const { currency, fares, departureDate, departureAt, closesAt, isCancelled = false } = offer;
  if (isCancelled) throw new DomainError('flight_cancelled');
  if (closesAt !== null && now >= closesAt) throw new DomainError('flight_departed', { closedAt: closesAt });
  const fare = fares.find(({ code }) => code === fareCode);
  if (fareCode !== null && !fare) {
    const known = fares.map(({ code, name, price }) => ({ code, name, price }));
    throw new DomainError('invalid_fare', { currency, fares: known });
  }
  const { flightId, flightNumber } = offer;
  const isDated = departureDate !== null && departureAt !== null;
  const { total = money(0, currency), taxes } = fare ? fareFor(fare, passengers, currency) : {};
  return {
    flightId,
    flightNumber,
    departureDate: isDated ? departureDate : undefined,
    departureAt: isDated ? departureAt : undefined,
    fareCode,
    passengers,
    total,
    taxes,
    conditions: fare && (fare.conditions ?? DEFAULT_CONDITIONS),
    expiresAt: fare && plus(now, promise),
  };
};
