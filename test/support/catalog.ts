import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const catalogEntry = (changes: object = {}) => ({
  flightNumber: 'AL1201',
  slug: 'sao-paulo-belo-horizonte-al1201',
  from: 'CGH',
  to: 'CNF',
  toCity: 'Belo Horizonte',
  departureTime: '07:15',
  durationMin: 75,
  seats: 118,
  prices: [
    { code: 'LEVE', name: 'Leve', price: 279_90, arrivalTime: '08:30', arrivalDayOffset: 0, baggage: 'none' },
    {
      code: 'CLASSICA',
      name: 'Clássica',
      price: 359_90,
      arrivalTime: '08:30',
      arrivalDayOffset: 0,
      baggage: 'checked',
    },
  ],
  ...changes,
});

export const catalogIn = (folder: string): string => join(folder, 'catalogue.json');

/** Writes a catalogue file into `folder`; returns its path. */
export const writeCatalog = async (folder: string, flights: readonly object[]): Promise<string> => {
  const path = catalogIn(folder);
  await writeFile(path, JSON.stringify({ flights }));
  return path;
};
