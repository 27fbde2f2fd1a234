import { DROPPED_KEYS } from './body-parsers.js';
import { type Form, isClosed, isList } from './validation.js';

export interface UnknownMember {
  /** As it is shown: its path, members joined by dots. */
  readonly field: string;
  /** The path that was probably meant, where one is near. */
  readonly suggestion?: string;
  /** Its form is closed: it is refused, and not ignored. */
  readonly isRefused?: true;
}

/** How many are named, and how many characters of each (docs/decisions.md, Unknown members). */
export const MOST_UNKNOWN = 20;
const LONGEST = 64;
/** A name with so many digits may be the number of a card. */
const CARD_DIGITS = 12;

/** The names at any depth that a form does not know: at most 20, closed forms first. Nothing behind an unknown name is read. */
export const unknownIn = (form: Form, value: unknown): readonly UnknownMember[] => {
  const found = strangersIn(form, value, '');
  if (found.length <= MOST_UNKNOWN) return found.map(unknownMember);
  const [refused, ignored] = [found.filter((one) => isClosed(one.form)), found.filter((one) => !isClosed(one.form))];
  return [...refused, ...ignored].slice(0, MOST_UNKNOWN).map(unknownMember);
};

/** A name that a form does not know, and the path to the object that has it. */
interface Stranger {
  readonly form: Form;
  readonly name: string;
  readonly path: string;
}

/** Those of an object, at most 20 of each form. */
const strangersIn = (form: Form, value: unknown, path: string): readonly Stranger[] => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const found: Stranger[] = [];
  let own = 0;
  for (const [name, member] of Object.entries(value)) {
    const inner = form.get(name);
    if (inner && isList(inner) && Array.isArray(member))
      for (const [place, one] of member.slice(0, MOST_UNKNOWN).entries())
        found.push(...strangersIn(inner, one, `${path}${name}.${place}.`));
    else if (inner) found.push(...strangersIn(inner, member, `${path}${name}.`));
    else if (inner === undefined && own < MOST_UNKNOWN && !DROPPED_KEYS.has(name)) {
      found.push({ form, name, path });
      own += 1;
    }
  }
  return found;
};

const unknownMember = ({ form, name, path }: Stranger): UnknownMember => {
  const suggestion = nearestName(name, form.keys());
  return {
    field: shown(`${path}${name}`),
    ...(suggestion !== null && { suggestion: `${path}${suggestion}` }),
    ...(isClosed(form) && { isRefused: true }),
  };
};

/** A name that a stranger chose, as it may stand anywhere: visible ASCII, escaped as JSON would, without digits of a card. */
const shown = (name: string): string => {
  const isCard = (name.match(/\p{Nd}/gu) ?? []).length >= CARD_DIGITS;
  const text = isCard ? name.replace(/\p{Nd}/gu, '*') : name;
  const safe = text.slice(0, LONGEST + 1).replace(/[^\x20-\x7e]/g, escaped);
  return safe.length <= LONGEST ? safe : `${safe.slice(0, LONGEST - 3)}...`;
};

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

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
const editsBetween = (one: string, other: string): number => {
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
