import { once } from 'node:events';
import { chmodSync, lstatSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Config } from '#config';
import type { Clock } from '#kernel';
import { UnusableFile } from '#sqlite';
import type { Dependencies } from '../dependencies.js';
import { failureOf } from '../run-process.js';
import { VERSION } from '../version.js';
import { operate, type Operated, type Operation, OPERATIONS } from './operations.js';
import { type Answered, type Asked, socketFolder, socketPath } from './socket-place.js';

/** What one command may ask: bytes, ms until it has asked, and how many at a time. */
const LIMITS = { bytes: 262_144, patience: 10_000, connections: 4 } as const;

/** Runs for commands of the same user what changes the files that this server has; returns what ends that. */
export const serveOperator = async (
  config: Config,
  dependencies: Dependencies,
  logger: Logger,
): Promise<() => Promise<void>> => {
  const folder = ownFolder(config.dataDir);
  const { path, release } = socketPath(folder);
  const on: Operated = {
    config,
    ports: dependencies,
    dependencies: () => Promise.resolve(dependencies),
    progress: () => () => undefined,
  };
  const open = new Map<Socket, Promise<void> | null>();
  const server = createServer((socket) => {
    open.set(socket, null);
    socket.on('error', () => undefined); // a command that was ended
    socket.once('close', () => open.delete(socket));
    askedBy(socket, dependencies.clock, (line) => open.set(socket, answering(socket, line, on, logger)));
  });
  server.maxConnections = LIMITS.connections;
  try {
    rmSync(path, { force: true }); // of a server that was killed: whoever has the files is the only one
    await listening(server, path);
    chmodSync(path, 0o600);
  } catch (error) {
    release();
    throw error;
  }
  return async () => {
    const closed = once(server, 'close');
    server.close(); // which removes the socket
    for (const [socket, answer] of open) {
      if (answer === null) socket.destroy();
      else await answer;
    }
    await closed;
    release();
    removeEmpty(folder);
  };
};

/** The folder of the socket, for the user of this process alone. @throws UnusableFile: it is somebody else's, or none */
const ownFolder = (dataDir: string): string => {
  const folder = socketFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.geteuid?.())
    throw new UnusableFile(`${folder} is no folder of this user: remove it`);
  chmodSync(folder, 0o700);
  return folder;
};

/** A folder that somebody put something into, or has removed, is no reason why a server does not end well. */
const removeEmpty = (folder: string): void => {
  try {
    rmdirSync(folder);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code)) throw error;
  }
};

const listening = async (server: Server, path: string): Promise<void> => {
  server.listen(path);
  await once(server, 'listening');
};

/** Reads one line, of bounded length and in bounded time, or cuts the connection. */
const askedBy = (socket: Socket, clock: Clock, take: (line: string) => void): void => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const cancel = clock.after(LIMITS.patience, () => socket.destroy());
  socket.once('close', cancel);
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    const isWhole = chunk.at(-1) === 0x0a;
    if (bytes > LIMITS.bytes) socket.destroy();
    else if (isWhole) {
      cancel();
      socket.removeAllListeners('data').resume(); // whatever else comes is not read
      take(Buffer.concat(chunks).toString());
    }
  });
};

const answering = async (socket: Socket, line: string, on: Operated, logger: Logger): Promise<void> => {
  const answer = await answerTo(line, on, logger);
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    socket.write(`${JSON.stringify(answer)}\n`, () => resolve());
    socket.destroySoon(); // who never closes its end would keep a place, and the server from ending
    if (socket.destroyed) resolve();
  });
};

/** The log has the name of the command and how it ended: neither what was given nor what came of it, which may be secret. */
const answerTo = async (line: string, on: Operated, logger: Logger): Promise<Answered> => {
  try {
    const { operation, argument } = JSON.parse(line) as Asked;
    if (!isOperation(operation))
      throw new Error(`the server that runs, of version ${VERSION}, cannot do that: stop it first`);
    try {
      const result = await operate(operation, on, argument as never);
      logger.info({ operation }, 'command of an operator done');
      return { result: result ?? null };
    } catch (error) {
      logger.info({ operation, refused: (error as Partial<Error>).name }, 'command of an operator refused');
      throw error;
    }
  } catch (error) {
    return { failed: failureOf(error) };
  }
};

const isOperation = (name: unknown): name is Operation => typeof name === 'string' && Object.hasOwn(OPERATIONS, name);
