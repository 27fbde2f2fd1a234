import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';

export type Environment = Readonly<Record<string, string>>;

const { EVENTSTORE_URL, MONGODB_URL } = process.env;
/** What the names of this run begin with, so that it can be repeated on the same servers. */
const RUN = randomBytes(4).toString('hex');

const areServersGiven = !!EVENTSTORE_URL && !!MONGODB_URL;
let isEmbedded = !areServersGiven;

/** Keeps the cases of a file on embedded stores, also beside servers. @param _why what they need of those */
export const stayEmbedded = (_why: string): void => {
  isEmbedded = true;
  afterAll(() => {
    isEmbedded = !areServersGiven; // this module stays for the files after it
  });
};

export const areServersUsed = (): boolean => !isEmbedded;

/** Variables that lead a process to the files of `folder`, or to streams and a database of its own on the servers. */
export const storesOf = (folder: string): Environment => {
  if (isEmbedded || !EVENTSTORE_URL || !MONGODB_URL) return { DATA_DIR: folder };
  const name = `t-${RUN}-${Buffer.from(basename(folder).slice(-6)).toString('hex')}`;
  return { EVENTSTORE_URL, MONGODB_URL, EVENTSTORE_NAMESPACE: name, MONGODB_DATABASE: `alcada-${name}` };
};
