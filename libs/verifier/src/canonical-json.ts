/**
 * The canonical JSON of what JSON.parse gave (RFC 8785, JCS): members sorted by UTF-16 code units, no white space, numbers
 * and strings as ECMAScript writes them. Written apart from the program that is checked by it.
 *
 * @throws TypeError for what JSON cannot express
 */
export const canonicalJson = (value: unknown): string => {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('JSON has no such number');
      return JSON.stringify(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? `[${value.map(canonicalJson).join(',')}]` : object(value);
    default:
      throw new TypeError(`JSON has no ${typeof value}`);
  }
};

const object = (value: object): string => {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
};
