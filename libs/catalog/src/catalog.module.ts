import { Module } from '@nestjs/common';
import { FindFlightBySlugHandler } from './find-flight-by-slug.js';
import { FlightAnswers } from './flight-answers.js';
import { FlightDocuments } from './flight-documents.js';
import { FlightsController } from './flights.controller.js';
import { GetFlightHandler } from './get-flight.js';
import { ListAirportsHandler } from './list-airports.js';
import { ListRoutesHandler } from './list-routes.js';
import { QuoteFaresHandler } from './quote-fares.js';
import { SearchFlightsHandler } from './search-flights.js';

@Module({
  controllers: [FlightsController],
  providers: [
    FlightAnswers,
    FlightDocuments,
    FindFlightBySlugHandler,
    GetFlightHandler,
    ListAirportsHandler,
    ListRoutesHandler,
    QuoteFaresHandler,
    SearchFlightsHandler,
  ],
})
export class CatalogModule {}
