import { join } from 'node:path';

/** The folder that these tests were built in, with the program that they test. */
const FOLDER = join(import.meta.dirname, '../..');

/** Where a module of it is: `dist` may lead to a build of other sources by now. */
export const built = (path: string): string => join(FOLDER, path);
