import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { schemaOf } from '#http';
import { type Caller, DomainError, isId } from '#kernel';
import {
  dataViewOf,
  EVENT_TYPES,
  EVENT_WORDS,
  type EventType,
  isEventType,
  type SubscriptionKey,
  SubscriptionRefused,
  type Subscriptions,
  typesFor,
} from '#outbox';
import { z } from 'zod';
import { type Listing, protocolError } from './resources.js';

/** What the draft names errors (MCP Events, Error Codes). */
const [NOT_FOUND, FORBIDDEN, EXHAUSTED, UNSUPPORTED, CALLBACK] = [-32_011, -32_012, -32_013, -32_014, -32_015] as const;

const address = { url: z.string(), mode: z.string().optional() };
const keyParams = { name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) };
const subscribeParams = z.looseObject({
  ...keyParams,
  delivery: z.looseObject({ ...address, secret: z.string() }),
  cursor: z.string().nullish(),
  maxAgeMs: z.int().nonnegative().nullish(),
  ttlMs: z.int().positive().nullish(),
});
const unsubscribeParams = z.looseObject({ ...keyParams, delivery: z.looseObject(address) });

/** Whether a type is about mandates, so that one of them may be named. */
const isOfMandates = (type: EventType): boolean => type !== 'agent.revoked' && type !== 'flight.cancelled';

const MANDATE_ID = {
  mandateId: { type: 'string', format: 'uuid', description: 'Só deste mandato; ausente: de todos os deste agente.' },
};

const LISTED = Object.keys(EVENT_TYPES)
  .filter(isEventType)
  .map((name) => ({
    name,
    description: EVENT_WORDS[name].text,
    delivery: ['webhook'],
    inputSchema: {
      type: 'object',
      properties: isOfMandates(name) ? MANDATE_ID : {},
      additionalProperties: false,
    },
    payloadSchema: schemaOf(dataViewOf(name), true),
  }));

export interface EventServing {
  readonly caller: Caller | null;
  readonly subscriptions: Subscriptions;
  readonly listing: Listing;
}

/** Lets a client receive events at an address of its own (MCP Events; docs/adr/0112 has the source of each point). */
export const serveEvents = ({ server }: McpServer, { caller, subscriptions, listing }: EventServing): void => {
  const isListed = caller ? new Set(typesFor(caller.scopes)) : null;
  server.setRequestHandler('events/list', { params: z.looseObject({}).optional() }, () => ({
    events: LISTED.filter(({ name }) => isListed?.has(name) ?? true),
  }));
  server.setRequestHandler('events/subscribe', { params: subscribeParams }, async (params) => {
    const { delivery, cursor = null, maxAgeMs, ttlMs } = params;
    const by = authorized(caller);
    const { name, mandateId, url } = keyIn(params);
    if (delivery.mode !== 'webhook')
      throw fault(UNSUPPORTED, 'Só há entrega por webhook.', { feature: 'deliveryMode', value: delivery.mode ?? null });
    const secret = secretIn(delivery.secret);
    try {
      if (mandateId !== undefined) await checkMandate(mandateId, by, listing);
      const [maxAge, lifetime] = [maxAgeMs ?? undefined, ttlMs ?? undefined];
      return { ...(await subscriptions.subscribe(by, { name, mandateId, url, secret, cursor, maxAge, lifetime })) };
    } catch (error) {
      throw refusalOf(error, listing);
    }
  });
  server.setRequestHandler('events/unsubscribe', { params: unsubscribeParams }, async (params) => {
    const [by, key] = [authorized(caller), keyIn(params)];
    const isGone = await subscriptions.unsubscribe(by, key).catch((error: unknown) => {
      throw refusalOf(error, listing);
    });
    if (!isGone) throw fault(NOT_FOUND, 'Não há essa assinatura.', { kind: 'subscription' });
    return {};
  });
};

const fault = (code: number, message: string, data?: object): ProtocolError => new ProtocolError(code, message, data);
const invalid = (message: string): ProtocolError => fault(ProtocolErrorCode.InvalidParams, message);

/** A call without a token was refused by its HTTP status before. */
const authorized = (caller: Caller | null): Caller => {
  if (!caller) throw fault(FORBIDDEN, 'É preciso um token.');
  return caller;
};

const keyIn = ({ name, arguments: given, delivery }: z.infer<typeof unsubscribeParams>): SubscriptionKey => {
  if (!isEventType(name)) throw fault(NOT_FOUND, `Evento desconhecido: ${name}`, { kind: 'event' });
  const { mandateId, ...others } = given;
  if (Object.keys(others).length > 0 || (mandateId !== undefined && !isOfMandates(name)))
    throw invalid(`${name} não tem esse argumento.`);
  if (mandateId !== undefined && (typeof mandateId !== 'string' || !isId(mandateId)))
    throw invalid('mandateId deve ser um UUID.');
  return { name, mandateId, url: delivery.url };
};

/** An agent receives events of its own mandates alone. @throws DomainError `mandate_not_found` */
const checkMandate = async (
  mandateId: string,
  { holder, clientId }: Caller,
  { readers: { mandates } }: Listing,
): Promise<void> => {
  const { mandate } = await mandates.get(mandateId, holder);
  if (mandate.clientId !== clientId) throw new DomainError('mandate_not_found');
};

/** The bytes of a secret of Standard Webhooks: 24 to 64, as the draft has it. */
const secretIn = (text: string): Buffer => {
  const encoded = text.startsWith('whsec_') ? text.slice('whsec_'.length) : '';
  const secret = Buffer.from(encoded, 'base64');
  const isWhole = secret.toString('base64').replaceAll('=', '') === encoded.replace(/={1,2}$/, '');
  if (!isWhole || secret.length < 24 || secret.length > 64)
    throw invalid('delivery.secret deve ser whsec_ e de 24 a 64 bytes em base64.');
  return secret;
};

/** A refusal as the draft names it; what it has no name for as the other messages do. */
const refusalOf = (error: unknown, listing: Listing): ProtocolError => {
  if (error instanceof SubscriptionRefused) {
    if (error.fault === 'stopped') return fault(FORBIDDEN, 'O operador parou esta assinatura.');
    if (error.fault === 'address') return invalid('delivery.url deve ser um endereço https, sem usuário, senha ou #.');
    return fault(CALLBACK, 'O endereço não respondeu à verificação com o challenge.', { reason: error.fault });
  }
  const plain = protocolError(error, undefined, listing);
  if (!(error instanceof DomainError)) return plain;
  if (error.code === 'mandate_not_found' || error.code === 'mandate_forbidden')
    return fault(NOT_FOUND, 'Mandato não encontrado.', { kind: 'mandate' });
  if (error.code !== 'rate_limited') return plain;
  const { limit: max } = error.details as { readonly limit: number };
  // What is looked at at once has room again in a moment; what there is has not.
  if (error.retryAfter !== undefined)
    return fault(EXHAUSTED, plain.message, { limit: 'verifications', max, retryAfterMs: error.retryAfter * 1_000 });
  return fault(EXHAUSTED, `Há ${max} assinaturas: cancele uma antes.`, { limit: 'subscriptions', max });
};
