import { createHash } from 'node:crypto';

/** A UUID made of a text: the same text has the same one, in every process (RFC 9562 §5.8, version 8). */
export const derivedId = (text: string): string => {
  const hash = createHash('sha256').update(text).digest('hex');
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`];
  return [...parts, hash.slice(20, 32)].join('-');
};
