import { hash } from 'node:crypto';

const MEMBER = /(?:^|,)\s*sha-(256|512)=:([A-Za-z0-9+/]+={0,2}):/g;

/**
 * Whether a body is the one of its `Content-Digest` (RFC 9530 §2): each digest in it that is of an active algorithm is the
 * body's, and there is one.
 */
export const isDigestOf = (header: string | string[] | undefined, body: string): boolean => {
  const digests = [...String(header ?? '').matchAll(MEMBER)];
  return digests.length > 0 && digests.every(([, bits = '', digest]) => hash(`sha${bits}`, body, 'base64') === digest);
};
