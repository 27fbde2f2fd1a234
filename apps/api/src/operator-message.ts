import { InvalidCatalog } from '#catalog';
import { InvalidConfig } from '#config';
import { SealBroken, UnusableDatabase } from '#documents';
import { UnusableUrl } from '#event-store';
import { DemoLeftovers } from '#oauth';
import { AheadOfLog } from '#read-models';
import { UnusableFile } from '#sqlite';
import { StoreUnreachable } from './retry-until-available.js';

const TOLD = [
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

/** What the operating system says of an address that cannot be listened on. */
const LISTENING: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is used by another process; stop it, or set PORT (METRICS_PORT)',
  EADDRNOTAVAIL: 'is not an address of this machine; set HOST (METRICS_HOST)',
  EACCES: 'may not be listened on by this user; set PORT (METRICS_PORT)',
};

/** What an operator has to know of a start that failed by what they can change; null where it is a fault of ours. */
export const operatorMessage = (error: unknown): string | null => {
  if (TOLD.some((kind) => error instanceof kind)) return (error as Error).message;
  const { code, syscall, address, port } = (error ?? {}) as NodeJS.ErrnoException & { address?: string; port?: number };
  const told = syscall === 'listen' && code !== undefined ? LISTENING[code] : undefined;
  return told === undefined ? null : `${address ?? ''}:${port ?? ''} ${told}`;
};
