import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';
import { telemetryVariables } from './telemetry.js';

/** A variable that is wrong or missing; the message names it. */
export class InvalidConfig extends Error {
  override readonly name = 'InvalidConfig';
}

export const DEFAULT_SECRET = 'alcada-pilot-secret';
export const DEFAULT_PASSWORD = 'alcada-demo';
export const DEFAULT_TRAVELLERS = 'ana@example.com,bruno@example.com';
/** N = 2^15; with r = 8 and p = 3 what OWASP's Password Storage Cheat Sheet recommends. */
export const DEFAULT_PASSWORD_COST = 15;

const url = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) address without a trailing slash, query or fragment' })
  .refine((text) => !/[?#]|\/$/.test(text), 'must be an http(s) address without a trailing slash, query or fragment');

const key = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, `must be 32 bytes in hexadecimal, such as ${randomBytes(32).toString('hex')}`)
  .transform((hex) => new Uint8Array(Buffer.from(hex, 'hex')));

/** A waiting time: seconds in the environment, milliseconds inside. */
const seconds = (standard: number, atMost = Infinity) =>
  z.coerce
    .number('must be a number of seconds')
    .min(0.05, 'must be a number of seconds, at least 0.05')
    .max(atMost, `must be a number of seconds, at most ${atMost}`)
    .default(standard)
    .transform((given) => given * 1_000);

const GRACE = 'must be a number of seconds from 0 to 60';
/** Forgives a network that sends twice: off by default, and never long enough for a thief. */
const grace = z.coerce
  .number(GRACE)
  .min(0, GRACE)
  .max(60, GRACE)
  .default(0)
  .transform((given) => given * 1_000);

const limit = (standard: number) =>
  z.coerce.number('must be a whole number; 0 = off').int('must be a whole number; 0 = off').min(0).default(standard);

const passwordCost = z.coerce
  .number('must be a whole number from 10 to 20')
  .int('must be a whole number from 10 to 20')
  .min(10, 'must be a whole number from 10 to 20')
  .max(20, 'must be a whole number from 10 to 20')
  .default(DEFAULT_PASSWORD_COST);

const ORIGINS = 'must be origins such as https://app.example, comma-separated';
/** Origins of pages, as browsers send them (RFC 6454 §6.2). */
const origins = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .refine((all) => all.every((one) => URL.canParse(one) && new URL(one).origin === one), ORIGINS);

const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

/** An address, a network, or the name of one; never everybody, since a trusted proxy can claim any caller. */
const isProxy = (text: string): boolean => {
  if (PROXY_NAMES.includes(text)) return true;
  const [address = '', bits, ...more] = text.split('/');
  const most = { 4: 32, 6: 128 }[isIP(address)];
  const isNetwork = bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (most ?? 0));
  return most !== undefined && more.length === 0 && isNetwork;
};

const proxies = z
  .string()
  .refine(
    (text) => text === 'none' || text.split(',').every((one) => isProxy(one.trim())),
    `must be none, or addresses, networks such as 10.0.0.0/8, or ${PROXY_NAMES.join(', ')}, comma-separated`,
  );

/** The address of a server may hold credentials, so the message does not repeat it. */
const server = (form: RegExp, example: string) => z.string().regex(form, `must be an address such as ${example}`);

/** The variables that may hold a secret. Each may be given as a file: `<NAME>_FILE` names it. */
export const SECRET_VARIABLES = [
  'KEY_ENCRYPTION_KEY',
  'KEY_ENCRYPTION_KEY_PREVIOUS',
  'PILOT_CLIENT_SECRET',
  'DEMO_PASSWORD',
  'EVENTSTORE_URL',
  'MONGODB_URL',
  'SMTP_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;

const path = z.string().min(1).optional();

export const variables = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test'], 'must be production, development or test').optional(),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number('must be a port number').int().min(0).max(65_535).default(3000),
  SITE_URL: url.optional(),
  AUTH_URL: url.optional(),
  BASE_URL: url.optional(),
  MCP_ALLOWED_ORIGINS: origins.optional(),
  TRUST_PROXY: proxies.optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  EVENTSTORE_URL: server(/^(?:esdb|kurrentdb)(?:\+discover)?:\/\/[^\s/]/, 'esdb://localhost:2113?tls=false').optional(),
  EVENTSTORE_URL_FILE: path,
  EVENTSTORE_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/, 'must be 1 to 32 lower-case letters, digits or hyphens')
    .optional(),
  MONGODB_URL: server(/^mongodb(?:\+srv)?:\/\/[^\s/]/, 'mongodb://localhost:27017').optional(),
  MONGODB_URL_FILE: path,
  MONGODB_DATABASE: z
    .string()
    .regex(/^[\w-]{1,38}$/, 'must be 1 to 38 letters, digits, hyphens or underscores')
    .optional(),
  SMTP_URL: server(/^smtps?:\/\/[^\s/]/, 'smtps://user:password@mail.example:465').optional(),
  SMTP_URL_FILE: path,
  MAIL_FROM: z.email('must be an e-mail address').optional(),
  CATALOG_FILE: z.string().min(1).optional(),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  ALLOW_CLOCK_AHEAD: z.enum(['on', 'off'], 'must be on or off').default('off'),
  ALLOW_MIXED_DATA: z.enum(['on', 'off'], 'must be on or off').default('off'),
  KEY_ENCRYPTION_KEY: key.optional(),
  KEY_ENCRYPTION_KEY_FILE: path,
  KEY_ENCRYPTION_KEY_PREVIOUS: key.optional(),
  KEY_ENCRYPTION_KEY_PREVIOUS_FILE: path,
  PILOT_CLIENT_ID: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, hyphens or underscores')
    .default('alcada-pilot'),
  PILOT_CLIENT_SECRET: z.string().min(1).default(DEFAULT_SECRET),
  PILOT_CLIENT_SECRET_FILE: path,
  DEMO_TRAVELLERS: z.string().default(DEFAULT_TRAVELLERS),
  DEMO_PASSWORD: z.string().min(1).default(DEFAULT_PASSWORD),
  DEMO_PASSWORD_FILE: path,
  PASSWORD_COST: passwordCost,
  PRICE_PROMISE_SECONDS: seconds(1_800),
  HOLD_SECONDS: seconds(60),
  CHARGE_SECONDS: seconds(30, 60), // a narrowed mandate ends a minute later at the earliest (docs/consistency.md, rule 29)
  CHALLENGE_SECONDS: seconds(600),
  RECOVERY_LEASE_SECONDS: seconds(8),
  RECOVERY_PAUSE_SECONDS: seconds(1),
  PROJECTION_LEASE_SECONDS: seconds(6),
  IDEMPOTENCY_LEASE_SECONDS: seconds(30),
  TLOG_INTERVAL: seconds(1),
  TLOG_ORIGIN: z
    .string()
    .regex(/^[^\s+]{1,200}$/, 'must be a name such as voos.example/tlog, without spaces and plus signs')
    .optional(),
  TLOG_WITNESSES: z.string().min(1).optional(),
  HEADERS_SECONDS: seconds(10),
  REQUEST_SECONDS: seconds(30),
  IDLE_SECONDS: seconds(72),
  REFRESH_REUSE_GRACE_SECONDS: grace,
  PLAYGROUND: z.enum(['on', 'off'], 'must be on or off').optional(),
  UCP: z.enum(['on', 'off'], 'must be on or off').optional(),
  UCP_NAMESPACE: z
    .string()
    .regex(/^[a-z][a-z0-9]*(\.[a-z][a-z0-9_]*)+$/, 'must be a domain of yours in reverse, such as com.example')
    .optional(),
  UCP_AP2: z.enum(['on', 'off'], 'must be on or off').default('off'),
  UCP_PLATFORMS: z.string().min(1).optional(),
  CIMD: z.enum(['on', 'off'], 'must be on or off').optional(),
  DCR: z.enum(['on', 'off'], 'must be on or off').optional(),
  MANDATES: z.enum(['agent', 'ask'], 'must be agent or ask').default('agent'),
  DPOP: z.enum(['optional', 'required'], 'must be optional or required').default('optional'),
  AGENT_TRAFFIC: z.enum(['on', 'off'], 'must be on or off').default('on'),
  LIMIT_REFUSED_CARDS: limit(10),
  LIMIT_OPEN_CHALLENGES: limit(3),
  LIMIT_OPEN_MANDATES: limit(100),
  LIMIT_PUBLIC_READS: limit(6_000),
  LIMIT_OPERATIONS: limit(6_000),
  LIMIT_FORM_POSTS: limit(120),
  LIMIT_AUTHORIZATIONS: limit(60),
  LIMIT_REGISTRATIONS: limit(20),
  LIMIT_TOKEN_REQUESTS: limit(300),
  LIMIT_CONNECTIONS: limit(800),
  LIMIT_CONNECTIONS_BY_ADDRESS: limit(200),
  LIMIT_CLIENT_FAILURES: limit(10),
  LIMIT_LOGINS: limit(60),
  LIMIT_LOGIN_FAILURES: limit(5),
  ...telemetryVariables,
});

export type Variables = z.infer<typeof variables>;
