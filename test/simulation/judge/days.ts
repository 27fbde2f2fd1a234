import type { BookedEvent } from '../../support/books.js';

/** What is wrong with the days on sale: each is opened once, in order, and is sold and keeps its terms from then on (rule 38). */
export const dayFindings = (events: readonly BookedEvent[]): readonly string[] => {
  const found: string[] = [];
  const timetables = new Set<string>();
  let [first, last] = ['9', ''];
  for (const { type, data, stored } of events) {
    switch (type) {
      case 'DaysOpened':
        if (data.last < data.first) found.push(`no day was opened, from ${data.first} to ${data.last}`);
        if (last !== '' && data.first !== dayAfter(last)) found.push(`${data.first} was opened after ${last}`);
        if (last === '') first = data.first;
        last = data.last;
        break;
      case 'TimetableScheduled':
        if (timetables.has(data.flightNumber) && data.firstDate <= last)
          found.push(`${data.flightNumber} has other terms on ${data.firstDate}, which was open`);
        timetables.add(data.flightNumber);
        break;
      case 'BookingCreated':
      case 'BookingChanged':
      case 'FlightScheduled': {
        const { flightNumber, departureDate: date } = data;
        if (date && timetables.has(flightNumber ?? '') && (date < first || date > last))
          found.push(`${stored.stream}: ${type} of ${flightNumber} on ${date}, which was not open`);
      }
    }
  }
  return found;
};

const dayAfter = (date: string): string => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
