import { scrypt, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { secretBytes } from '../secrets.js';

/** What scrypt is asked for (RFC 7914 §2). One guess needs 128 · N · r bytes. */
const scryptCost = z.object({ N: z.int(), r: z.int(), p: z.int() });
export type PasswordCost = z.infer<typeof scryptCost>;

/** A password as it is stored: its hash with its own salt and cost, so that the cost can change later. */
export const storedPassword = z.object({ salt: z.string(), hash: z.string(), cost: scryptCost });
export type StoredPassword = z.infer<typeof storedPassword>;

const LENGTH = 32;

/** Off the loop's thread. The form of the text does not matter: the same password typed on two keyboards is the same. */
const derive = (password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { ...cost, maxmem: 256 * cost.N * cost.r };
    scrypt(password.normalize('NFKC'), salt, LENGTH, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });

export const storedFrom = async (password: string, cost: PasswordCost): Promise<StoredPassword> => {
  const salt = secretBytes(16);
  const key = await derive(password, salt, cost);
  return { salt: salt.toString('base64'), hash: key.toString('base64'), cost };
};

/** A password nobody has: an unknown account is checked against it, and takes as long as a known one. */
export const nobodysPassword = (cost: PasswordCost): StoredPassword => ({
  salt: secretBytes(16).toString('base64'),
  hash: secretBytes(LENGTH).toString('base64'),
  cost,
});

/** Whether `password` is the stored one. */
export const isPassword = async (password: string, { salt, hash, cost }: StoredPassword): Promise<boolean> => {
  const key = await derive(password, Buffer.from(salt, 'base64'), cost);
  return timingSafeEqual(key, Buffer.from(hash, 'base64'));
};
