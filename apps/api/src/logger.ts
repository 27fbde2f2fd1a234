import { masked } from '#config';
import { type Logger, pino } from 'pino';

/** What the log tells of an error: never its own fields, which may hold a request or a connection. */
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
 * The log: one JSON line an entry, on standard output. Requests are logged without headers, query or body
 * (libs/http); what could still slip into an entry by mistake is censored here.
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
