import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** A password as it is stored: scrypt with its own salt and cost (RFC 7914 §2), so that the cost can rise later. */
export const storedPassword = z.object({
  salt: z.string(),
  hash: z.string(),
  cost: z.object({ N: z.int(), r: z.int(), p: z.int() }),
});
export type StoredPassword = z.infer<typeof storedPassword>;
type Cost = StoredPassword['cost'];

/** 32 MiB and about a fifth of a second of one core; OWASP's equivalent of N = 2^17, p = 1 with a quarter of its memory. */
const COST: Cost = { N: 2 ** 15, r: 8, p: 3 };
const LENGTH = 32;

/** Off the loop's thread. The form of the text does not matter: the same password typed on two keyboards is the same. */
const derive = (password: string, salt: Buffer, cost: Cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { ...cost, maxmem: 256 * cost.N * cost.r };
    scrypt(password.normalize('NFKC'), salt, LENGTH, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });

export const storedFrom = async (password: string): Promise<StoredPassword> => {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  return { salt: salt.toString('base64'), hash: key.toString('base64'), cost: COST };
};

/** A password nobody has: an unknown account is checked against it, and takes as long as a known one. */
const NOBODYS: StoredPassword = {
  salt: randomBytes(16).toString('base64'),
  hash: randomBytes(LENGTH).toString('base64'),
  cost: COST,
};

/** Whether `password` is the stored one; never for null, an account that is not there. */
export const isPassword = async (password: string, stored: StoredPassword | null): Promise<boolean> => {
  const { salt, hash, cost } = stored ?? NOBODYS;
  const key = await derive(password, Buffer.from(salt, 'base64'), cost);
  return timingSafeEqual(key, Buffer.from(hash, 'base64')) && stored !== null;
};
