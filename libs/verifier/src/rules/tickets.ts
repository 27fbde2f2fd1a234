import type { Json } from '../audited-event.js';
import { ShardedMap } from '../sharded-map.js';
import type { ReportBreach } from './mandate-state.js';
import { text, texts } from './members.js';

/** A ticket is issued once: one a passenger, or one for all where `OrderPaid` names no others. */
export class Tickets {
  private readonly issued = new ShardedMap<true>();

  issue(codes: readonly string[], report: ReportBreach): void {
    for (const code of codes) {
      if (!isTicket(code)) report('ticket', `${code} is no ticket code`);
      else if (this.issued.get(code)) report('ticket', `ticket ${code} was issued before`);
      this.issued.set(code, true);
    }
  }
}

/** Of `OrderPaid`. */
export const ticketsIn = (data: Json, passengers: number, report: ReportBreach): readonly string[] => {
  const first = text(data, 'ticketCode');
  if (data['ticketCodes'] === undefined) return [first];
  const codes = texts(data, 'ticketCodes');
  if (codes.length !== passengers) report('ticket', `${codes.length} tickets for ${passengers} passengers`);
  if (codes[0] !== first) report('ticket', `ticket ${first} is not the first one`);
  return codes.length === 0 ? [first] : codes;
};

/** Thirteen digits, not all of them 0. */
export const isTicket = (code: string): boolean => /^(?!0+$)\d{13}$/.test(code);
