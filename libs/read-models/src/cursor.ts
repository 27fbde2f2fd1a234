import { createHash } from 'node:crypto';
import { canonicalJson, DomainError } from '#kernel';
import type { PageEnd } from '#documents';
import { z } from 'zod';

const cursorSchema = z.strictObject({
  list: z.string(),
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  id: z.string(),
});

/** A short name of the list a cursor belongs to: what is listed, by which filters, in which order. */
const fingerprint = (list: object): string =>
  createHash('sha256').update(canonicalJson(list)).digest('base64url').slice(0, 22);

/** Where a page ended, opaque, and bound to its list. */
export const encodeCursor = (list: object, { value, id }: PageEnd): string =>
  Buffer.from(JSON.stringify({ list: fingerprint(list), value, id })).toString('base64url');

/**
 * Where the page before ended.
 *
 * @throws DomainError `invalid_cursor` for what is no cursor of this list
 */
export const decodeCursor = (list: object, cursor: string): PageEnd => {
  try {
    const decoded = cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    if (decoded.list === fingerprint(list)) return decoded;
  } catch {
    // Not one of ours: the same answer as for one of another list.
  }
  throw new DomainError('invalid_cursor');
};
