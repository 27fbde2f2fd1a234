import { existsSync, readdirSync } from 'node:fs';
import { UnusableFile } from '#sqlite';

/** What is made is never mixed with what is there. @throws UnusableFile where a folder has anything in it */
export const refuseUnlessEmpty = (folder: string): void => {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new UnusableFile(`${folder} is not empty: name a new folder`);
};
