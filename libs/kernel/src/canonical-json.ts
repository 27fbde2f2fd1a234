/** Text that JSON has as it stands, between quotes: most of it. */
const PLAIN = /^[ !#-[\]-~]*$/;

const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

/** Canonical JSON (RFC 8785, JCS), without `undefined` members. @throws TypeError for what JSON cannot express */
export const canonicalJson = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = value as Readonly<Record<string, unknown>>;
    let json = '';
    for (const name of Object.keys(members).sort()) {
      const member = members[name];
      if (member !== undefined) json += `${json && ','}${quoted(name)}:${canonicalJson(member)}`;
    }
    return `{${json}}`;
  }
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return String(value);
  throw new TypeError(`not JSON: ${typeof value}`);
};
