import { DomainError } from '#kernel';

/** What an agent notes on a thing of its own: texts under names that it chose. */
export type Metadata = Readonly<Record<string, string>>;

/** How many names one thing has at most. */
export const MOST_NAMES = 50;

/**
 * What becomes of metadata when these changes are made: a name is added or replaced, an empty text takes it away.
 *
 * @throws DomainError `invalid_metadata` where there would be too many names
 */
export const changed = (before: Metadata, changes: Metadata): Metadata => {
  const entries = Object.entries({ ...before, ...changes }).filter(([, text]) => text !== '');
  if (entries.length > MOST_NAMES)
    throw new DomainError('invalid_metadata', [{ field: 'metadata', message: `pode ter até ${MOST_NAMES} nomes` }]);
  return Object.fromEntries(entries);
};

/** How many bytes it has in an answer. */
export const lengthOf = (metadata: Metadata): number => Buffer.byteLength(JSON.stringify(metadata));
