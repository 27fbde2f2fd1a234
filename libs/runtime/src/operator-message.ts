import { InvalidCatalog } from '#catalog';
import { InvalidConfig } from '#config';
import { SealBroken, UnusableDatabase } from '#documents';
import { UnusableUrl } from '#event-store';
import { DemoLeftovers } from '#oauth';
import { AheadOfLog } from '#read-models';
import { UnusableFile } from '#sqlite';
import { StoreUnreachable } from './retry-until-available.js';

/** Exit code of a process that cannot run as it is configured (BSD sysexits). */
export const EX_CONFIG = 78;

/** Errors whose message is written for the operator. */
const OPERATOR_ERRORS = [
  InvalidConfig,
  InvalidCatalog,
  UnusableFile,
  UnusableUrl,
  StoreUnreachable,
  UnusableDatabase,
  AheadOfLog,
  DemoLeftovers,
  SealBroken,
];

/** What to do about an address that cannot be listened on, by the code of the operating system. */
const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is used by another process; stop it, or set PORT (METRICS_PORT)',
  EADDRNOTAVAIL: 'is not an address of this machine; set HOST (METRICS_HOST)',
  EACCES: 'may not be listened on by this user; set PORT (METRICS_PORT)',
};

/** The message of an error that the operator can do something about; null if the fault is ours. */
export const operatorMessage = (error: unknown): string | null => {
  if (OPERATOR_ERRORS.some((kind) => error instanceof kind)) return (error as Error).message;
  const { code, syscall, address, port } = (error ?? {}) as NodeJS.ErrnoException & { address?: string; port?: number };
  const advice = syscall === 'listen' && code !== undefined ? LISTEN_ERRORS[code] : undefined;
  return advice === undefined ? null : `${address ?? ''}:${port ?? ''} ${advice}`;
};
