import type { LoggerService } from '@nestjs/common';
import { masked } from '#config';
import { type DestinationStream, type Logger, pino } from 'pino';

/** An error without fields of its own, which may hold a request or a connection. */
const errorSerializer = (error: unknown): unknown => {
  if (!(error instanceof Error)) return { message: masked(String(error)) };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message: masked(message),
    stack: masked(stack ?? ''),
    ...(cause !== undefined && { cause: errorSerializer(cause) }),
  };
};

/**
 * The log: one line of JSON for each entry, on standard output. Requests are logged without headers, query or body
 * (libs/http); secrets that could still get into an entry by mistake are censored here.
 */
export const createLogger = (level: string, destination: DestinationStream = pino.destination(1)): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: SERIALIZERS,
      formatters: { log: (entry) => censored(entry, LEVELS) },
    },
    destination,
  );

const SERIALIZERS = { err: errorSerializer, req: ({ id }: { id: string }) => ({ id }), res: () => undefined };

/** How deep an entry is looked through for secrets. */
const LEVELS = 3;

/**
 * An entry in which the members named like secrets are censored; it is copied only where there are any. pino's own
 * redaction takes 20 µs a line for as many names and levels, ten times the rest of the line.
 */
const censored = <Entry extends object>(entry: Entry, levels: number): Entry => {
  const changed = Object.entries(entry).flatMap(([name, value]: [string, unknown]) => {
    const shown = SECRETS.has(name) ? '***' : levels > 1 && isOpen(name, value) ? censored(value, levels - 1) : value;
    return shown === value ? [] : [[name, shown] as const];
  });
  if (changed.length === 0) return entry;
  return Object.assign(Array.isArray(entry) ? [...entry] : { ...entry }, Object.fromEntries(changed)) as Entry;
};

/** Whether a member is written as it stands, and not by a serializer. */
const isOpen = (name: string, value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Error) && !(name in SERIALIZERS);

const SECRETS = new Set([
  'authorization',
  'cookie',
  'password',
  'cardNumber',
  'cvc',
  'expiry',
  'token',
  'access_token',
  'refresh_token',
  'client_secret',
  'code',
  'code_verifier',
]);

/** Nest's own messages, in the same log. */
export const nestLogger = (logger: Logger): LoggerService => ({
  log: (message: unknown) => logger.debug(String(message)),
  error: (message: unknown, ...more: readonly unknown[]) => logger.error({ err: more[0] }, String(message)),
  warn: (message: unknown) => logger.warn(String(message)),
});
