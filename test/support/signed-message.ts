import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto';

/** A message as it arrived: its headers by lower case, and its body. */
export interface Arrived {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/**
 * What a signature of a message covers where a key of the profile there made it (RFC 9421), put together from what arrived
 * alone; null: it is none. `derived`: what of the message is in no header.
 */
export const coveredIn = async (
  { headers, text }: Arrived,
  derived: Readonly<Record<string, string>>,
  profile: string,
): Promise<readonly string[] | null> => {
  const { signing_keys: keys } = (await (await fetch(profile)).json()) as { signing_keys: readonly JsonWebKey[] };
  const [, input = '', names = '', kid = ''] =
    /^sig1=(\(([^)]*)\);.*keyid="([^"]+)".*)$/.exec(headers['signature-input'] ?? '') ?? [];
  const values = { ...headers, ...derived };
  const covered = names.replaceAll('"', '').split(' ');
  const digest = `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;
  const known = keys.find((one) => one['kid'] === kid);
  if (!known || headers['content-digest'] !== digest) return null;
  const lines = [...covered.map((name) => `"${name}": ${values[name] ?? ''}`), `"@signature-params": ${input}`];
  const key = createPublicKey({ key: known, format: 'jwk' });
  const bytes = Buffer.from((headers['signature'] ?? '').slice('sig1=:'.length, -1), 'base64');
  const isRight = verify('sha256', Buffer.from(lines.join('\n')), { key, dsaEncoding: 'ieee-p1363' }, bytes);
  return isRight ? covered : null;
};
