import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'alcada-test-'));

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

/** A folder that is there while the cases of a file run. `end`: ends what still uses it. */
export const ownFolder = (end?: () => unknown): string => {
  const folder = join(tmpdir(), `alcada-test-${randomBytes(6).toString('hex')}`);
  beforeAll(() => mkdir(folder, { mode: 0o700 }));
  afterAll(async () => {
    await end?.();
    await removeFolder(folder);
  });
  return folder;
};

/** Makes folders below one that is there while the cases of a file run. */
export const ownFolders = (): (() => string) => {
  const folder = ownFolder();
  return () => mkdtempSync(join(folder, 'case-'));
};
