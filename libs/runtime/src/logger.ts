import type { LoggerService } from '@nestjs/common';
import { masked } from '#config';
import { type Logger, pino } from 'pino';

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
export const createLogger = (level: string): Logger =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorSerializer, req: ({ id }: { id: string }) => ({ id }), res: () => undefined },
    redact: {
      paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      censor: '***',
    },
  });

const SECRETS = [
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
];

/** Nest's own messages, in the same log. */
export const nestLogger = (logger: Logger): LoggerService => ({
  log: (message: unknown) => logger.debug(String(message)),
  error: (message: unknown, ...more: readonly unknown[]) => logger.error({ err: more[0] }, String(message)),
  warn: (message: unknown) => logger.warn(String(message)),
});
