import type { LoggerService } from '@nestjs/common';
import { masked } from '#config';
import { nextTurn } from '#kernel';
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

/** The log: JSON lines on standard output. Secrets that get into an entry by mistake are censored. */
export const createLogger = (level: string, destination: DestinationStream = standardOutput()): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: timeOfEntries(),
      serializers: SERIALIZERS,
      formatters: { log: (entry) => censored(entry, LEVELS) },
    },
    destination,
  );

/** Writes what comes in one turn of the event loop at its end, in one piece. `flush`: writes it now. */
export const byTurns = (write: (text: string) => void): DestinationStream & { readonly flush: () => void } => {
  let text = '';
  const flush = (): void => {
    const lines = text;
    text = '';
    if (lines !== '') write(lines);
  };
  return {
    write: (line) => {
      if (text === '') void nextTurn().then(flush);
      text += line;
    },
    flush,
  };
};

let opened: DestinationStream | null = null;

/** Standard output of this process, however many logs there are. What was logged last is written before the process ends. */
const standardOutput = (): DestinationStream => {
  if (opened) return opened;
  const output = pino.destination(1);
  const lines = byTurns((text) => output.write(text));
  process.on('exit', lines.flush);
  return (opened = lines);
};

/** The member of an entry that says when it was made (RFC 3339). Many are made in a millisecond, which is written once. */
const timeOfEntries = (): (() => string) => {
  const { epochTime, isoTime } = pino.stdTimeFunctions;
  let last = { millisecond: '', member: '' };
  return () => {
    const millisecond = epochTime();
    if (millisecond !== last.millisecond) last = { millisecond, member: isoTime() };
    return last.member;
  };
};

const SERIALIZERS = { err: errorSerializer, req: ({ id }: { id: string }) => ({ id }), res: () => undefined };

/** How deep an entry is looked through for secrets. */
const LEVELS = 3;

/** An entry with the members named like secrets censored: pino's own redaction takes ten times the rest of the line. */
const censored = <Entry extends object>(entry: Entry, levels: number): Entry => {
  const changed: Record<string, unknown> = {};
  let isChanged = false;
  for (const name of Object.keys(entry)) {
    const value: unknown = entry[name as keyof Entry];
    const shown = SECRETS.has(name) ? '***' : levels > 1 && isOpen(name, value) ? censored(value, levels - 1) : value;
    if (shown === value) continue;
    changed[name] = shown;
    isChanged = true;
  }
  return isChanged ? (Object.assign(Array.isArray(entry) ? [...entry] : { ...entry }, changed) as Entry) : entry;
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

/** What Nest says of an address that cannot be listened on: the end of the start says it, with what to do. */
const NOT_LISTENING = /^Error: (?:listen|getaddrinfo) E/;

export const nestLogger = (logger: Logger): LoggerService => ({
  log: (message: unknown) => logger.debug(String(message)),
  error: (message: unknown, ...more: readonly unknown[]) => {
    if (!NOT_LISTENING.test(String(message))) logger.error({ err: more[0] }, String(message));
  },
  warn: (message: unknown) => logger.warn(String(message)),
});
