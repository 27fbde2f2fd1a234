/** What an operator can do something about, by the code of the operating system. */
const TROUBLES: ReadonlyMap<unknown, string> = new Map([
  ['EACCES', 'this user may not use it'],
  ['EPERM', 'this user may not use it'],
  ['EROFS', 'it lies where nothing can be written'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'this user may not use more of the disk'],
  ['ENOENT', 'it is not there'],
  ['ENOTDIR', 'a part of its path is a file'],
  ['EISDIR', 'it is a folder'],
  ['ENAMETOOLONG', 'its path is too long'],
]);

/** Why a file cannot be used, for people, with the system's code; null: `error` is about something else. */
export const fileTrouble = (error: unknown): string | null => {
  const { code } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  const known = TROUBLES.get(code);
  return known === undefined ? null : `${known} (${code ?? ''})`;
};
