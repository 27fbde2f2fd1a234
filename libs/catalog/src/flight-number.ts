/**
 * The normal form of a flight number as somebody writes it in a path, a body or a catalogue file: case, spaces and
 * hyphens do not count (docs/decisions.md, Flights). `al 4012` and `AL-4012` are `AL4012`.
 */
export const normalFlightNumber = (text: string): string => text.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
