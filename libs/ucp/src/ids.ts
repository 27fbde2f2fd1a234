import { createHash } from 'node:crypto';
import { hashOf } from '#identity';
import { strangerId } from '#kernel';

/** A UUID made of a text: the same text has the same one, in every process (RFC 9562 §5.8, version 8). */
export const derivedId = (text: string): string => {
  const hash = createHash('sha256').update(text).digest('hex');
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`];
  return [...parts, hash.slice(20, 32)].join('-');
};

/** The agent that a platform acts as: the client of its profile's address, with or without a token (docs/ucp.md). */
export const agentOf = ({ profile }: { readonly profile: string }): string => strangerId('metadata', hashOf(profile));

/** What is sold: a fare of a flight. */
export interface FareOfFlight {
  readonly flightId: string;
  readonly fareCode: string;
}

/** The id of a variant of the catalogue and of the item of a checkout. A product has its flight's id. */
export const itemId = ({ flightId, fareCode }: FareOfFlight): string => `${encodeURIComponent(flightId)}:${fareCode}`;

/** What an id names; null: it is the id of no item. */
export const itemNamed = (id: string): FareOfFlight | null => {
  const [, flight, fareCode] = /^([^:]{1,200}):(\S{1,40})$/.exec(id) ?? [];
  if (flight === undefined || fareCode === undefined) return null;
  try {
    return { flightId: decodeURIComponent(flight), fareCode };
  } catch {
    return null;
  }
};
