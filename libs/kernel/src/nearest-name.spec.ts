import fc from 'fast-check';
import { anyText } from '#testing';
import { nearestName } from './nearest-name.js';

const KNOWN = ['flightNumber', 'fareCode', 'passengers', 'durationMinutes', 'cvc', 'q', 'to', 'from', 'limit'];

describe('the name that was meant', () => {
  it.each([
    ['passangers', 'passengers'],
    ['pasengers', 'passengers'],
    ['passengerss', 'passengers'],
    ['form', 'from'],
    ['cvv', 'cvc'],
    ['tto', 'to'],
    ['flight_number', 'flightNumber'],
    ['FLIGHT-NUMBER', 'flightNumber'],
    ['fare', 'fareCode'],
    ['duration', 'durationMinutes'],
    ['numberOfPassengers', 'passengers'],
    ['passengеrs', 'passengers'], // with a Cyrillic letter
  ])('by %s is %s', (given, meant) => expect(nearestName(given, KNOWN)).toBe(meant));

  it.each(['', 'x', 'qq', 'seatClass', 'pax', 'é', '__proto__', '🂡'])('by %j is none', (given) =>
    expect(nearestName(given, KNOWN)).toBeNull(),
  );

  it('is the nearest, and among equals the first of the form', () => {
    expect(nearestName('limt', ['limits', 'limit'])).toBe('limit');
    expect(nearestName('fast', ['fart', 'fask'])).toBe('fart');
  });

  it('is one of the form or none, whatever is given', () =>
    fc.assert(
      fc.property(anyText({ maxLength: 50 }), (given) => {
        const meant = nearestName(given, KNOWN);
        expect(meant === null || KNOWN.includes(meant)).toBe(true);
      }),
    ));

  it('is found for each of its own misspellings by one letter', () =>
    fc.assert(
      fc.property(
        fc.constantFrom('flightNumber', 'fareCode', 'passengers'),
        fc.nat(20),
        fc.nat(2),
        (name, at, kind) => {
          const place = at % name.length;
          const [head, tail] = [name.slice(0, place), name.slice(place)];
          const misspelled = [`${head}z${tail}`, `${head}${tail.slice(1)}`, `${head}z${tail.slice(1)}`][kind] ?? '';
          expect(nearestName(misspelled, KNOWN)).toBe(name);
        },
      ),
    ));
});
