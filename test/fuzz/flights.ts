import { catalogEntry, writeCatalog } from '../support/catalog.js';

/** The flight that departs before the requests begin, and the one with a single seat. */
export const [DEPARTING, SCARCE] = ['ZZ1001', 'ZZ1002'];

/** The numbers of flights as they are asked for: known ones, one of them written otherwise, and an unknown one. */
export const FLIGHTS = ['AL1201', 'AL1001', 'AL1002', DEPARTING, SCARCE, 'al 12-01', 'AL9999'];

export const writeFlights = (folder: string): Promise<string> => {
  const departureDate = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  return writeCatalog(folder, [
    catalogEntry(),
    catalogEntry({ flightNumber: 'AL1001', slug: 'al1001', seats: 100_000, to: 'REC', toCity: 'Recife' }),
    catalogEntry({ flightNumber: 'AL1002', slug: 'al1002', seats: 100_000, from: 'GRU' }),
    catalogEntry({ flightNumber: DEPARTING, slug: 'partindo', departureDate, timeZone: 'America/Sao_Paulo' }),
    catalogEntry({ flightNumber: SCARCE, slug: 'escasso', seats: 1 }),
  ]);
};
