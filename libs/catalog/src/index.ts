export { CatalogModule } from './catalog.module.js';
export { InvalidCatalog, readCatalogFile } from './catalog-file.js';
export { hasDeparted } from './departure.js';
export { type Flight, flightDecider, fareOf, type ScheduledFlight, seatsLeft } from './flight.decider.js';
export { normalFlightNumber } from './flight-number.js';
export { flightsProjection } from './flights.projection.js';
export { importCatalog } from './import-catalog.js';
