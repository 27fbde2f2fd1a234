interface English {
  readonly title: string;
  readonly description: string;
}

/** What tools.ts says of each tool, in English, for the guide: agents themselves are answered in Portuguese. */
export const TOOLS_ENGLISH = {
  search_flights: {
    title: 'Search flights',
    description:
      'Lists or searches flights. q: city of destination, airport (code or name) or flight number; from and to: city or ' +
      'airport. date: the day of departure (YYYY-MM-DD); without it, the next departure of each flight. dateFrom and dateTo, with ' +
      'sort=price, give the cheapest day. By time of departure, or in the order of sort. Each flight has its fares in prices, with the price of ' +
      'a passenger in cents and, in conditions.description, what comes back if it is cancelled. Ten come at a time, or as many as limit says; count is the total, and nextCursor leads to the next ones. Where nothing is ' +
      'found, suggestions has searches that find something.',
  },
  get_flight: {
    title: 'Read a flight',
    description:
      'Reads a flight by its number, on the day of date or at its next departure, with its fares, what comes back of each if it is cancelled and the seats still for sale.',
  },
  quote_fares: {
    title: 'Compare fares',
    description:
      'Compares the fares of a flight under a budget in cents for all passengers: total, baggage, arrival on the same ' +
      'day, whether it fits the budget and, in conditions.description, what comes back if it is cancelled: tell the traveller ' +
      'before you buy. bestByConstraints is the cheapest that arrives on the same day with checked baggage.',
  },
  create_booking: {
    title: 'Create a booking',
    description:
      'Creates a booking of a flight, on the day of date or at its next departure, and of a fare, for 1 to 9 passengers, and says the total, with taxes, and what comes back if it is cancelled. Price and conditions are ' +
      'promised until expiresAt; seats are not. travellers says who flies, one for each passenger; an infant under 2 needs an ' +
      'adult to itself. Nothing is charged: place_order issues the ticket.',
  },
  get_booking: { title: 'Read a booking', description: 'Reads a booking of the traveller.' },
  change_booking: {
    title: 'Change a booking',
    description:
      'Changes flight, date, fare or passengers of a booking that has no order and no ticket yet. What is not given stays ' +
      "as it is; the total becomes today's price, promised until the new expiresAt.",
  },
  create_mandate: {
    title: 'Create a payment mandate',
    description:
      'Creates a mandate: up to what amount, in cents of a currency, and for how many minutes this agent may charge the ' +
      'traveller. Nothing is charged without a valid mandate. If the answer has status "pending", take the traveller to ' +
      'approval.url and buy only after they have allowed it. One that was granted with the authorization (authorization_details) ' +
      'exists already: use the mandateId that came with the token.',
  },
  revoke_mandate: {
    title: 'Revoke a mandate',
    description: 'Revokes a mandate before its end: after the answer nothing more is charged to it.',
  },
  place_order: {
    title: 'Buy: charge and issue the ticket',
    description:
      'Confirms a booking: checks the mandate, charges the card at the test processor and issues a ticket for each passenger, with ' +
      'the locator of the order. With the error ' +
      'payment_challenge_required, take the traveller to challenge.url and, once they have decided, call again with the ' +
      'same arguments. With mandate_pending, the traveller has not decided on the mandate yet: wait for them. With ' +
      'offer_expired, the price rose or the conditions got worse after expiresAt of the booking: show what changed; the price is ' +
      'accepted in acceptUpTo, and the conditions with change_booking.',
  },
  get_receipt: {
    title: 'Read the receipt',
    description: 'Reads the receipt of a paid order: the ticket, what was bought and how it was paid.',
  },
  quote_cancellation: {
    title: 'Quote a cancellation',
    description:
      "Says how much comes back, how much is kept and why, if a paid order of this agent's is cancelled now. It changes nothing; the amount holds " +
      'until expiresAt. Show it to the traveller before you cancel.',
  },
  cancel_order: {
    title: 'Cancel an order',
    description:
      'Cancels an order as quote_cancellation quoted it: the ticket is no longer valid, and the amount goes back to the card and the mandate. ' +
      'It cannot be undone. With cancellation_expired, the quote is over: details.cancellation is the new one.',
  },
} as const satisfies Readonly<Record<string, English>>;

/** The name of a tool: one that English knows too. */
export type ToolName = keyof typeof TOOLS_ENGLISH;
