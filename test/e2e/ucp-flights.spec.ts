import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SmallSetting } from '../support/setting.js';
import { faultOf, type Schema } from '../support/json-schema.js';

const FLIGHTS = 'com.example.voos.shopping.flights';
const PLATFORM = 'https://agente.example/profile.json';
const WITHOUT = 'https://outro.example/profile.json';

const capabilities = Object.fromEntries(
  ['dev.ucp.shopping.checkout', 'dev.ucp.shopping.order', 'dev.ucp.shopping.catalog.search', FLIGHTS].map((name) => [
    name,
    [{ version: '2026-04-08' }],
  ]),
);
const { [FLIGHTS]: _, ...fewer } = capabilities;
const profile = (known: object) => ({ ucp: { version: '2026-04-08', capabilities: known } });
const file = join(mkdtempSync(join(tmpdir(), 'ucp-')), 'platforms.json');
writeFileSync(
  file,
  JSON.stringify({
    [PLATFORM]: profile(capabilities),
    [WITHOUT.toUpperCase().replace('PROFILE.JSON', '%70rofile.json')]: profile(fewer),
  }),
);

const setting = new SmallSetting({ UCP_NAMESPACE: 'com.example.voos', UCP_PLATFORMS: file });

interface Answer {
  readonly id: string;
  readonly status: string;
  readonly code?: string;
  readonly ucp: { readonly capabilities: object };
  readonly messages: readonly { readonly code: string; readonly path?: string }[];
  readonly order?: { readonly id: string };
  readonly products?: readonly { readonly variants: readonly { readonly id: string }[] }[];
  readonly flights?: {
    readonly segments: readonly { readonly flightNumber: string; readonly fareCode: string }[];
    readonly conditions: { readonly description: string };
    readonly passengers?: readonly object[];
    readonly tickets?: readonly { readonly code: string; readonly passenger: object | null }[];
    readonly locator?: string;
  };
}

const ask = async (method: string, path: string, body?: object, platform = PLATFORM) => {
  const headers = { 'ucp-agent': `profile="${platform}"`, ...(body && { 'content-type': 'application/json' }) };
  const given = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(`${setting.origin}/ucp/v1${path}`, given);
  return { status: response.status, body: (await response.json()) as Answer };
};

const itemOnSale = async (): Promise<string> => {
  const { body } = await ask('POST', '/catalog/search', { query: '*' });
  return body.products?.[0]?.variants[0]?.id ?? '';
};

const ANA = { givenName: 'Conceição', familyName: 'dos Santos', birthDate: '1990-05-17' };
const RUI = { givenName: 'Rui', familyName: 'Assis', document: { type: 'RG', number: '77.012.345-X' } };

const wanted = (item: string, quantity: number, flights?: unknown) => ({
  line_items: [{ item: { id: item }, quantity }],
  ...(flights !== undefined && { flights }),
});
const paidBy = (token: string) => {
  const instrument = { id: 'i1', handler_id: 'alcada_mandate', type: 'mandate_token' };
  return { payment: { instruments: [{ ...instrument, credential: { type: 'mandate_token', token } }] } };
};
const PAID = paidBy('alcada_test_accepted');

describe('the extension for flights', () => {
  it('is told at the domain of the operator, and its schema is what is answered', async () => {
    const business = (await (await fetch(`${setting.origin}/.well-known/ucp`)).json()) as {
      readonly ucp: { readonly capabilities: Readonly<Record<string, readonly object[]>> };
    };
    expect(business.ucp.capabilities[FLIGHTS]).toEqual([
      {
        version: '2026-04-08',
        spec: 'https://voos.example.com/docs/agents',
        schema: 'https://voos.example.com/ucp/v1/schemas/flights',
        extends: ['dev.ucp.shopping.checkout', 'dev.ucp.shopping.order'],
      },
    ]);
    const schema = (await (await fetch(`${setting.origin}/ucp/v1/schemas/flights`)).json()) as {
      readonly $id: string;
      readonly name: string;
      readonly $defs: Readonly<Record<string, Schema>>;
    };
    expect([schema.$id, schema.name]).toEqual(['https://voos.example.com/ucp/v1/schemas/flights', FLIGHTS]);
    const item = await itemOnSale();
    const { body: begun } = await ask('POST', '/checkout-sessions', wanted(item, 2, { passengers: [ANA, RUI] }));
    expect(begun).toMatchObject({ status: 'ready_for_complete', flights: { passengers: [ANA, RUI] } });
    expect(faultOf(schema.$defs['flights_of_checkout'] ?? {}, begun.flights)).toBeNull();
    const { body: bought } = await ask('POST', `/checkout-sessions/${begun.id}/complete`, PAID);
    expect([bought.status, bought.flights]).toEqual([
      'completed',
      { segments: begun.flights?.segments, conditions: begun.flights?.conditions },
    ]);
    const { body: order } = await ask('GET', `/orders/${bought.order?.id ?? ''}`);
    expect(faultOf(schema.$defs['flights_of_order'] ?? {}, order.flights)).toBeNull();
    expect(order.flights?.tickets?.map(({ passenger }) => passenger)).toEqual([ANA, RUI]);
    expect(order).toMatchObject({ label: order.flights?.locator, flights: { segments: begun.flights?.segments } });
    expect(Object.keys(order.ucp.capabilities)).toEqual(['dev.ucp.shopping.order', FLIGHTS]);
    const mandateToken = await fetch(`${setting.origin}/ucp/v1/schemas/mandate-token`);
    expect(await mandateToken.json()).toMatchObject({ $id: `${setting.origin}/ucp/v1/schemas/mandate-token` });
  });

  it('checks who flies as a booking does, and buys for nobody whom that refuses', async () => {
    const item = await itemOnSale();
    const { body: begun } = await ask('POST', '/checkout-sessions', wanted(item, 2, { passengers: [ANA] }));
    const told = ({ status, messages }: Answer) => [status, messages.map(({ code, path }) => [code, path])];
    expect(told(begun)).toEqual(['incomplete', [['invalid_passengers', '$.flights.passengers']]]);
    const path = `/checkout-sessions/${begun.id}`;
    const { body: refused } = await ask('POST', `${path}/complete`, PAID);
    expect(told(refused)).toEqual(told(begun));
    const unborn = { ...RUI, birthDate: '2999-01-01' };
    const { body: changed } = await ask('PUT', path, wanted(item, 1, { passengers: [{ ...ANA, givenName: '7' }] }));
    expect(told(changed)).toEqual(['incomplete', [['invalid_passengers', '$.flights.passengers[0].givenName']]]);
    const { body: later } = await ask('PUT', path, wanted(item, 2, { passengers: [ANA, unborn] }));
    expect(told(later)).toEqual(['incomplete', [['invalid_passengers', '$.flights.passengers[1].birthDate']]]);
    const malformed = await ask('PUT', path, wanted(item, 2, { passengers: [{ givenName: 7 }] }));
    expect([malformed.status, malformed.body.code, malformed.body.messages[0]?.path]).toEqual([
      ...[400, 'invalid_request', '$.flights.passengers[0].givenName'],
    ]);
    await ask('PUT', path, wanted(item, 2, { passengers: [ANA, RUI] }));
    await ask('POST', `${path}/complete`, paidBy('alcada_test_declined'));
    // There is a booking by now, and it keeps who was named.
    const { body: one } = await ask('PUT', path, wanted(item, 1));
    expect(told(one)[1]).toEqual([['invalid_passengers', '$.flights.passengers']]);
    const { body: alone } = await ask('PUT', path, wanted(item, 1, { passengers: [RUI] }));
    expect([alone.status, alone.flights?.passengers]).toEqual(['ready_for_complete', [RUI]]);
    const { body: bought } = await ask('POST', `${path}/complete`, PAID);
    const { body: order } = await ask('GET', `/orders/${bought.order?.id ?? ''}`);
    expect(order.flights?.tickets?.map(({ passenger }) => passenger)).toEqual([RUI]);
  });

  it('is nothing to a platform that does not know it: what it sends under that name is not looked at', async () => {
    const { status, body } = await ask('POST', '/checkout-sessions', wanted(await itemOnSale(), 1, 7), WITHOUT);
    expect([status, body.status, body.flights]).toEqual([201, 'ready_for_complete', undefined]);
    expect(Object.keys(body.ucp.capabilities)).toEqual(['dev.ucp.shopping.checkout']);
  });
});
