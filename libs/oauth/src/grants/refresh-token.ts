import type { Instant } from '#kernel';
import { hashOf, newSecret, hmacOf, sameSecret } from '#identity';
import type { Grant } from './grants.js';

/** `<grant id>.<256 random bits>.<proof>`: the proof sets a used token, which ends the family, apart from an invented one. */
export const newRefreshToken = (grantId: string, { refreshKey }: Grant): string => {
  const secret = newSecret();
  return `${grantId}.${secret}.${hmacOf(refreshKey, secret)}`;
};

export const grantIdIn = (refreshToken: string): string => refreshToken.split('.', 1)[0] ?? '';

/** Whether a refresh token was issued under this grant, now or earlier. */
export const wasIssuedUnder = (refreshToken: string, { refreshKey }: Grant): boolean => {
  const [, secret, proof, ...more] = refreshToken.split('.');
  return (
    secret !== undefined && proof !== undefined && more.length === 0 && sameSecret(proof, hmacOf(refreshKey, secret))
  );
};

/** Whether it is the last token issued under this grant. It may have expired. */
export const isNewest = (refreshToken: string, { refreshHash }: Grant): boolean =>
  refreshHash !== null && sameSecret(refreshHash, hashOf(refreshToken));

/** Whether the last token issued under this grant is unexpired at `now`. */
export const isUnexpired = ({ refreshExpiresAt }: Grant, now: Instant): boolean =>
  refreshExpiresAt !== null && now < refreshExpiresAt;
