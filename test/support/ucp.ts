import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHARGE_SCOPES, money, newCause, type Party, plus } from '#kernel';
import { delegations, mandates } from '#mandate';
import { Clients } from '#oauth';
import { agentOf } from '../../libs/ucp/src/testing/index.js';
import type { RunningApi } from '../../apps/api/src/start.js';
import { tokensFor } from './agent.js';
import type { Traveller } from './consent.js';

/** A checkout as a platform gets it, as far as tests look at it (UCP, `checkout.json`). */
export interface Checkout {
  readonly ucp: { readonly status: string; readonly payment_handlers?: Readonly<Record<string, readonly object[]>> };
  readonly id: string;
  readonly status: string;
  readonly currency: string;
  readonly line_items: readonly {
    readonly id: string;
    readonly item: { readonly id: string; readonly price: number };
    readonly quantity: number;
    readonly totals: readonly Total[];
  }[];
  readonly totals: readonly Total[];
  readonly messages: readonly { readonly code: string; readonly severity?: string; readonly path?: string }[];
  readonly continue_url?: string;
  readonly order?: { readonly id: string; readonly label: string; readonly permalink_url: string };
  readonly code?: string;
  readonly content?: string;
  readonly ap2?: {
    readonly merchant_authorization?: string;
    readonly checkout_jwt?: string;
    readonly checkout_receipt?: string;
    readonly payment_receipt?: string;
    readonly mandate?: {
      readonly id: string;
      readonly status: { readonly status_list: { readonly idx: number; readonly uri: string } };
    };
  };
  /** Of a search. */
  readonly products?: readonly { readonly variants: readonly { readonly id: string }[] }[];
}
interface Total {
  readonly type: string;
  readonly amount: number;
  readonly lines?: readonly { readonly amount: number }[];
}

/** The platform that is known without a fetch, and proven, on an installation that nobody else can reach. */
export const KNOWN_PLATFORM = 'https://spck.dev/agent';

/** Another one. */
export const OTHER_PLATFORM = 'https://shopify.dev/ucp/agent-profiles/2026-04-08/valid-with-capabilities.json';

/** A completion by a token. */
export const paidBy = (token: string) => ({
  payment: {
    instruments: [
      {
        ...{ id: 'i1', handler_id: 'alcada_mandate', type: 'mandate_token', selected: true },
        credential: { type: 'mandate_token', token },
      },
    ],
  },
});
export const ACCEPTED = paidBy('alcada_test_accepted');

/** What a tool's call is answered. */
export interface ToolAnswer {
  readonly id: number;
  readonly result?: {
    readonly structuredContent: Checkout;
    readonly content: readonly { readonly text: string }[];
  };
  readonly error?: { readonly code: number; readonly data?: { readonly code: string } };
}

/** A platform's agent by REST and MCP, with a traveller's token or without. */
export class PlatformAgent {
  constructor(
    private readonly origin: () => string,
    private readonly profile = KNOWN_PLATFORM,
    private readonly token?: string,
  ) {}

  async ask(method: string, path: string, body?: object, key?: string) {
    const headers = {
      'ucp-agent': `profile="${this.profile}"`,
      ...this.authorization,
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    const given = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${this.origin()}/ucp/v1${path}`, given);
    return { status: response.status, headers: response.headers, body: (await response.json()) as Checkout };
  }

  /** The same by MCP, under a key of its own. */
  async call(name: string, given: object) {
    const meta = { 'ucp-agent': { profile: this.profile }, 'idempotency-key': randomUUID() };
    const params = { name, arguments: { meta, ...given } };
    const response = await fetch(`${this.origin()}/ucp/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...this.authorization },
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }),
    });
    return { status: response.status, headers: response.headers, ...((await response.json()) as ToolAnswer) };
  }

  private get authorization(): Readonly<Record<string, string>> {
    return this.token === undefined ? {} : { authorization: `Bearer ${this.token}` };
  }

  /** A new session for one item. */
  async create(itemId: string, quantity = 1, more: object = {}): Promise<Checkout> {
    const line_items = [{ item: { id: itemId }, quantity }];
    return (await this.ask('POST', '/checkout-sessions', { line_items, ...more })).body;
  }

  async get(id: string): Promise<Checkout> {
    return (await this.ask('GET', `/checkout-sessions/${id}`)).body;
  }

  async complete(id: string, body: object = ACCEPTED, key?: string): Promise<Checkout> {
    return (await this.ask('POST', `/checkout-sessions/${id}/complete`, body, key)).body;
  }

  /** The state of a session once it is no longer being completed. */
  async ended(id: string): Promise<Checkout> {
    for (;;) {
      const checkout = await this.get(id);
      if (checkout.status !== 'complete_in_progress') return checkout;
      await sleep(50);
    }
  }

  /** The first item on sale that nine seats are left of. */
  async item(place = 0): Promise<string> {
    const { body } = await this.ask('POST', '/catalog/search', { query: '*' });
    return body.products?.[place]?.variants[0]?.id ?? '';
  }
}

/** A mandate of a platform that a traveller has let in, as they grant one to an agent that they linked. */
export const grantedTo = async ({ dependencies }: RunningApi, party: Party): Promise<string> => {
  const { aggregates, clock, ids } = dependencies;
  const mandateId = ids.next();
  const context = { actor: party, ...newCause(ids) };
  const [limit, startsAt, minutes] = [money(9_000_00, 'BRL'), clock.now(), 60];
  const expiresAt = plus(startsAt, minutes * 60_000);
  await aggregates.handle(delegations, party, { type: 'SetSpendingCap', cap: null }, context);
  const open = { type: 'OpenMandate', mandateId, limit, expiresAt, isDecided: true } as const;
  await aggregates.handle(delegations, party, open, context);
  const terms = { scope: CHARGE_SCOPES, limit, minutes, startsAt, expiresAt, grantedBy: 'traveller' } as const;
  await aggregates.begin(mandates, mandateId, { type: 'CreateMandate', mandateId, ...party, ...terms }, context);
  return mandateId;
};

/** An access token of a traveller for a platform that they linked. Who nobody registered would prove itself by https alone. */
export const linkedTo = async (
  service: RunningApi,
  profile: string,
  traveller: Traveller,
  scopes?: readonly string[],
): Promise<string> => {
  const client = { clientId: agentOf({ profile }), secret: 'a-secret-of-the-platform' };
  const { documents, oauthSettings } = service.dependencies;
  const [pilot] = oauthSettings.clients;
  if (!pilot) throw new Error('the configuration has a pilot');
  await new Clients(documents).ensure({ ...pilot, ...client });
  return (await tokensFor(service.origin, { traveller, client, ...(scopes && { scopes }) })).access_token;
};
