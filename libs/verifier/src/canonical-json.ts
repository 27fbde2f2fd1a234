/** A limit of its own: where the stack of an engine ends, every engine says something else. */
const DEEPEST = 100;

/** Canonical JSON (RFC 8785), apart from the program that is checked by it. @throws TypeError; RangeError: nested too deep */
export const canonicalJson = (value: unknown, depth = 0): string => {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('JSON has no such number');
      return JSON.stringify(value);
    case 'object':
      if (value === null) return 'null';
      if (depth === DEEPEST) throw new RangeError('it is nested too deeply');
      if (!Array.isArray(value)) return object(value, depth + 1);
      return `[${value.map((member) => canonicalJson(member, depth + 1)).join(',')}]`;
    default:
      throw new TypeError(`JSON has no ${typeof value}`);
  }
};

const object = (value: object, depth: number): string => {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member, depth)}`).join(',')}}`;
};
