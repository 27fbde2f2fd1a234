import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { markIn, setMark, UnusableFile } from '#sqlite';
import { z } from 'zod';

/** The file of a data folder that carries the mark: it holds what must be in force in one place alone. */
const FILE = 'documents.db';

const folderMark = z.discriminatedUnion('kind', [
  /** It is a backup, made at `at`: `alcada restore` has not put it back. */
  z.object({ kind: z.literal('backup'), at: z.string() }),
  /** What was in it goes on elsewhere: `into` is the backup that it was moved with. */
  z.object({ kind: z.literal('moved'), at: z.string(), into: z.string() }),
]);

/** Why nothing may be written in a folder, though its files are sound. */
export type FolderMark = z.infer<typeof folderMark>;

/** The mark of a folder; null: it has none, or no documents. @throws UnusableFile where it is of a newer program */
export const folderMarkIn = (folder: string): FolderMark | null => {
  const path = join(folder, FILE);
  const text = existsSync(path) ? markIn(path) : null;
  if (text === null) return null;
  const { data } = folderMark.safeParse(jsonIn(text));
  if (!data)
    throw new UnusableFile(`${path} carries a mark that this program does not know: it is damaged, or of a newer one`);
  return data;
};

export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Marks a folder, or (null) takes its mark away. Nobody else has its documents open. */
export const markFolder = (folder: string, mark: FolderMark | null): void =>
  setMark(join(folder, FILE), mark && JSON.stringify(mark));

/** Refuses a folder copied by hand, where what ended would be in force again, or moved (docs/adr/0124). @throws UnusableFile */
export const refuseMarked = (dataDir: string): void => {
  const mark = folderMarkIn(dataDir);
  if (mark?.kind === 'backup')
    throw new UnusableFile(
      `${dataDir} holds a backup of ${mark.at}, which was copied and not restored: what was revoked since would be in force ` +
        'again. Set DATA_DIR to an empty folder, and run alcada restore with the backup (docs/operations.md, Back up)',
    );
  if (mark?.kind === 'moved')
    throw new UnusableFile(
      `${dataDir} was moved at ${mark.at} with alcada backup --move ${mark.into}, and goes on where that was restored. ` +
        'If it was never restored, do so: alcada restore keeps all of it (docs/operations.md, Moving)',
    );
};
