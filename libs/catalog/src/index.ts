export * from './pure.js';
export { citiesByAirport, cityNamed } from './airports.js';
export { InvalidCatalog, readCatalogFile } from './catalog-file.js';
export { CatalogModule } from './catalog.module.js';
export {
  departureOf,
  fareOf,
  type Flight,
  type FlightState,
  isClosed,
  noSuchFare,
  requireOnSale,
  saleEndOf,
  type ScheduledFlight,
  seatsLeft,
  soldFare,
} from './flight.decider.js';
export { flightAsItIs, flightMeant, flightOnDate } from './departures.js';
export { FareQuoteView, quoteFares } from './fare-quote.view.js';
export { type DaysOfFlight, FlightDocuments, type WhyClosed } from './flight-documents.js';
export { dateAt, daysBetween, isDate, later, weekdayOf } from './local-time.rule.js';
export type { SaleDays } from './timetable.decider.js';
export { FlightListView, flightListView, FlightView, flightView } from './flight.view.js';
export { importCatalog, importCatalogAlone, zonesOf } from './import-catalog.js';
export { DateDto, NamesDate, QuoteFaresDto, searchIn, SearchFlightsDto } from './flights.dto.js';
export type { FlightPage, FoundFlights, KeepFlight, Route, RoutesOnSale } from './known-flights.js';
export { type FlightOrder, type FlightSearch, ORDERS } from './matching-flights.js';
export type { ShownFlight } from './flights.projection.js';
export type { Airport } from './places.js';
export { DayOpener, openDays } from './open-days.js';
