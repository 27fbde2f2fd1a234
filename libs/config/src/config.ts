import type { z } from 'zod';
import { InvalidConfig } from './invalid-config.js';
import { type Servers, serversOf } from './servers.js';
import { type TelemetryConfig, telemetryOf } from './telemetry.js';
import {
  DEFAULT_PASSWORD,
  DEFAULT_PASSWORD_COST,
  DEFAULT_SECRET,
  DEFAULT_TRAVELLERS,
  type LogLevel,
  variables,
} from './variables.js';

/** What the process was told by its environment, parsed once at start (conventions.md, 13). */
export interface Config {
  readonly production: boolean;
  /** Address and port the API listens on. */
  readonly host: string;
  readonly port: number;
  /** Public addresses; `followLoopback`: none was configured, so loopback names are answered under their own name. */
  readonly addresses: {
    readonly urls: { readonly base: string; readonly site: string; readonly auth: string };
    readonly followLoopback: boolean;
  };
  /** The proxies that may say who calls (`X-Forwarded-For`): addresses and networks, comma-separated; null: none. */
  readonly trustProxy: string | null;
  /** Origins beside our own whose pages may call the MCP endpoint. */
  readonly mcpAllowedOrigins: readonly string[];
  /** Folder of the embedded stores. */
  readonly dataDir: string;
  /** The servers that are used instead; null: embedded. */
  readonly servers: Servers | null;
  /** Catalogue to import at start; null: the one that ships with the project. */
  readonly catalogFile: string | null;
  readonly logLevel: LogLevel;
  /** 32 bytes that encrypt the service's own keys and secrets at rest; null: they are stored in clear. */
  readonly keyEncryptionKey: Uint8Array | null;
  readonly pilot: { readonly clientId: string; readonly secret: string };
  /** Travellers that can log in from the first start on. */
  readonly travellers: readonly { readonly email: string; readonly password: string }[];
  /** What everybody knows and production must not find in its stores; null: not in production. */
  readonly publicDefaults: {
    readonly secret: string;
    readonly password: string;
    readonly emails: readonly string[];
  } | null;
  /** Whether the page that walks a person through OAuth is served: in production only where asked for. */
  readonly playground: boolean;
  /** Whether this process counts the calls of agents. */
  readonly countsTraffic: boolean;
  /** How much work a password costs: log2 of scrypt's N. */
  readonly passwordCost: number;
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
    /** How long the lease of a projection lasts; it is prolonged three times as often. */
    readonly projectionLease: number;
    /** How long a request with an `Idempotency-Key` may run before a retry takes over. */
    readonly idempotencyLease: number;
    /** How long after its rotation a refresh token that comes back is no reuse; 0: it always is. */
    readonly refreshReuseGrace: number;
  };
  /** Bounds on what one agent, traveller or address may do; 0 = off. */
  readonly limits: {
    /** Refused cards in ten minutes, for a holder and client. */
    readonly refusedCards: number;
    /** Challenges of one holder that wait at once. */
    readonly openChallenges: number;
    /** Mandates that one agent of one holder has open at once. */
    readonly openMandates: number;
    /** In a minute, for an address: reads that need no token, token requests, passwords tried. */
    readonly publicReads: number;
    readonly tokenRequests: number;
    readonly logIns: number;
    /** Wrong client credentials in a minute, for a client and address. */
    readonly clientFailures: number;
    /** Wrong passwords that cost nothing, for an account and address; then each makes it wait. */
    readonly loginFailures: number;
  };
  readonly telemetry: TelemetryConfig;
}

/**
 * The configuration, from `environment`.
 *
 * @throws InvalidConfig naming each variable that is wrong and, in production, each default secret or account.
 */
export const readConfig = (environment: Readonly<Record<string, string | undefined>> = process.env): Config => {
  // An empty variable is an unset one, but for the list that may be empty.
  const given = Object.entries(environment).filter(([name, value]) => value !== '' || name === 'DEMO_TRAVELLERS');
  const parsed = variables.safeParse(Object.fromEntries(given));
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
      urls: { site, auth: data.AUTH_URL ?? site, base: data.BASE_URL ?? `${site}/api/v1` },
      followLoopback: !data.SITE_URL && !data.AUTH_URL && !data.BASE_URL,
    },
    trustProxy: data.TRUST_PROXY ?? null,
    mcpAllowedOrigins: data.MCP_ALLOWED_ORIGINS ?? [],
    dataDir: data.DATA_DIR,
    servers: serversOf(data),
    catalogFile: data.CATALOG_FILE ?? null,
    logLevel: data.LOG_LEVEL,
    keyEncryptionKey: data.KEY_ENCRYPTION_KEY ?? null,
    pilot: { clientId: data.PILOT_CLIENT_ID, secret: data.PILOT_CLIENT_SECRET },
    publicDefaults: production
      ? { secret: DEFAULT_SECRET, password: DEFAULT_PASSWORD, emails: DEFAULT_TRAVELLERS.split(',') }
      : null,
    travellers: emails.map((email) => ({ email, password: data.DEMO_PASSWORD })),
    playground: data.PLAYGROUND === undefined ? !production : data.PLAYGROUND === 'on',
    countsTraffic: data.AGENT_TRAFFIC === 'on',
    passwordCost: data.PASSWORD_COST,
    times: {
      hold: data.HOLD_SECONDS,
      charge: data.CHARGE_SECONDS,
      challenge: data.CHALLENGE_SECONDS,
      settlerLease: data.SETTLER_LEASE_SECONDS,
      settlerPause: data.SETTLER_PAUSE_SECONDS,
      projectionLease: data.PROJECTION_LEASE_SECONDS,
      idempotencyLease: data.IDEMPOTENCY_LEASE_SECONDS,
      refreshReuseGrace: data.REFRESH_REUSE_GRACE_SECONDS,
    },
    limits: {
      refusedCards: data.LIMIT_REFUSED_CARDS,
      openChallenges: data.LIMIT_OPEN_CHALLENGES,
      openMandates: data.LIMIT_OPEN_MANDATES,
      publicReads: data.LIMIT_PUBLIC_READS,
      tokenRequests: data.LIMIT_TOKEN_REQUESTS,
      logIns: data.LIMIT_LOGINS,
      clientFailures: data.LIMIT_CLIENT_FAILURES,
      loginFailures: data.LIMIT_LOGIN_FAILURES,
    },
    telemetry: telemetryOf(data),
  };
};

/** In production nothing that everybody knows lets anybody in (docs/decisions.md, Fixed names). */
const refuseDefaults = (data: z.infer<typeof variables>, emails: readonly string[]): void => {
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
