/** The accounting code of the airline that issues the tickets, three digits as IATA gives them. */
const AIRLINE = '977';

/**
 * A ticket code of 13 digits (docs/consistency.md, rule 22): 3 of the airline, 9 of the serial, and a check digit, the twelve
 * before it modulo 7, as on paper tickets.
 */
export const ticketCode = (serial: number): string => {
  const number = AIRLINE + serial.toString().padStart(9, '0');
  return number + (Number(number) % 7).toString();
};
