import type { Logger } from 'pino';
import { type McpSettings, SITE_CLIENT } from '#agent-tools';
import { DEMONSTRATION_CLIENT } from '#agent';
import { type BookingSettings, TRAVELLERS } from '#booking';
import {
  BUYERS,
  CANCELLATIONS,
  CARD_FINGERPRINTS,
  CardFingerprints,
  CHALLENGE_SLOTS,
  CheckoutSettings,
  LEDGER,
  Locators,
  OrderOutcomes,
  PaymentProcessor,
  type RecoveryObserver,
  REFUNDS,
  REFUSED_CARDS,
  TestProcessor,
  UNINSTRUMENTED,
  Checkouts,
} from '#checkout';
import type { Config } from '#config';
import { Leases, LEASES, SECRETS, storedSecret } from '#documents';
import { Aggregates, SNAPSHOTS, Snapshots } from '#event-store';
import { GuardedDocuments, GuardedPosts, INTERNET, type RemoteDocuments, type RemotePosts } from '#remote';
import { AttachedMetadata, IDEMPOTENCY, IdempotentRequests, RateLimiter } from '#http';
import { SystemClock } from '#kernel';
import { MandateSettings, PENDING_MANDATES } from '#mandate';
import type { OAuthSettings } from '#oauth';
import {
  Deliveries,
  DELIVERIES,
  Endpoints,
  type MailSettings,
  NOTICES,
  NOTICES_REACHED,
  OUTBOX,
  WEBHOOKS,
} from '#outbox';
import { lagAt, loadCheckpoint, ReadModels } from '#read-models';
import { type OpenTransparency, openTransparency, readWitnesses, refuseUnlessAsSealed } from '#transparency';
import {
  OF_PLATFORMS,
  KEPT_CARDS,
  Platforms,
  readKnownPlatforms,
  SESSIONS,
  STATUS_PLACES,
  KeptCards,
  type UcpSettings,
} from '#ucp';
import type { Opened } from './opened.js';
import { checkFolder, closePorts, openPorts, type Ports, retryUntilAvailable } from './ports.js';
import { PROJECTIONS } from './projections.js';
import { startTelemetry } from './telemetry/start-telemetry.js';
import type { Telemetry } from './telemetry/telemetry.js';

/** Every collection of documents that is no read model. The authorization server and `AttachedMetadata` prepare their own. */
const COLLECTIONS = [
  SECRETS,
  LEASES,
  IDEMPOTENCY,
  LEDGER,
  CARD_FINGERPRINTS,
  BUYERS,
  CANCELLATIONS,
  TRAVELLERS,
  CHALLENGE_SLOTS,
  REFUNDS,
  REFUSED_CARDS,
  PENDING_MANDATES,
  NOTICES,
  NOTICES_REACHED,
  SNAPSHOTS,
  WEBHOOKS,
  DELIVERIES,
  SESSIONS,
  KEPT_CARDS,
  STATUS_PLACES,
] as const;

/** Everything the modules of a process work with: the ports, and what is built on them. */
export interface Dependencies extends Ports {
  /** Null where neither metrics nor traces are configured. */
  readonly telemetry: Telemetry | null;
  readonly aggregates: Aggregates;
  readonly readModels: ReadModels;
  readonly processor: PaymentProcessor;
  readonly locators: Locators;
  readonly idempotent: IdempotentRequests;
  /** Prepared. */
  readonly metadata: AttachedMetadata;
  readonly leases: Leases;
  readonly rates: RateLimiter;
  readonly remoteDocuments: RemoteDocuments;
  readonly remotePosts: RemotePosts;
  /** The platforms that buy by UCP; null: none do. */
  readonly platforms: Platforms | null;
  readonly keptCards: KeptCards;
  /** The addresses to which events of agents are sent, and what became of them. */
  readonly endpoints: Endpoints;
  readonly deliveries: Deliveries;
  readonly bookingSettings: BookingSettings;
  readonly checkoutSettings: CheckoutSettings;
  readonly orderOutcomes: OrderOutcomes;
  readonly mandateSettings: MandateSettings;
  readonly mailSettings: MailSettings;
  readonly mcpSettings: McpSettings;
  readonly oauthSettings: OAuthSettings;
  readonly ucpSettings: UcpSettings;
  readonly recoveryObserver: RecoveryObserver;
  /** The key of the hashes that stand for agents in the traffic. */
  readonly trafficKey: Buffer;
  /** The transparency log, which holds what was sealed. */
  readonly transparency: OpenTransparency;
}

/** The composition root; `opened` closes what it opens. @throws LogNotAsSealed, as `openPorts`, or an Error of the metrics' port */
export const openDependencies = async (
  config: Config,
  program: string,
  logger: Logger,
  opened: Opened,
  open: (config: Config) => Promise<Ports> = openPorts,
): Promise<Dependencies> => {
  const telemetry = await startTelemetry(config.telemetry, program, new SystemClock(), (trouble) => {
    if (trouble === null) logger.info('traces are taken again');
    else logger.warn({ trouble }, 'traces are not taken');
  });
  if (telemetry) opened.add('telemetry', () => telemetry.stop());
  const ports = await open(config);
  opened.add('stores', () => closePorts(ports));
  checkFolder(config, (message) => logger.warn(message));
  const dependencies = await dependenciesOn(ports, config, logger, telemetry);
  opened.add('work', () => dependencies.readModels.stop());
  return dependencies;
};

/** What is built on ports that are open. Nothing of it runs yet. */
export const dependenciesOn = async (
  ports: Ports,
  config: Config,
  logger: Logger,
  telemetry: Telemetry | null = null,
): Promise<Dependencies> => {
  const { times, limits, keyEncryptionKeys } = config;
  const { clock, ids, documents, readModelStore, projecting } = ports;
  const events = telemetry?.eventStore(ports.events) ?? ports.events;
  const prepared = async () => {
    for (const collection of COLLECTIONS) await documents.prepare(collection);
  };
  await retryUntilAvailable(clock, 'MONGODB_URL: MongoDB', prepared);
  await retryUntilAvailable(clock, 'the store of the read models', () => readModelStore.prepare(OUTBOX));
  // A server that goes away in the middle of a start is waited for as one that comes late.
  const waited = <Result>(work: () => Promise<Result>) => retryUntilAvailable(clock, 'a server', work);
  const secretOf = (name: Parameters<typeof storedSecret>[1]) =>
    waited(() => storedSecret(documents, name, keyEncryptionKeys));
  const cardKey = await secretOf('card-fingerprints');
  const idempotencyKey = await secretOf('idempotency');
  const onError = (projection: string, error: unknown) => logger.error({ err: error, projection }, 'projection failed');
  const readModels = new ReadModels(
    events,
    readModelStore,
    PROJECTIONS,
    clock,
    onError,
    telemetry?.batches,
    projecting ?? undefined,
  );
  telemetry?.reportLag(async () => {
    const [now, outbox] = [clock.now(), await loadCheckpoint(readModelStore, OUTBOX.name)];
    return new Map([...(await readModels.lag(now)), ...(await lagAt(events, new Map([[OUTBOX.name, outbox]]), now))]);
  });
  if (clock instanceof SystemClock) telemetry?.reportClock(() => clock.ahead);
  const witnesses = config.tlogWitnesses === null ? null : await readWitnesses(config.tlogWitnesses);
  const transparency = await waited(() =>
    openTransparency({ ...ports, events }, keyEncryptionKeys, config.tlogOrigin, witnesses),
  );
  await waited(() => refuseUnlessAsSealed(transparency));
  const snapshotKey = await secretOf('snapshots');
  const onSnapshotError = (stream: string, error: unknown) => logger.warn({ err: error, stream }, 'no snapshot');
  const snapshots = new Snapshots(documents, clock, snapshotKey, onSnapshotError);
  const metadata = new AttachedMetadata(documents, config.servers !== null);
  await waited(() => metadata.prepare());
  const cards = new CardFingerprints(documents, clock, cardKey);
  const guard = { network: INTERNET, allowsLoopback: config.fetchesFromLoopback };
  const known = config.ucp ? await readKnownPlatforms(config.ucpPlatforms, guard.allowsLoopback) : null;
  const processor = new TestProcessor(documents, cards, clock, ids, times.challenge);
  return {
    ...ports,
    events,
    telemetry,
    aggregates: new Aggregates(events, clock, ids, { snapshots }),
    readModels,
    processor: telemetry?.processor(processor) ?? processor,
    locators: new Locators(await secretOf('locators')),
    idempotent: new IdempotentRequests(documents, clock, ids, idempotencyKey, times.idempotencyLease),
    metadata,
    leases: new Leases(documents, clock, ids.next()),
    rates: new RateLimiter(clock, limits),
    remoteDocuments: new GuardedDocuments(clock, guard),
    remotePosts: new GuardedPosts(clock, guard),
    platforms: known && new Platforms(new GuardedDocuments(clock, guard, OF_PLATFORMS), known, guard.allowsLoopback),
    keptCards: new KeptCards(documents, keyEncryptionKeys),
    endpoints: new Endpoints(documents, keyEncryptionKeys),
    deliveries: new Deliveries(documents),
    bookingSettings: times,
    checkoutSettings: { ...times, ...limits },
    orderOutcomes: new OrderOutcomes(logger),
    mandateSettings: limits,
    mailSettings: { smtp: config.mail },
    mcpSettings: {
      allowedOrigins: config.mcpAllowedOrigins,
      admitsAnyClient: config.metadataClients || config.dynamicRegistration,
      speaksUcp: config.ucp,
    },
    oauthSettings: oauthSettings(config),
    ucpSettings: { namespace: config.ucpNamespace, traveller: config.ucpTraveller, ap2: config.ucpAp2 },
    recoveryObserver: {
      ...(telemetry?.recovery ?? UNINSTRUMENTED),
      onError: (id, error) => logger.error({ err: error, id }, 'settling failed'),
    },
    trafficKey: await secretOf('traffic'),
    transparency,
  };
};

/** The checkouts of a command that runs without the service's modules. */
export const checkoutsOf = (dependencies: Dependencies): Checkouts => {
  const { aggregates, processor, documents, clock, ids, checkoutSettings, events, orderOutcomes } = dependencies;
  return new Checkouts(aggregates, processor, documents, clock, ids, checkoutSettings, events, orderOutcomes);
};

/** The settings of the authorization server, with the built-in clients and travellers (docs/decisions.md, Fixed names). */
export const oauthSettings = (config: Config): OAuthSettings => ({
  addresses: config.addresses,
  keyEncryptionKeys: config.keyEncryptionKeys,
  clients: [
    {
      ...config.pilot,
      name: 'Cliente piloto',
      redirectUris: ['http://127.0.0.1:8765/callback', 'http://localhost:8765/callback', '{auth_url}/oauth/playground'],
      pilot: true,
    },
    SITE_CLIENT,
    ...(config.hasPublicLogin ? [DEMONSTRATION_CLIENT] : []),
  ],
  accounts: config.travellers,
  shownAccount: (config.hasPublicLogin && config.travellers[0]) || null,
  refreshReuseGrace: config.times.refreshReuseGrace,
  passwordCost: { N: 2 ** config.passwordCost, r: 8, p: 3 },
  loginFailures: config.limits.loginFailures,
  publicDefaults: config.publicDefaults,
  newAgentsAsk: config.newAgentsAsk,
  requiresDpop: config.requiresDpop,
  sharesDocuments: config.servers !== null,
  metadataClients: config.metadataClients,
  dynamicRegistration: config.dynamicRegistration,
  ucp: config.ucp,
  playground: config.playground,
});
