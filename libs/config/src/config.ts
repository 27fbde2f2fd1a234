import type { z } from 'zod';
import { telemetryOf } from './telemetry.js';
import {
  DEFAULT_PASSWORD,
  DEFAULT_PASSWORD_COST,
  DEFAULT_SECRET,
  DEFAULT_TRAVELLERS,
  InvalidConfig,
  type Variables,
  variables,
} from './variables.js';

/** The configuration of a process, parsed once at start. Times are in milliseconds; a limit of 0 is none. */
export type Config = z.infer<typeof config>;

/**
 * The configuration, from `environment`.
 *
 * @throws InvalidConfig naming each variable that is wrong and, in production, each default secret or account.
 */
export const readConfig = (environment: Readonly<Record<string, string | undefined>> = process.env): Config => {
  // An empty variable counts as unset, except for the list that may be empty.
  const given = Object.entries(environment).filter(([name, value]) => value !== '' || name === 'DEMO_TRAVELLERS');
  const { data, error } = config.safeParse(Object.fromEntries(given));
  if (error) {
    throw new InvalidConfig(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
  }
  return data;
};

const config = variables.transform((data) => {
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
      urls: { site, auth: data.AUTH_URL ?? site, base: data.BASE_URL ?? `${site}/api/v1` },
      /** No address was configured, so a request to a loopback name is answered with links to that name. */
      followLoopback: !data.SITE_URL && !data.AUTH_URL && !data.BASE_URL,
    },
    /** The proxies whose `X-Forwarded-For` is believed: addresses and networks, comma-separated; null: none. */
    trustProxy: data.TRUST_PROXY ?? null,
    /** Origins beside our own whose pages may call the MCP endpoint. */
    mcpAllowedOrigins: data.MCP_ALLOWED_ORIGINS ?? [],
    /** Folder of the embedded stores. */
    dataDir: data.DATA_DIR,
    /** The servers used in their place; null: embedded. */
    servers: serversOf(data),
    /** The catalogue to import at start; null: the one that ships with the project. */
    catalogFile: data.CATALOG_FILE ?? null,
    logLevel: data.LOG_LEVEL,
    /** 32 bytes that encrypt the service's own keys and secrets at rest; null: they are stored in clear. */
    keyEncryptionKey: data.KEY_ENCRYPTION_KEY ?? null,
    pilot: { clientId: data.PILOT_CLIENT_ID, secret: data.PILOT_CLIENT_SECRET },
    /** Public credentials that production must not find in its stores; null outside production. */
    publicDefaults: production
      ? { secret: DEFAULT_SECRET, password: DEFAULT_PASSWORD, emails: DEFAULT_TRAVELLERS.split(',') }
      : null,
    /** Travellers who can log in from the first start on. */
    travellers: emails.map((email) => ({ email, password: data.DEMO_PASSWORD })),
    playground: data.PLAYGROUND === undefined ? !production : data.PLAYGROUND === 'on',
    /** Whether this process counts the calls of agents. */
    countsTraffic: data.AGENT_TRAFFIC === 'on',
    /** log2 of scrypt's N. */
    passwordCost: data.PASSWORD_COST,
    times: {
      /** How long a checkout may hold seats and reserve money; afterwards the recovery takes it up. */
      hold: data.HOLD_SECONDS,
      /** How long the processor may take to capture. */
      charge: data.CHARGE_SECONDS,
      /** How long a challenge waits for its holder. */
      challenge: data.CHALLENGE_SECONDS,
      /** How long the lease of the recovery lasts, and how often it looks for work. */
      recoveryLease: data.RECOVERY_LEASE_SECONDS,
      recoveryPause: data.RECOVERY_PAUSE_SECONDS,
      /** How long the lease of a projection lasts; it is renewed three times as often. */
      projectionLease: data.PROJECTION_LEASE_SECONDS,
      /** How long a request with an `Idempotency-Key` may run before a retry takes over. */
      idempotencyLease: data.IDEMPOTENCY_LEASE_SECONDS,
      /** How long after its rotation a refresh token may come back without counting as reuse; 0: not at all. */
      refreshReuseGrace: data.REFRESH_REUSE_GRACE_SECONDS,
    },
    limits: {
      /** Refused cards in ten minutes, for a holder and client. */
      refusedCards: data.LIMIT_REFUSED_CARDS,
      /** Challenges of one holder that wait at once. */
      openChallenges: data.LIMIT_OPEN_CHALLENGES,
      /** Mandates that one agent of one holder has open at once. */
      openMandates: data.LIMIT_OPEN_MANDATES,
      /** In a minute, for an address: reads that need no token, token requests, passwords tried. */
      publicReads: data.LIMIT_PUBLIC_READS,
      tokenRequests: data.LIMIT_TOKEN_REQUESTS,
      logIns: data.LIMIT_LOGINS,
      /** Wrong client credentials in a minute, for a client and address. */
      clientFailures: data.LIMIT_CLIENT_FAILURES,
      /** Wrong passwords that are not slowed down, for an account and address; after them each makes it wait. */
      loginFailures: data.LIMIT_LOGIN_FAILURES,
    },
    telemetry: telemetryOf(data),
  };
});

/** In production no public secret or account lets anybody in (docs/decisions.md, Fixed names). */
const refuseDefaults = (data: Variables, emails: readonly string[]): void => {
  const wrong = [
    data.PILOT_CLIENT_SECRET === DEFAULT_SECRET && 'PILOT_CLIENT_SECRET: the default secret is public; set another',
    emails.length > 0 &&
      data.DEMO_PASSWORD === DEFAULT_PASSWORD &&
      'DEMO_TRAVELLERS: the demo travellers have a public password; set DEMO_TRAVELLERS to nothing, or DEMO_PASSWORD',
    !data.KEY_ENCRYPTION_KEY && 'KEY_ENCRYPTION_KEY: required, to encrypt the keys of the service at rest',
    data.PASSWORD_COST < DEFAULT_PASSWORD_COST && `PASSWORD_COST: below ${DEFAULT_PASSWORD_COST} is for tests`,
  ].filter((line) => line !== false);
  if (wrong.length > 0) throw new InvalidConfig(`refused in production:\n${wrong.join('\n')}`);
};

/** The servers of a distributed deployment. Their addresses may hold credentials: show them `masked`. */
export type Servers = NonNullable<ReturnType<typeof serversOf>>;

const DEFAULT_DATABASE = 'alcada';

/** Both servers or neither. @throws InvalidConfig naming the variable that is missing */
export const serversOf = (data: Variables) => {
  const { EVENTSTORE_URL, EVENTSTORE_NAMESPACE, MONGODB_URL, MONGODB_DATABASE } = data;
  if (!EVENTSTORE_URL && !MONGODB_URL) return null;
  if (!EVENTSTORE_URL) throw new InvalidConfig('EVENTSTORE_URL: required beside MONGODB_URL; or set neither');
  if (!MONGODB_URL) throw new InvalidConfig('MONGODB_URL: required beside EVENTSTORE_URL; or set neither');
  return {
    /** `namespace`: prefix of the names of streams, so that several systems can share a server; null: none. */
    eventStore: { url: EVENTSTORE_URL, namespace: EVENTSTORE_NAMESPACE ?? null },
    mongodb: { url: MONGODB_URL, database: MONGODB_DATABASE ?? databaseIn(MONGODB_URL) ?? DEFAULT_DATABASE },
  };
};

/** The database that the address names. */
const databaseIn = (url: string): string | undefined => /^[^/]+\/\/[^/]+\/([\w-]+)/.exec(url)?.[1];

/** Credentials and keys in the address of a server. */
const SECRET_PARTS = [
  [/(:\/\/)(?!\/)\S*@/g, '$1***@'],
  [/((?:password|secret|token|key)\w*[=:])[^&\s,]+/gi, '$1***'],
] as const;

/** `text` with the credentials of every address replaced by `***`. */
export const masked = (text: string): string =>
  SECRET_PARTS.reduce((left, [secret, shown]) => left.replace(secret, shown), text);
