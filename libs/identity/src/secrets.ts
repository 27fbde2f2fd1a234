import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Random bytes that nobody can guess: the only source of everything that must stay secret. */
export const secretBytes = (length: number): Buffer => randomBytes(length);

/** 256 random bits, or as many bytes as asked for, as URL-safe characters: codes, refresh tokens, session ids. */
export const newSecret = (bytes = 32): string => secretBytes(bytes).toString('base64url');

/** The SHA-256 of a secret, which is stored in its place. That is enough for random secrets; a password needs scrypt. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** HMAC-SHA-256: proves that somebody who knows `key` produced `message`. */
export const hmacOf = (key: string, message: string): string =>
  createHmac('sha256', key).update(message).digest('base64url');

/** Whether two texts are equal, compared in a time that does not reveal where they differ. */
export const sameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)));
