import { agentsProjection } from '#delegation';
import type { McpSettings } from '#agent-tools';
import { bookingsProjection } from '#booking';
import { flightsProjection } from '#catalog';
import type { Config } from '#config';
import { Leases, LEASES, SECRETS, storedSecret } from '#documents';
import { Aggregates } from '#event-store';
import { IDEMPOTENCY, IdempotentRequests, RateLimiter } from '#http';
import { MandateSettings, mandatesProjection, openMandatesProjection } from '#mandate';
import {
  BUYERS,
  CHALLENGE_SLOTS,
  openCheckoutsProjection,
  OrderSettings,
  ordersProjection,
  receiptsProjection,
  REFUSED_CARDS,
} from '#order';
import { CARD_FINGERPRINTS, CardFingerprints, LEDGER, PaymentProcessor, TestProcessor } from '#payment';
import { type OnProjectionError, type Projection, ReadModels } from '#read-models';
import type { Telemetry } from '#telemetry';
import { agentFactsProjection, agentTrafficProjection } from '#traffic';
import type { Ports } from './ports.js';
import { Readiness } from './readiness.js';

/** Every read model of the program. */
export const PROJECTIONS: readonly Projection<object>[] = [
  flightsProjection,
  bookingsProjection,
  mandatesProjection,
  ordersProjection,
  receiptsProjection,
  openCheckoutsProjection,
  openMandatesProjection,
  agentsProjection,
  agentTrafficProjection,
  agentFactsProjection,
];

/** Every collection of documents that cannot be rebuilt, but for the authorization server's own. */
const COLLECTIONS = [
  SECRETS,
  LEASES,
  IDEMPOTENCY,
  LEDGER,
  CARD_FINGERPRINTS,
  BUYERS,
  CHALLENGE_SLOTS,
  REFUSED_CARDS,
] as const;

/** What readiness calls what it depends on. */
const FILES = { events: 'event-log', documents: 'documents' };
const SERVERS = { events: 'eventstore', documents: 'mongodb' };

/** What the rooms of a process work with. */
export interface Parts extends Ports {
  readonly aggregates: Aggregates;
  readonly readModels: ReadModels;
  readonly processor: PaymentProcessor;
  readonly idempotent: IdempotentRequests;
  readonly leases: Leases;
  readonly rates: RateLimiter;
  readonly readiness: Readiness;
  readonly orderSettings: OrderSettings;
  readonly mandateSettings: MandateSettings;
  readonly mcpSettings: McpSettings;
  /** Keys what is written down of agents in the traffic. */
  readonly trafficKey: Buffer;
}

/** Puts together what stands on the ports. `telemetry`: what watches it; null: nothing. */
export const partsOn = async (
  ports: Ports,
  { times, limits, keyEncryptionKey, mcpAllowedOrigins, servers }: Config,
  onProjectionError: OnProjectionError,
  telemetry: Telemetry | null = null,
): Promise<Parts> => {
  const { clock, ids, documents, readModelStore } = ports;
  const events = telemetry?.eventStore(ports.events) ?? ports.events;
  for (const collection of COLLECTIONS) await documents.prepare(collection);
  const traces = new CardFingerprints(documents, clock, await storedSecret(documents, 'card-traces', keyEncryptionKey));
  const idempotency = await storedSecret(documents, 'idempotency', keyEncryptionKey);
  const readModels = new ReadModels(events, readModelStore, PROJECTIONS, onProjectionError, telemetry?.batches);
  telemetry?.reportLag(() => readModels.lag(clock.now()));
  const processor = new TestProcessor(documents, traces, clock, ids, times.challenge);
  return {
    ...ports,
    events,
    aggregates: new Aggregates(events, clock, ids),
    readModels,
    processor: telemetry?.processor(processor) ?? processor,
    idempotent: new IdempotentRequests(documents, clock, ids, idempotency, times.idempotencyLease),
    leases: new Leases(documents, clock, ids.next()),
    rates: new RateLimiter(clock, limits),
    readiness: new Readiness({ ...ports, readModels }, servers === null ? FILES : SERVERS),
    orderSettings: { ...times, ...limits },
    mandateSettings: limits,
    mcpSettings: { allowedOrigins: mcpAllowedOrigins },
    trafficKey: await storedSecret(documents, 'traffic', keyEncryptionKey),
  };
};

/** Lets go of everything, the log last: what runs may still write. */
export const closeParts = async ({ readModels, readModelStore, documents, events }: Parts): Promise<void> => {
  await readModels.stop();
  await readModelStore.close();
  await documents.close();
  await events.close();
};
