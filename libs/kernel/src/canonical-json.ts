/**
 * The canonical JSON of a value (RFC 8785, JCS): members sorted by UTF-16 code units, no white space, numbers and
 * strings as ECMAScript writes them. Members that are `undefined` are left out, as in `JSON.stringify`.
 *
 * @throws TypeError for what JSON cannot say: NaN, Infinity, bigint, functions.
 */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  const isJson = value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
  if (!isJson) throw new TypeError(`not JSON: ${typeof value}`);
  return JSON.stringify(value);
};
