import type { Config } from '#config';
import { newCause, SYSTEM } from '#kernel';
import {
  type ClientKeys,
  Consents,
  Grants,
  type NewClient,
  openAuditorRegistry,
  openRegistry,
  type Registry,
  type RevokeAgents,
  revokeAgents,
} from '#oauth';
import { Endpoints, type Webhook, WEBHOOKS } from '#outbox';
import { checkoutsOf, oauthSettings } from '../dependencies.js';
import type { Ports } from '../ports.js';
import { cancelFlightOnSale, type Desk } from './cancel-flight-on-sale.js';

/** What an operation works on: the stores, and what is built on them for those that ask. */
export interface Operated extends Desk {
  readonly config: Config;
  readonly ports: Ports;
}

interface Account {
  readonly email: string;
  readonly password: string;
}

const registryOf = ({ config, ports }: Operated): Promise<Registry> => openRegistry(ports, oauthSettings(config));

const auditorsOf = ({ config, ports }: Operated) => openAuditorRegistry(ports, oauthSettings(config));

/** Ends the agents of those who are removed: their mandates, orders under way and webhooks too. */
const revokingOn = async (on: Operated): Promise<RevokeAgents> => {
  const dependencies = await on.dependencies();
  const { documents, clock, ids, events } = dependencies;
  const checkouts = checkoutsOf(dependencies);
  const revoking = { checkouts, grants: new Grants(documents, clock), consents: new Consents(documents, clock) };
  return (whose) => revokeAgents(revoking, events, whose, { actor: SYSTEM, ...newCause(ids) });
};

/**
 * The commands that change embedded stores beside a running server, by their names: it runs them itself. Without one, and over
 * servers, `alcada` does. What they take and return is JSON.
 */
export const OPERATIONS = {
  'client add': async (on: Operated, client: NewClient) => (await registryOf(on)).clients.add(client),
  'client rotate-secret': async (on: Operated, clientId: string) =>
    (await registryOf(on)).clients.rotateSecret(clientId),
  'client replace-keys': async (on: Operated, { clientId, jwks }: { readonly clientId: string; jwks: ClientKeys }) =>
    (await registryOf(on)).clients.replaceKeys(clientId, jwks),
  'client remove': async (on: Operated, clientId: string) =>
    (await registryOf(on)).clients.remove(clientId, await revokingOn(on)),
  'traveller add': async (on: Operated, account: Account) => (await registryOf(on)).travellers.add(account),
  'traveller set-password': async (on: Operated, account: Account) =>
    (await registryOf(on)).travellers.setPassword(account),
  'traveller set-email': async (on: Operated, { email, next }: { readonly email: string; readonly next: string }) =>
    (await registryOf(on)).travellers.setEmail(email, next),
  'traveller remove': async (on: Operated, email: string) =>
    (await registryOf(on)).travellers.remove(email, await revokingOn(on)),
  'auditor add': async (on: Operated, account: Account) => (await auditorsOf(on)).add(account),
  'auditor remove': async (on: Operated, email: string) => (await auditorsOf(on)).remove(email),
  'flight cancel': cancelFlightOnSale,
  'webhooks pause': (on: Operated, id: string) => pauseWebhook(on, id, true),
  'webhooks resume': (on: Operated, id: string) => pauseWebhook(on, id, false),
} as const;

export type Operation = keyof typeof OPERATIONS;
export type ArgumentOf<Name extends Operation> = Parameters<(typeof OPERATIONS)[Name]>[1];
export type ResultOf<Name extends Operation> = Awaited<ReturnType<(typeof OPERATIONS)[Name]>>;

/** Runs an operation. @throws what it throws, for `failureOf` */
export const operate = <Name extends Operation>(
  name: Name,
  on: Operated,
  argument: ArgumentOf<Name>,
): Promise<ResultOf<Name>> => {
  // The table says of each name what it takes and returns, which the compiler does not follow through a union.
  const run: (on: Operated, argument: never) => Promise<unknown> = OPERATIONS[name];
  return run(on, argument as never) as Promise<ResultOf<Name>>;
};

/** @throws Error for the operator: there is none of this id */
export const webhookNamed = async (endpoints: Endpoints, id: string): Promise<Webhook> => {
  const webhook = await endpoints.stored.get(id);
  if (!webhook) throw new Error(`there is no webhook ${id}: \`alcada webhooks list\` shows them`);
  return webhook;
};

interface Stores {
  readonly config: Config;
  readonly ports: Ports;
}

/** Lets nothing be sent to an endpoint, or all that it missed. @throws Error for the operator: there is none, or it ends */
const pauseWebhook = async (
  { config, ports: { documents, clock } }: Stores,
  id: string,
  isPaused: boolean,
): Promise<Webhook> => {
  await documents.prepare(WEBHOOKS);
  const endpoints = new Endpoints(documents, config.keyEncryptionKeys);
  const before = await webhookNamed(endpoints, id);
  if (before.body.isEnding) throw new Error(`${id} ends already: its agent was revoked`);
  const changedAt = clock.now();
  await endpoints.stored.update(id, (one) => {
    if (!one) return null;
    const { disabled: _, failingSince: __, ...body } = one;
    return { ...body, changedAt, turn: body.turn + 1, ...(isPaused && { disabled: 'operator' }) };
  });
  return webhookNamed(endpoints, id);
};
