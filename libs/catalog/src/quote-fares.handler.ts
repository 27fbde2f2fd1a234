import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { FlightDocuments } from './flight-documents.js';
import { QuoteFares } from './quote-fares.query.js';
import { quoteFares } from './quote-fares.js';

@QueryHandler(QuoteFares)
export class QuoteFaresHandler implements IQueryHandler<QuoteFares> {
  constructor(private readonly flights: FlightDocuments) {}

  async execute({ flightNumber, budget, passengers }: QuoteFares) {
    return quoteFares(await this.flights.get(flightNumber), budget, passengers);
  }
}
