/**
 * The first string, by code points, after all that start with `prefix`; null where there is none. It makes a prefix a
 * range, which every store can compare and an index serves.
 */
export const afterAll = (prefix: string): string | null => {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return null;
  const isBeforeSurrogates = last === 0xd7ff;
  return String.fromCodePoint(...points, isBeforeSurrogates ? 0xe000 : last + 1);
};
