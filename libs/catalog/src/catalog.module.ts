import { Module } from '@nestjs/common';
import { FindFlightBySlugHandler } from './find-flight-by-slug.handler.js';
import { FlightDocuments } from './flight-documents.js';
import { FlightsController } from './flights.controller.js';
import { GetFlightHandler } from './get-flight.handler.js';
import { QuoteFaresHandler } from './quote-fares.handler.js';
import { SearchFlightsHandler } from './search-flights.handler.js';

@Module({
  controllers: [FlightsController],
  providers: [FlightDocuments, FindFlightBySlugHandler, GetFlightHandler, QuoteFaresHandler, SearchFlightsHandler],
})
export class CatalogModule {}
