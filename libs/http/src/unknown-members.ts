import { nearestName } from '#kernel';
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
