/** New ids, as a port. They are minted at the edge and travel in commands, so that a retry names the same thing. */
export abstract class Ids {
  /** A random UUID (RFC 9562, version 4), lower case. */
  abstract next(): string;
}

export class RandomIds extends Ids {
  next(): string {
    return crypto.randomUUID();
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `text` has the form of an id of ours; everything else is unknown without a look-up. */
export const isId = (text: string): boolean => UUID.test(text);
