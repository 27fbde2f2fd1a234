import { CHALLENGED_CARD } from '../support/challenge.js';
import { DECLINED_CARD, GOOD_CARD } from '../support/purchase.js';
import { type Asking, valueOf } from './members.js';
import { type Composed, FLOODING, JSON_TYPE } from './requests.js';
import type { Operation, Surface } from './surface.js';
import { jsonOf } from './values.js';
import { type Actor, KINDS } from './world.js';

interface Otherwise {
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string | null;
  readonly body?: string;
  readonly query?: string;
  /** What its path names. */
  readonly id?: string;
}

/** A request signature that nobody made (RFC 9421). */
const SIGNED_BY_NOBODY = {
  'signature-input': 'a=("@authority");created=1;expires=2;keyid="nobody";tag="web-bot-auth"',
  signature: 'a=:AAAA:',
};

const CREATE = JSON.stringify({ tool: 'create_booking', arguments: {} });

/** A good request for an operation, but for what it says otherwise. */
const called = (asking: Asking, operation: Operation, otherwise: Otherwise): Composed => {
  const { actor } = asking;
  const kind = KINDS.find((one) => operation.path.includes(`/${one}/`));
  const id = otherwise.id ?? (kind ? (operation.method === 'GET' ? actor.pinned[kind][0] : undefined) : 'AL1201');
  const path = operation.path.replaceAll(/\{\w+\}/g, id ?? 'x');
  const given = otherwise.body ?? (operation.body ? jsonOf(valueOf('', operation.body, asking)) : null);
  const body = given === null ? null : Buffer.from(given);
  const token = otherwise.token === undefined ? actor.token : otherwise.token;
  const headers = {
    host: '127.0.0.1',
    'x-forwarded-for': '10.0.0.1',
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': JSON_TYPE, 'content-length': String(body.length) }),
    ...otherwise.headers,
  };
  return {
    operation,
    actor: token === actor.token ? actor : null,
    tool: null,
    isMangled: false,
    sent: { method: operation.method, target: path + (otherwise.query ?? ''), headers: Object.entries(headers), body },
  };
};

/** For each operation the refusals of parsers and guards before its handler, which are left to no chance. */
export const rollCall = (asking: Asking, operations: readonly Operation[]): readonly Composed[] => {
  const { world } = asking;
  const bad = world.badTokens[0]?.token ?? 'x';
  const narrow = (scopes: readonly string[]) =>
    world.badTokens.find(({ why }) => why.startsWith('only ') && !scopes.includes(why.slice('only '.length)))?.token;
  const each = (otherwise: (operation: Operation) => Otherwise, which = (_: Operation): boolean => true) =>
    operations.filter(which).map((operation) => called(asking, operation, otherwise(operation)));
  const takesBody = ({ method }: Operation) => method !== 'GET';
  const needsToken = ({ scopes, path }: Operation) => scopes.length > 0 || path.endsWith('/webmcp/call');
  const isTool = ({ path }: Operation) => path.endsWith('/webmcp/call');
  const scoped = ({ path, scopes }: Operation): string | undefined =>
    path.endsWith('/webmcp/call')
      ? '{"tool":"get_receipt","arguments":{"orderId":"x"}}'
      : scopes.length > 0
        ? undefined
        : '';
  const bodyOf = (operation: Operation) => {
    const body = scoped(operation);
    return isTool(operation) && body ? { body } : {};
  };
  return [
    ...each(() => ({})),
    ...each((one) => ({ token: null, ...bodyOf(one) }), needsToken),
    ...each((one) => ({ token: bad, ...bodyOf(one) }), needsToken),
    ...each((one) => {
      const token = narrow(isTool(one) ? ['receipt:read'] : one.scopes);
      return { token: token ?? null, ...bodyOf(one) };
    }, needsToken),
    ...each(() => ({ headers: { prefer: 'handling=strict' }, query: '?unknown=1' })),
    ...each(
      ({ path }) => ({ headers: { 'if-none-match': '*' }, query: path.endsWith('/fares') ? '?budget=1' : '' }),
      ({ answers }) => answers.has(304),
    ),
    ...each(() => ({ headers: { 'idempotency-key': 'a b' }, body: CREATE }), isTool),
    ...each(
      () => ({ query: '?budget=1&passengers=1&passengers=2' }),
      ({ path }) => path.endsWith('/fares'),
    ),
    ...each(() => ({ headers: SIGNED_BY_NOBODY }), takesBody),
    ...each(() => ({ body: '{' }), takesBody),
    ...each(() => ({ body: `{"a":"${'x'.repeat(70_000)}"}` }), takesBody),
    ...each(() => ({ body: 'x', headers: { 'content-type': 'text/plain' } }), takesBody),
    ...each(
      () => ({ headers: { 'idempotency-key': 'a b' } }),
      ({ parameters }) => parameters.some(({ name }) => name === 'Idempotency-Key'),
    ),
  ];
};

/** So many requests as use up the limits of an address, and then one for each operation. */
export const flooded = (asking: Asking, operations: readonly Operation[], limit: number): readonly Composed[] => {
  const late = operations.map((one) => called(asking, one, { headers: { 'x-forwarded-for': FLOODING } }));
  const cheap = (isCheap: (composed: Composed) => boolean): readonly Composed[] => {
    const [one] = late.filter(isCheap);
    return one ? Array<Composed>(limit).fill(one) : [];
  };
  const reads = cheap(({ operation: { path } }) => path.endsWith('/health'));
  const operated = cheap(({ operation: { name } }) => name === 'GET /bookings/{id}');
  return [...reads, ...operated, ...late];
};

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** Everything that a traveller's things and orders refuse, so that none is left to chance (docs/decisions.md, Order). */
export const orderCall = (asking: Asking, { described, doors, tools }: Surface): readonly Composed[] => {
  const { parts, actors } = asking.world;
  const [pilot, other, buyer, asker] = actors;
  if (!pilot || !other || !buyer || !asker) throw new Error('the cast has changed');
  const part = (name: string): string => parts.get(name) ?? name;
  const whole = part(`whole of ${pilot.name}`);
  const place = named(described, 'POST /orders');
  const by = (actor: Actor, body: object, headers = {}) =>
    called({ ...asking, actor }, place, { body: JSON.stringify(body), headers });
  const placed = (bookingId: string, mandateId: string | undefined, payment: object = GOOD_CARD, more: object = {}) =>
    by(pilot, { bookingId, mandateId, payment, ...more });
  const spender = part('spender');
  const asked = { bookingId: part(`whole of ${asker.name}`), payment: GOOD_CARD };
  const declined = { bookingId: part('declined'), mandateId: spender, payment: DECLINED_CARD };
  const key = { 'idempotency-key': 'one-order' };
  const bought = doors.flatMap((door, at) => {
    const bookingId = part(`${at === 0 ? 'whole' : 'large'} of ${buyer.name}`);
    const args = { bookingId, mandateId: part(`mandate of ${buyer.name}`), payment: GOOD_CARD };
    const [tool] = tools.filter(({ name }) => name === 'place_order');
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'place_order', arguments: args } };
    const body = JSON.stringify(door.path === '/mcp' ? call : { tool: 'place_order', arguments: args });
    const accept = 'application/json, text/event-stream';
    return [{ ...called({ ...asking, actor: buyer }, door, { body, headers: { accept } }), tool: tool ?? null }];
  });
  return [
    ...['revoked', 'expired', 'paused', 'tiny', 'narrow', 'constrained', 'foreign', NOBODY].map((name) =>
      placed(whole, part(name)),
    ),
    ...['paid', 'challenged', 'departed', `empty of ${pilot.name}`, `scarce of ${pilot.name}`, NOBODY].map((name) =>
      placed(part(name), spender),
    ),
    placed(whole, part(`mandate of ${other.name}`)),
    placed(whole, undefined),
    placed(whole, spender, {}),
    placed(whole, spender, GOOD_CARD, { buyer: 3 }),
    placed(whole, spender, GOOD_CARD, { expectedTotal: { amount: 1, currency: 'BRL' } }),
    placed(whole, spender, { ...GOOD_CARD, expiry: '01/20' }),
    placed(whole, spender, { ...GOOD_CARD, cardNumber: '4242424242424241' }),
    placed(part('poor'), spender, { ...GOOD_CARD, cardNumber: '4000000000009995' }),
    placed(part('challenged'), spender, CHALLENGED_CARD),
    placed(part('denied'), spender, CHALLENGED_CARD),
    by(asker, { ...asked, mandateId: part('pending') }),
    by(asker, asked),
    by(pilot, declined, key),
    by(pilot, { ...declined, buyer: {} }, key),
    by(buyer, {
      bookingId: part(`bought of ${buyer.name}`),
      mandateId: part(`mandate of ${buyer.name}`),
      payment: GOOD_CARD,
    }),
    ...['paid', 'departed'].map((name) =>
      called(asking, named(described, 'PATCH /bookings/{id}'), { id: part(name), body: '{"passengers":2}' }),
    ),
    ...bought,
  ];
};

/** What writes, for a log that refuses to be written. */
export const downCall = (asking: Asking, { described }: Surface): readonly Composed[] => {
  const { parts, actors } = asking.world;
  const part = (name: string): string => parts.get(name) ?? name;
  const order = { bookingId: part(`whole of ${actors[0]?.name ?? ''}`), mandateId: part('large'), payment: GOOD_CARD };
  const ask = (name: string, otherwise: Otherwise) => called(asking, named(described, name), otherwise);
  return [
    ask('POST /orders', { body: JSON.stringify(order) }),
    ask('POST /bookings', { body: '{}' }),
    ask('POST /mandates', { body: '{"limit":{"amount":1,"currency":"BRL"}}' }),
    ask('PATCH /bookings/{id}', { id: part('large of ana with the pilot'), body: '{"passengers":2}' }),
    ask('DELETE /mandates/{id}', { id: part('large') }),
    ask('POST /webmcp/call', { body: CREATE }),
  ];
};

const named = (operations: readonly Operation[], name: string): Operation => {
  const found = operations.find((one) => one.name === name);
  if (!found) throw new Error(`nothing is called ${name}`);
  return found;
};
