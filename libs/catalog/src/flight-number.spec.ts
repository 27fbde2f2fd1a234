import { expect, it } from '@jest/globals';
import { normalFlightNumber } from './flight.decider.js';

it.each(['AL4012', 'al4012', ' AL 4012 ', 'Al-4012', 'al – 40-12'])('reads %j as AL4012', (text) =>
  expect(normalFlightNumber(text)).toBe('AL4012'),
);
