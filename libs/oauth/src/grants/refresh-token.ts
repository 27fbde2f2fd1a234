import type { Instant } from '#kernel';
import { hashOf, newSecret, hmacOf, sameSecret } from '#identity';
import type { Grant } from './grants.js';

/**
 * A refresh token: `<grant id>.<256 random bits>.<proof>`. The proof, made with the grant's own key, tells a token that
 * was once issued under the grant (its use after rotation revokes the family) from one that somebody made up who merely
 * knows the grant's id (which must not). What is good is only the one whose hash the grant holds.
 */
export const newRefreshToken = (grantId: string, { refreshKey }: Grant): string => {
  const secret = newSecret();
  return `${grantId}.${secret}.${hmacOf(refreshKey, secret)}`;
};

/** The id of the grant a refresh token says it belongs to. */
export const grantIdIn = (refreshToken: string): string => refreshToken.split('.', 1)[0] ?? '';

/** Whether a refresh token was issued under this grant, now or earlier. */
export const wasIssuedUnder = (refreshToken: string, { refreshKey }: Grant): boolean => {
  const [, secret, proof, ...more] = refreshToken.split('.');
  return (
    secret !== undefined && proof !== undefined && more.length === 0 && sameSecret(proof, hmacOf(refreshKey, secret))
  );
};

/** Whether it is the last one issued under this grant; it may have expired. */
export const isNewest = (refreshToken: string, { refreshHash }: Grant): boolean =>
  refreshHash !== null && sameSecret(refreshHash, hashOf(refreshToken));

/** Whether the last one issued under this grant is good at `now`. */
export const isUnexpired = ({ refreshExpiresAt }: Grant, now: Instant): boolean =>
  refreshExpiresAt !== null && now < refreshExpiresAt;
