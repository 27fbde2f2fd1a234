import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Random bytes that nobody can guess: the one source of all that must stay secret. */
export const secretBytes = (length: number): Buffer => randomBytes(length);

/** 256 random bits, or as many bytes as asked for, as URL-safe characters: codes, refresh tokens, session ids. */
export const newSecret = (bytes = 32): string => secretBytes(bytes).toString('base64url');

/** What is stored of a secret: its SHA-256. Enough for what is random; a password needs scrypt. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Proof that whoever knows `key` meant `message`: HMAC-SHA-256. */
export const hmacOf = (key: string, message: string): string =>
  createHmac('sha256', key).update(message).digest('base64url');

/** Whether two texts are the same, in a time that does not tell where they differ. */
export const sameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)));
