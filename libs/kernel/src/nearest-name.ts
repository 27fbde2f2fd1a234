/** No name of a form is longer by far, and so none is near a longer one. */
const LONGEST_NAME = 40;
/** Shorter parts of a name say nothing: `to` is part of too many. */
const SHORTEST_PART = 4;

/** The known name nearest to `given`: a third of its letters differ, three at most; else one contains the other; or null. */
export const nearestName = (given: string, known: Iterable<string>): string | null => {
  if (given.length > LONGEST_NAME) return null;
  const letters = lettersOf(given);
  const candidates = [...known].map((name) => ({ name, distance: distanceOf(letters, lettersOf(name)) }));
  const [nearest] = candidates.filter(({ distance }) => distance !== null).sort(byDistance);
  return nearest?.name ?? null;
};

interface Candidate {
  readonly name: string;
  /** null: too far. */
  readonly distance: number | null;
}

/** Among equals the first in the form's order comes first: sorting is stable. */
const byDistance = (one: Candidate, other: Candidate): number => (one.distance ?? 0) - (other.distance ?? 0);

const lettersOf = (name: string): string => name.toLowerCase().replace(/[-_\s.]/g, '');

const distanceOf = (one: string, other: string): number | null => {
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one];
  const edits = editsBetween(shorter, longer);
  if (edits <= Math.min(3, Math.floor(longer.length / 3))) return edits;
  return shorter.length >= SHORTEST_PART && longer.includes(shorter) ? LONGEST_NAME : null;
};

/** How many letters to insert, leave out, replace, or swap with their neighbour (optimal string alignment distance). */
export const editsBetween = (one: string, other: string): number => {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (beforeLast[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [beforeLast, last] = [last, row];
  }
  return last[other.length] ?? 0;
};
