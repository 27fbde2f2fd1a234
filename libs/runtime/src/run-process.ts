import { constants } from 'node:os';
import type { Logger } from 'pino';
import { type Clock, STOP_LIMIT, SystemClock, Unavailable } from '#kernel';
import { InvalidCatalog } from '#catalog';
import { type Config, InvalidConfig, nearMisses, readConfig } from '#config';
import { CorruptDocument, SealBroken, UnusableDatabase } from '#documents';
import { StreamDamaged, UnusableUrl } from '#event-store';
import { DefaultCredentialsRefused } from '#oauth';
import { AheadOfLog, ProjectionStopped } from '#read-models';
import { UnusableFile } from '#sqlite';
import { LogHalfBegun, LogNotAsSealed } from '#transparency';
import { createLogger } from './logger.js';
import { ClockBehindLog, StoreUnreachable } from './ports.js';
import { EX_CONFIG, EX_USAGE, OWNER_ONLY } from './process-codes.js';
import { VERSION } from './version.js';

/** A second signal this soon (ms) after the first is the same one: npm passes on what the terminal sends to both. */
const SAME_SIGNAL = 500;

interface Running {
  /** Finishes what runs and closes the stores. */
  readonly stop: () => Promise<void>;
}

/** Runs a service until a signal ends it: configuration, start, `banner`. A failed start ends it with a message. */
export const runProcess = async <Service extends Running>(
  start: (config: Config, logger: Logger) => Promise<Service>,
  banner: (config: Config, service: Service) => string,
): Promise<void> => {
  process.umask(OWNER_ONLY);
  const said = saidTo(process.argv.slice(2));
  if (said) {
    process.stdout.write(said.stdout);
    process.stderr.write(said.stderr);
    process.exitCode = said.code;
    return;
  }
  try {
    const warning = nearMisses();
    if (warning !== null) process.stderr.write(`${warning}\n`);
    const config = readConfig();
    const logger = createLogger(config.logLevel);
    const stopWith = endBySignal(logger, new SystemClock());
    const service = await start(config, logger);
    stopWith(service.stop);
    // A reader of this may end the process at once.
    process.stderr.write(banner(config, service));
  } catch (error) {
    exitOnFailedStart(error);
  }
};

/** Ends this process on SIGTERM and SIGINT, once `stop` is done or late; a second one at once. Returns what sets `stop`. */
const endBySignal = (logger: Logger, clock: Clock): ((stop: () => Promise<void>) => void) => {
  let stop = (): Promise<void> => Promise.resolve();
  let stoppingSince: number | null = null;
  const end = (signal: 'SIGTERM' | 'SIGINT'): void => {
    if (stoppingSince !== null) {
      if (clock.monotonic() - stoppingSince > SAME_SIGNAL) process.exit(128 + constants.signals[signal]);
      return;
    }
    stoppingSince = clock.monotonic();
    logger.info({ signal }, 'stopping');
    clock.after(STOP_LIMIT, () => {
      logger.error('stopped before everything was finished');
      process.exit(1);
    });
    stop().then(
      () => {
        logger.info('stopped');
        process.exit(0);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  return (newStop) => (stop = newStop);
};

/** Says why the process cannot start and ends it: with what the operator can change, or else with the stack of the fault. */
const exitOnFailedStart = (error: unknown): never => {
  const message = operatorMessage(error);
  const fault = error instanceof Error ? error.stack : String(error);
  process.stderr.write(`alcada cannot start: ${message ?? fault ?? ''}\n`);
  process.exit(message === null ? 1 : EX_CONFIG);
};

/** Ends a process with damaged data, as a kill would: nothing returned is lost, and nothing wrong is returned. */
export const endDamaged = (logger: Logger, damage: string): never => {
  logger.fatal(damage);
  process.stderr.write(`alcada cannot go on: ${damage}\n`);
  process.exit(EX_CONFIG);
};

/** A command does not fit how the program is configured. The message says what does. */
export class UnusableHere extends Error {
  override readonly name = 'UnusableHere';
}

const OPERATOR_ERRORS = [
  InvalidConfig,
  InvalidCatalog,
  UnusableFile,
  StoreUnreachable,
  ClockBehindLog,
  AheadOfLog,
  LogNotAsSealed,
  LogHalfBegun,
  DefaultCredentialsRefused,
  SealBroken,
  UnusableHere,
];

/** What to do about an address that cannot be listened on, by the code of the operating system. */
const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is used by another process; stop it, or set PORT (METRICS_PORT)',
  EADDRNOTAVAIL: 'is not an address of this machine; set HOST (METRICS_HOST)',
  EACCES: 'may not be listened on by this user; set PORT (METRICS_PORT)',
};

/** How SQLite says that a file is not what it wrote. */
const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB)/;

/** What an error says of data that are damaged or cannot be read, with where to read on; null where it is about something else. */
export const damageMessage = (error: unknown): string | null => {
  if (error instanceof StreamDamaged) return error.message;
  if (error instanceof ProjectionStopped) return `${error.message} (docs/operations.md, Events that cannot be read)`;
  const { code, message } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  const isDamage = error instanceof CorruptDocument || (typeof code === 'string' && DAMAGE.test(code));
  return isDamage ? `the data cannot be read: ${message ?? ''} (docs/operations.md, Damaged data)` : null;
};

/** The message of an error that the operator can do something about; null if the fault is ours. */
export const operatorMessage = (error: unknown): string | null => {
  const damage = damageMessage(error);
  if (damage !== null) return damage;
  if (OPERATOR_ERRORS.some((kind) => error instanceof kind)) return (error as Error).message;
  if (error instanceof UnusableUrl) return `EVENTSTORE_URL: ${error.message}`;
  if (error instanceof UnusableDatabase) return `MONGODB_URL: ${error.message}`;
  if (error instanceof Unavailable) return `a store went away: ${error.message}; look whether it runs, and start again`;
  return listenMessage((error ?? {}) as ListenError);
};

/** How a command says that it failed, and its exit code: whether it ran by itself, or a server for it. */
export const failureOf = (error: unknown): { readonly message: string; readonly code: number } => ({
  message: damageMessage(error) ?? (error instanceof Error ? error.message : String(error)),
  code: operatorMessage(error) === null ? 1 : EX_CONFIG,
});

type ListenError = NodeJS.ErrnoException & { address?: string; hostname?: string; port?: number };

const listenMessage = ({ code, syscall, address = '', hostname, port }: ListenError): string | null => {
  if (syscall === 'getaddrinfo') return `${hostname ?? ''} has no address that is known here; set HOST (METRICS_HOST)`;
  const advice = syscall === 'listen' && code !== undefined ? LISTEN_ERRORS[code] : undefined;
  const place = port === undefined ? address : `${address}:${port}`;
  return advice === undefined ? null : `${place} ${advice}`;
};

/** What is said of a command line, and the exit code that goes with it. */
export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a process of the service says to its arguments, of which it takes none; null: it has none. */
export const saidTo = ([first]: readonly string[]): Said | null => {
  if (first === undefined) return null;
  if (['--version', '-V'].includes(first)) return { code: 0, stdout: `${VERSION}\n`, stderr: '' };
  if (['--help', '-h'].includes(first)) return { code: 0, stdout: USAGE, stderr: '' };
  return { code: EX_USAGE, stdout: '', stderr: `alcada cannot start: it takes no argument ${first}\n\n${USAGE}` };
};

const USAGE = `Usage: npm start                     serve until Ctrl-C
       npm start -- --version        print the version

It is configured by environment variables alone, such as PORT=3100 DATA_DIR=./data npm start; .env.example and
docs/configuration.md have all of them. Commands for operators: npm run --silent alcada -- --help
`;
