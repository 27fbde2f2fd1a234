import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { UnusableFile } from '#sqlite';

/** The folder in DATA_DIR with the socket by which commands reach the server that has its files. */
export const socketFolder = (dataDir: string): string => join(dataDir, 'operator');

/** What its mode lets others do but its owner. */
export const OTHERS = 0o077;

/** How many bytes the address of a socket may have on every system (`sun_path`: 104 with the byte at its end, Linux 108). */
const LONGEST = 103;

/** By which path the socket is bound and reached, and what lets go of it. */
export interface SocketPath {
  readonly path: string;
  readonly release: () => void;
}

/** A path that is too long leads through the open folder where the system can do that. @throws UnusableFile */
export const socketPath = (folder: string): SocketPath => {
  const path = join(folder, 'socket');
  if (Buffer.byteLength(path) <= LONGEST) return { path, release: () => undefined };
  if (process.platform !== 'linux')
    throw new UnusableFile(`${path} is too long for a socket: give DATA_DIR a shorter path`);
  const open = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  return { path: `/proc/self/fd/${open}/socket`, release: () => closeSync(open) };
};

/** What is said over the socket, a line of JSON each way. */
export interface Asked {
  readonly operation: string;
  readonly argument: unknown;
}

/** `code`: the exit code of the command. */
export type Answered =
  { readonly result: unknown } | { readonly failed: { readonly message: string; readonly code: number } };
