import { Query } from '@nestjs/cqrs';
import type { FareQuoteView } from './fare-quote.view.js';

/** The fares of a flight under a budget. */
export class QuoteFares extends Query<FareQuoteView> {
  constructor(
    readonly flightNumber: string,
    /** Integer cents of the flight's currency, for the whole party. */
    readonly budget: number,
    /** 1 to 9. */
    readonly passengers: number,
  ) {
    super();
  }
}
