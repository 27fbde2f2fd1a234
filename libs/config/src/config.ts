import { randomBytes } from 'node:crypto';
import { z } from 'zod';

/** What the process was told by its environment, parsed once at start (conventions.md, 13). */
export interface Config {
  readonly production: boolean;
  /** Address and port the API listens on. */
  readonly host: string;
  readonly port: number;
  /** Public addresses; `followLoopback`: none was configured, so loopback names are answered under their own name. */
  readonly addresses: {
    readonly links: { readonly base: string; readonly site: string; readonly auth: string };
    readonly followLoopback: boolean;
  };
  /** Folder of the embedded stores. */
  readonly dataDir: string;
  /** Catalogue to import at start; null: the one that ships with the project. */
  readonly catalogFile: string | null;
  readonly logLevel: LogLevel;
  /** 32 bytes that encrypt the private signing keys at rest; null: they are stored in clear. */
  readonly keyEncryptionKey: Uint8Array | null;
  readonly pilot: { readonly clientId: string; readonly secret: string };
  /** Travellers that can log in from the first start on. */
  readonly travellers: readonly { readonly email: string; readonly password: string }[];
  /** Waiting times in milliseconds. */
  readonly times: {
    /** How long a checkout may hold seats and reserve money; afterwards the settler takes it up. */
    readonly hold: number;
    /** How long the processor may take to capture. */
    readonly charge: number;
    /** How long a challenge waits for its holder. */
    readonly challenge: number;
    /** How long the settler's lease lasts, and how often it looks for work. */
    readonly settlerLease: number;
    readonly settlerPause: number;
    /** How long a request with an `Idempotency-Key` may run before a retry takes over. */
    readonly idempotencyLease: number;
  };
  /** Bounds on what one agent may do; 0 = off. */
  readonly limits: {
    /** Refused cards in ten minutes, for a holder and client. */
    readonly refusedCards: number;
    /** Challenges of one holder that wait at once. */
    readonly openChallenges: number;
    /** Mandates that one agent of one holder has open at once. */
    readonly openMandates: number;
  };
}

export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A variable that is wrong or missing; the message names it. */
export class InvalidConfig extends Error {
  override readonly name = 'InvalidConfig';
}

const DEFAULT_SECRET = 'alcada-pilot-secret';
const DEFAULT_PASSWORD = 'alcada-demo';
const DEFAULT_TRAVELLERS = 'ana@example.com,bruno@example.com';

const url = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) address without a trailing slash, query or fragment' })
  .refine((text) => !/[?#]|\/$/.test(text), 'must be an http(s) address without a trailing slash, query or fragment');

const key = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, `must be 32 bytes in hexadecimal, such as ${randomBytes(32).toString('hex')}`)
  .transform((hex) => new Uint8Array(Buffer.from(hex, 'hex')));

/** A waiting time: seconds in the environment, milliseconds inside. */
const seconds = (standard: number) =>
  z.coerce
    .number('must be a number of seconds')
    .min(0.05, 'must be a number of seconds, at least 0.05')
    .default(standard)
    .transform((given) => given * 1_000);

const limit = (standard: number) =>
  z.coerce.number('must be a whole number; 0 = off').int('must be a whole number; 0 = off').min(0).default(standard);

const schema = z.object({
  NODE_ENV: z.string().optional(),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number('must be a port number').int().min(0).max(65_535).default(3000),
  SITE_URL: url.optional(),
  AUTH_URL: url.optional(),
  BASE_URL: url.optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  CATALOG_FILE: z.string().min(1).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  KEY_ENCRYPTION_KEY: key.optional(),
  PILOT_CLIENT_ID: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, hyphens or underscores')
    .default('alcada-pilot'),
  PILOT_CLIENT_SECRET: z.string().min(1).default(DEFAULT_SECRET),
  DEMO_TRAVELLERS: z.string().default(DEFAULT_TRAVELLERS),
  DEMO_PASSWORD: z.string().min(1).default(DEFAULT_PASSWORD),
  HOLD_SECONDS: seconds(60),
  CHARGE_SECONDS: seconds(30),
  CHALLENGE_SECONDS: seconds(600),
  SETTLER_LEASE_SECONDS: seconds(10),
  SETTLER_PAUSE_SECONDS: seconds(1),
  IDEMPOTENCY_LEASE_SECONDS: seconds(30),
  LIMIT_REFUSED_CARDS: limit(10),
  LIMIT_OPEN_CHALLENGES: limit(3),
  LIMIT_OPEN_MANDATES: limit(100),
});

/**
 * The configuration, from `environment`.
 *
 * @throws InvalidConfig naming each variable that is wrong and, in production, each default secret or account.
 */
export const readConfig = (environment: Readonly<Record<string, string | undefined>> = process.env): Config => {
  // An empty variable is an unset one, but for the list that may be empty.
  const given = Object.entries(environment).filter(([name, value]) => value !== '' || name === 'DEMO_TRAVELLERS');
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    throw new InvalidConfig(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
  }
  const { data } = parsed;
  const production = data.NODE_ENV === 'production';
  const emails = data.DEMO_TRAVELLERS.split(',')
    .map((email) => email.trim())
    .filter(Boolean);
  if (production) refuseDefaults(data, emails);
  const site = data.SITE_URL ?? `http://127.0.0.1:${data.PORT}`;
  return {
    production,
    host: data.HOST,
    port: data.PORT,
    addresses: {
      links: { site, auth: data.AUTH_URL ?? site, base: data.BASE_URL ?? `${site}/api/v1` },
      followLoopback: !data.SITE_URL && !data.AUTH_URL && !data.BASE_URL,
    },
    dataDir: data.DATA_DIR,
    catalogFile: data.CATALOG_FILE ?? null,
    logLevel: data.LOG_LEVEL,
    keyEncryptionKey: data.KEY_ENCRYPTION_KEY ?? null,
    pilot: { clientId: data.PILOT_CLIENT_ID, secret: data.PILOT_CLIENT_SECRET },
    travellers: emails.map((email) => ({ email, password: data.DEMO_PASSWORD })),
    times: {
      hold: data.HOLD_SECONDS,
      charge: data.CHARGE_SECONDS,
      challenge: data.CHALLENGE_SECONDS,
      settlerLease: data.SETTLER_LEASE_SECONDS,
      settlerPause: data.SETTLER_PAUSE_SECONDS,
      idempotencyLease: data.IDEMPOTENCY_LEASE_SECONDS,
    },
    limits: {
      refusedCards: data.LIMIT_REFUSED_CARDS,
      openChallenges: data.LIMIT_OPEN_CHALLENGES,
      openMandates: data.LIMIT_OPEN_MANDATES,
    },
  };
};

/** In production nothing that everybody knows lets anybody in (design.md §5, Fixed names). */
const refuseDefaults = (data: z.infer<typeof schema>, emails: readonly string[]): void => {
  const wrong = [
    data.PILOT_CLIENT_SECRET === DEFAULT_SECRET && 'PILOT_CLIENT_SECRET: the default secret is public; set another',
    emails.length > 0 &&
      data.DEMO_PASSWORD === DEFAULT_PASSWORD &&
      'DEMO_TRAVELLERS: the demo travellers have a public password; set DEMO_TRAVELLERS to nothing, or DEMO_PASSWORD',
    !data.KEY_ENCRYPTION_KEY && 'KEY_ENCRYPTION_KEY: required, to encrypt the signing keys at rest',
  ].filter((line) => line !== false);
  if (wrong.length > 0) throw new InvalidConfig(`refused in production:\n${wrong.join('\n')}`);
};
