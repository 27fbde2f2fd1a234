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
