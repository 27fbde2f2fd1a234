import type { z } from 'zod';
import { telemetryOf } from './telemetry.js';
import {
  DEFAULT_PASSWORD,
  DEFAULT_PASSWORD_COST,
  DEFAULT_SECRET,
  DEFAULT_TRAVELLERS,
  InvalidConfig,
  SECRET_VARIABLES,
  type Variables,
  variables,
} from './variables.js';
import { readFileSync } from 'node:fs';

/** The configuration of a process, parsed once at start. Times are in milliseconds; a limit of 0 is none. */
export type Config = z.infer<typeof config>;

/** The configuration, with secrets from files. @throws InvalidConfig naming each variable that is wrong */
export const readConfig = (environment: Readonly<Record<string, string | undefined>> = process.env): Config => {
  // An empty variable counts as unset, except for the list that may be empty.
  const given = Object.entries(environment).filter(([name, value]) => value !== '' || name === 'DEMO_TRAVELLERS');
  const { data, error } = config.safeParse(withSecretFiles(Object.fromEntries(given)));
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
  if (production) refuseUnfit(data, emails);
  if (data.KEY_ENCRYPTION_KEY_PREVIOUS && !data.KEY_ENCRYPTION_KEY) {
    throw new InvalidConfig('KEY_ENCRYPTION_KEY: required beside KEY_ENCRYPTION_KEY_PREVIOUS');
  }
  const site = data.SITE_URL ?? `http://127.0.0.1:${data.PORT}`;
  const urls = { site, auth: data.AUTH_URL ?? site, base: data.BASE_URL ?? `${site}/api/v1` };
  const isLocal = Object.values(urls).every(isOfThisMachine);
  return {
    production,
    host: data.HOST,
    port: data.PORT,
    addresses: {
      urls,
      /** No address was configured, so a request to a loopback name is answered with links to that name. */
      followLoopback: !data.SITE_URL && !data.AUTH_URL && !data.BASE_URL,
    },
    /** The proxies trusted for `X-Forwarded-For`, comma-separated, or `none`; null: nobody said, so loopback may be one. */
    trustProxy: data.TRUST_PROXY ?? null,
    /** Whether documents of others are fetched from this machine, too: only where everybody is on it (docs/adr/0107-one-guarded-fetcher.md). */
    fetchesFromLoopback: isLocal && !production,
    /** Origins beside our own whose pages may call the MCP endpoint. */
    mcpAllowedOrigins: data.MCP_ALLOWED_ORIGINS ?? [],
    dataDir: data.DATA_DIR,
    /** The servers used in their place; null: embedded. */
    servers: serversOf(data),
    mail: mailOf(data, site),
    /** The catalogue to import at start; null: the one that ships with the project. */
    catalogFile: data.CATALOG_FILE ?? null,
    logLevel: data.LOG_LEVEL,
    /** Whether the clock may start more than five minutes ahead of the system's, where the log's last event does. */
    allowsClockAhead: data.ALLOW_CLOCK_AHEAD === 'on',
    /** Whether a start accepts files of a data folder that are not of one moment. */
    allowsMixedData: data.ALLOW_MIXED_DATA === 'on',
    /** Keys of 32 bytes for secrets at rest: the first encrypts, all decrypt. None: secrets are stored in clear. */
    keyEncryptionKeys: [data.KEY_ENCRYPTION_KEY, data.KEY_ENCRYPTION_KEY_PREVIOUS].filter((key) => key !== undefined),
    pilot: { clientId: data.PILOT_CLIENT_ID, secret: data.PILOT_CLIENT_SECRET },
    /** Public credentials that production must not find in its stores; null outside production. */
    publicDefaults: production
      ? { secret: DEFAULT_SECRET, password: DEFAULT_PASSWORD, emails: DEFAULT_TRAVELLERS.split(',') }
      : null,
    /** Travellers who can log in from the first start on. */
    travellers: emails.map((email) => ({ email, password: data.DEMO_PASSWORD })),
    /** Whether everybody may know how the first of them logs in: their password is the one that the README prints. */
    hasPublicLogin: emails.length > 0 && data.DEMO_PASSWORD === DEFAULT_PASSWORD,
    /** Whether clients that nobody registered are let in: by their metadata document, and by registering themselves. */
    metadataClients: data.CIMD === undefined ? isLocal : data.CIMD === 'on',
    dynamicRegistration: data.DCR === undefined ? isLocal : data.DCR === 'on',
    /** Whether agents of others buy here; and the file of the platforms that are known without being asked. */
    ucp: data.UCP === undefined ? isLocal : data.UCP === 'on',
    ucpPlatforms: data.UCP_PLATFORMS ?? null,
    /** The operator's domain in reverse, below which our own names of the protocol lie; null: none. */
    ucpNamespace: data.UCP_NAMESPACE ?? null,
    /** Whether mandates of AP2 are taken. */
    ucpAp2: data.UCP_AP2 === 'on',
    /** For whom tokens buy that everybody knows: where nobody but this machine can ask, and the demo travellers are there. */
    ucpTraveller:
      isLocal && !production && emails.length > 0 && data.DEMO_PASSWORD === DEFAULT_PASSWORD
        ? { email: 'ucp@example.com', password: data.DEMO_PASSWORD }
        : null,
    playground: data.PLAYGROUND === undefined ? !production : data.PLAYGROUND === 'on',
    countsTraffic: data.AGENT_TRAFFIC === 'on',
    /** log2 of scrypt's N. */
    passwordCost: data.PASSWORD_COST,
    times: {
      /** How long the price of a booking is promised. */
      promise: data.PRICE_PROMISE_SECONDS,
      /** How long a checkout may hold seats and reserve money; afterwards the recovery takes it up. */
      hold: data.HOLD_SECONDS,
      charge: data.CHARGE_SECONDS,
      challenge: data.CHALLENGE_SECONDS,
      /** How long the lease of the recovery lasts, and how often it looks for work. */
      recoveryLease: data.RECOVERY_LEASE_SECONDS,
      recoveryPause: data.RECOVERY_PAUSE_SECONDS,
      /** How long the lease of a projection lasts; it is renewed three times as often. */
      projectionLease: data.PROJECTION_LEASE_SECONDS,
      /** How long after a round of sealing the next one begins. */
      sealing: data.TLOG_INTERVAL,
      /** How long a request with an `Idempotency-Key` may run before a retry takes over. */
      idempotencyLease: data.IDEMPOTENCY_LEASE_SECONDS,
      /** How long after its rotation a refresh token may come back without counting as reuse; 0: not at all. */
      refreshReuseGrace: data.REFRESH_REUSE_GRACE_SECONDS,
    },
    /** Whether an agent that is new to a traveller asks them for each mandate. */
    newAgentsAsk: data.MANDATES === 'ask',
    /** Whether every access token must be bound to a key (RFC 9449). */
    requiresDpop: data.DPOP === 'required',
    limits: {
      /** Refused cards in ten minutes, for a holder and client. */
      refusedCards: data.LIMIT_REFUSED_CARDS,
      openChallenges: data.LIMIT_OPEN_CHALLENGES,
      /** Mandates that one agent of one holder has open at once. */
      openMandates: data.LIMIT_OPEN_MANDATES,
      /** In a minute, for an address: reads that need no token, operations that need one, forms, authorizations begun. */
      publicReads: data.LIMIT_PUBLIC_READS,
      operations: data.LIMIT_OPERATIONS,
      formPosts: data.LIMIT_FORM_POSTS,
      authorizations: data.LIMIT_AUTHORIZATIONS,
      registrations: data.LIMIT_REGISTRATIONS,
      /** In a minute, for an address: token requests, passwords tried. */
      tokenRequests: data.LIMIT_TOKEN_REQUESTS,
      demonstrations: DEMONSTRATIONS,
      logIns: data.LIMIT_LOGINS,
      /** Wrong client credentials in a minute, for a client and address. */
      clientFailures: data.LIMIT_CLIENT_FAILURES,
      /** Wrong passwords that are not slowed down, for an account and address; after them each makes it wait. */
      loginFailures: data.LIMIT_LOGIN_FAILURES,
    },
    connections: {
      /** How long a caller may take for the head of a request and for all of it, and between two. */
      headersTimeout: data.HEADERS_SECONDS,
      requestTimeout: data.REQUEST_SECONDS,
      idleTimeout: data.IDLE_SECONDS,
      /** Open connections, in all and of one address. */
      total: data.LIMIT_CONNECTIONS,
      byAddress: data.LIMIT_CONNECTIONS_BY_ADDRESS,
    },
    /** The origin of the transparency log: where it is new, and where another one than the stored one is wanted. */
    tlogOrigin: { first: `${site.replace(/^https?:\/\//, '')}/tlog`, configured: data.TLOG_ORIGIN ?? null },
    /** File of the policy that names the log's witnesses (C2SP tlog-policy); null: there are none. */
    tlogWitnesses: data.TLOG_WITNESSES ?? null,
    telemetry: telemetryOf(data),
  };
});

/** Purchases in a minute that an address may watch: each is a real one, and takes seats. */
const DEMONSTRATIONS = 6;

/** The shortest secret of a client in production: 128 random bits in hexadecimal (RFC 6749 §10.10). */
const SHORTEST_SECRET = 32;
/** The shortest password of the demo travellers in production. All of them share it. */
const SHORTEST_PASSWORD = 12;

/** In production no public, short or readable secret lets anybody in (docs/decisions.md, Fixed names). */
const refuseUnfit = (data: Variables, emails: readonly string[]): void => {
  const { PILOT_CLIENT_SECRET: secret, DEMO_PASSWORD: password } = data;
  const wrong = [
    secret === DEFAULT_SECRET
      ? 'PILOT_CLIENT_SECRET: the default secret is public; set another'
      : secret.length < SHORTEST_SECRET && `PILOT_CLIENT_SECRET: at least ${SHORTEST_SECRET} characters, random ones`,
    emails.length > 0 &&
      (password === DEFAULT_PASSWORD
        ? 'DEMO_TRAVELLERS: the demo travellers have a public password; set DEMO_TRAVELLERS to nothing, or DEMO_PASSWORD'
        : password.length < SHORTEST_PASSWORD && `DEMO_PASSWORD: at least ${SHORTEST_PASSWORD} characters`),
    !data.TRUST_PROXY &&
      'TRUST_PROXY: required, so that callers are told apart; name the proxy in front, or none if there is none',
    data.SMTP_URL !== undefined && !data.SITE_URL && 'SITE_URL: required beside SMTP_URL, since mails lead there',
    data.EVENTSTORE_URL !== undefined &&
      data.EVENTSTORE_NAMESPACE === undefined &&
      'EVENTSTORE_NAMESPACE: required, so that events of others are told apart; name one, or none if nobody else writes there',
    !data.KEY_ENCRYPTION_KEY && 'KEY_ENCRYPTION_KEY: required, to encrypt the keys of the service at rest',
    data.PASSWORD_COST < DEFAULT_PASSWORD_COST && `PASSWORD_COST: below ${DEFAULT_PASSWORD_COST} is for tests`,
    ...(['SITE_URL', 'AUTH_URL', 'BASE_URL'] as const).map(
      (name) => isReadable(data[name]) && `${name}: must be https, since tokens and passwords are sent there`,
    ),
  ].filter((line) => line !== false);
  if (wrong.length > 0) throw new InvalidConfig(`refused in production:\n${wrong.join('\n')}`);
};

/** Whether what is sent to an address can be read on the way: http to anywhere but this machine (RFC 8252 §8.3). */
const isReadable = (address: string | undefined): boolean =>
  address !== undefined && new URL(address).protocol === 'http:' && !isOfThisMachine(address);

/** Whether an address has a loopback name, which nobody on another machine can reach. */
export const isOfThisMachine = (address: string): boolean =>
  /^(127(\.\d+){3}|localhost|\[::1\])$/.test(new URL(address).hostname);

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
    eventStore: {
      url: EVENTSTORE_URL,
      namespace: EVENTSTORE_NAMESPACE === 'none' ? null : (EVENTSTORE_NAMESPACE ?? null),
    },
    mongodb: { url: MONGODB_URL, database: MONGODB_DATABASE ?? databaseIn(MONGODB_URL) ?? DEFAULT_DATABASE },
  };
};

const databaseIn = (url: string): string | undefined => /^[^/]+\/\/[^/]+\/([\w-]+)/.exec(url)?.[1];

/** Where mails go out, and from which address; null: none are sent. Its URL may hold credentials: show it `masked`. */
const mailOf = ({ SMTP_URL, MAIL_FROM }: Variables, site: string) => {
  if (!SMTP_URL) return null;
  const host = isOfThisMachine(site) ? 'localhost' : new URL(site).hostname;
  return { url: SMTP_URL, from: MAIL_FROM ?? `nao-responda@${host}` };
};

/** Credentials and keys in the address of a server. */
const SECRET_PARTS = [
  [/(:\/\/)(?!\/)\S*@/g, '$1***@'],
  [/((?:password|secret|token|key)\w*[=:])[^&\s,]+/gi, '$1***'],
] as const;

/** `text` with the credentials of every address replaced by `***`. */
export const masked = (text: string): string =>
  SECRET_PARTS.reduce((left, [secret, shown]) => left.replace(secret, shown), text);

type Environment = Readonly<Record<string, string | undefined>>;

/** `environment` with the secrets that files hold (`<NAME>_FILE`), but for a last end of line. @throws InvalidConfig */
const withSecretFiles = (environment: Environment): Environment => {
  const read = SECRET_VARIABLES.flatMap((name) => {
    const file = environment[`${name}_FILE`];
    return file === undefined ? [] : [[name, secretIn(file, name, environment)] as const];
  });
  return { ...environment, ...Object.fromEntries(read) };
};

const secretIn = (file: string, name: string, environment: Environment): string => {
  if (environment[name] !== undefined) throw new InvalidConfig(`${name}, ${name}_FILE: set one of them, not both`);
  const secret = contentOf(file, name).replace(/\r?\n$/, '');
  if (secret === '') throw new InvalidConfig(`${name}_FILE: ${file} is empty`);
  return secret;
};

const contentOf = (file: string, name: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidConfig(`${name}_FILE: ${file} cannot be read (${code ?? 'unknown'})`, { cause: error });
  }
};
