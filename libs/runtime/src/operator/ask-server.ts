import { lstatSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { Config } from '#config';
import { EX_CONFIG } from '../process-codes.js';
import { UnusableHere } from '../run-process.js';
import type { ArgumentOf, Operation, ResultOf } from './operations.js';
import { type Answered, OTHERS, socketFolder, socketPath } from './socket-place.js';

/** Has the server that has the files run an operation; null: none runs. @throws what failed, in its words; UnusableHere */
export const askServer = async <Name extends Operation>(
  { servers, dataDir }: Config,
  operation: Name,
  argument: ArgumentOf<Name>,
): Promise<{ readonly result: ResultOf<Name> } | null> => {
  if (servers !== null || !isThere(socketFolder(dataDir))) return null;
  const { path, release } = socketPath(socketFolder(dataDir));
  try {
    const socket = await connected(path);
    if (!socket) return null;
    const answer = await answerOf(socket, `${JSON.stringify({ operation, argument })}\n`);
    if (!('failed' in answer)) return answer as { readonly result: ResultOf<Name> };
    const { message, code } = answer.failed;
    throw code === EX_CONFIG ? new UnusableHere(message) : new Error(message);
  } finally {
    release();
  }
};

/** Whether there is a folder of a server of this very user, to whom alone a password may be given. @throws UnusableHere */
const isThere = (folder: string): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return false;
  if (found.isDirectory() && found.uid === process.geteuid?.() && (found.mode & OTHERS) === 0) return true;
  throw new UnusableHere(`${folder} is not this user's alone: run this as the user of the server`);
};

/** Null: nobody listens there, as after a kill. */
const connected = (path: string): Promise<Socket | null> =>
  new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket.removeAllListeners('error')));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(null);
      else reject(error);
    });
  });

const answerOf = (socket: Socket, line: string): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const fail = () =>
      reject(new Error('the server ended before it answered: look whether it was done, and run it again'));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', fail);
    socket.once('close', () => {
      const text = Buffer.concat(chunks).toString();
      if (text.endsWith('\n')) resolve(JSON.parse(text) as Answered);
      else fail();
    });
    socket.write(line);
  });
