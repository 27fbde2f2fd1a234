import type { Api, Tokens } from '#agent';
import { ANA, apiAt, BRUNO, PILOT, PURCHASE, tokensFor } from '../support/agent.js';
import type { Booking, Mandate } from '../support/answers.js';
import { CHALLENGED_CARD, challengeIn, decide, loggedIn } from '../support/challenge.js';
import { agentWith } from '../support/consent.js';
import { book, buy, grant, order } from '../support/purchase.js';
import { OTHER_AGENT } from '../support/service.js';
import { SCARCE } from './flights.js';
import type { Random } from './random.js';
import type { Target } from './target.js';

export const KINDS = ['bookings', 'mandates', 'orders'] as const;
export type Kind = (typeof KINDS)[number];

export interface Actor {
  readonly name: string;
  readonly traveller: { readonly email: string; readonly password: string };
  readonly client: { readonly clientId: string; readonly secret: string };
  readonly holder: string;
  readonly token: string;
  /** Made for what each of them may lead to, and kept for the whole run. */
  readonly pinned: Readonly<Record<Kind, string[]>>;
  readonly made: Readonly<Record<Kind, string[]>>;
  /** A cookie of its traveller's browser. */
  readonly cookie: string;
}

/** Tokens that are good for nothing, or not for all, by why; `holder`: whose one is that is good for something. */
export type BadTokens = readonly { readonly why: string; readonly token: string; readonly holder?: string }[];

export interface World {
  readonly actors: readonly Actor[];
  readonly badTokens: BadTokens;
  /** Grants that may be used up by whoever fuzzes OAuth. */
  readonly spare: { readonly client: Actor['client']; readonly tokens: Tokens }[];
  /** Ids and ticket codes, by the traveller they belong to. */
  readonly owners: Map<string, string>;
  /** What lists have answered as the place of their next page. */
  readonly cursors: string[];
  /** Ids by the part they play, such as `paused` mandate or `denied` booking, for those who must meet just that one. */
  readonly parts: Map<string, string>;
}

/** How many of the latest things of a kind are remembered of an actor. */
const REMEMBERED = 100;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

export const idsIn = (text: string): readonly string[] => [
  ...(text.match(UUID) ?? []),
  ...(text.match(/(?<!\d)\d{13}(?!\d)/g) ?? []),
];

const holderOf = (token: string): string => {
  const [, payload = ''] = token.split('.');
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly sub: string }).sub;
};

/** Notes what an actor was answered: what it made, and that all of it is its traveller's. */
export const learn = (world: World, actor: Actor, kind: Kind | null, text: string): void => {
  const tickets = [...text.matchAll(/"ticket(?:Code|Id)":"(\d{13})"/g)].map(([, code = '']) => code);
  const ids = [...(text.match(UUID) ?? []), ...tickets];
  for (const id of ids) if (!world.owners.has(id)) world.owners.set(id, actor.holder);
  const [first] = ids;
  if (kind === null || first === undefined || actor.pinned[kind].includes(first)) return;
  const made = actor.made[kind];
  if (!made.includes(first)) made.push(first);
  if (made.length > REMEMBERED) made.shift();
};

/** Notes what became of a spare grant: its refresh token was exchanged for another, or is good for nothing any more. */
export const learnTokens = ({ spare }: World, sent: string, status: number, text: string): void => {
  const at = spare.findIndex(({ tokens }) => sent.includes(encodeURIComponent(tokens.refresh_token)));
  const [known] = at < 0 ? [] : spare.splice(at, 1);
  if (!known) return;
  if (status === 200 && text.startsWith('{"access_token"'))
    spare.push({ ...known, tokens: JSON.parse(text) as Tokens });
  else if (spare.length === 0 || (!text.includes('invalid_grant') && status !== 200)) spare.push(known); // the last one stays
};

/** An id of a kind, mostly of the actor's own. `isEnding`: it will be ended, so nothing that others need is named. */
export const someId = (random: Random, world: World, actor: Actor, kind: Kind, isEnding = false): string => {
  const roll = random.next();
  const sameTraveller = world.actors.filter(({ holder }) => holder === actor.holder);
  const others = world.actors.filter(({ holder }) => holder !== actor.holder);
  const owner = roll < 0.75 ? actor : random.pick(roll < 0.83 ? sameTraveller : others);
  const isPinned = random.chance(0.5) && !(isEnding && owner.holder === actor.holder);
  const list = isPinned ? owner.pinned[kind] : owner.made[kind];
  if (roll < 0.94 && list.length > 0) return random.pick(list);
  return `${(random.below(2 ** 31) + 2 ** 31).toString(16).slice(-8)}-0000-4000-8000-000000000000`;
};

const DAY = 86_400_000;

const CAST = [
  { name: 'ana with the pilot', traveller: ANA, client: PILOT },
  { name: 'ana with another', traveller: ANA, client: OTHER_AGENT },
  { name: 'bruno with the pilot', traveller: BRUNO, client: PILOT },
  { name: 'bruno with another', traveller: BRUNO, client: OTHER_AGENT },
] as const;

/** Lets everybody in, and makes one of everything that a request may meet. `departing`: a flight of the day after tomorrow. */
export const populate = async (target: Target, departing: string): Promise<World> => {
  const { origin } = target;
  const early = await tokensFor(origin);
  const departed = await book(apiAt(origin, early.access_token), { flightNumber: departing, fareCode: 'LEVE' });
  await target.pass(3 * DAY);
  const actors: Actor[] = [];
  for (const one of CAST) actors.push(await letIn(origin, one));
  const world: World = {
    actors,
    badTokens: await badTokensOf(origin, early.access_token),
    spare: [],
    owners: new Map(actors.map(({ holder }) => [holder, holder])),
    cursors: ['x'],
    parts: new Map(),
  };
  const [pilot, capped, , asking] = actors as [Actor, Actor, Actor, Actor];
  pilot.pinned.bookings.push(departed.id);
  world.parts.set('departed', departed.id);
  await agentWith({ cap: '20000' }, origin, capped.traveller, capped.client);
  for (const actor of actors) await provideBookings(apiAt(origin, actor.token), actor, world);
  for (const actor of actors) {
    if (actor === asking) continue;
    const { id } = await grant(apiAt(origin, actor.token), 1_500_000, LONG);
    actor.pinned.mandates.push(id);
    world.parts.set(`mandate of ${actor.name}`, id);
  }
  await provideMandates(target, pilot, world);
  await provideOrders(apiAt(origin, pilot.token), pilot, world);
  await agentWith({ mode: 'ask' }, origin, asking.traveller, asking.client);
  const { id: pending } = await grant(apiAt(origin, asking.token), 500_000, LONG);
  asking.pinned.mandates.push(pending);
  world.parts.set('pending', pending);
  for (const actor of actors)
    for (const kind of KINDS) for (const id of actor.pinned[kind]) world.owners.set(id, actor.holder);
  await addSpare(world, origin);
  return world;
};

const letIn = async (origin: string, { name, traveller, client }: (typeof CAST)[number]): Promise<Actor> => {
  const { access_token: token } = await tokensFor(origin, { traveller, client });
  const { browser } = await loggedIn(`${origin}/conta`, traveller);
  const none = (): Record<Kind, string[]> => ({ bookings: [], mandates: [], orders: [] });
  return {
    name,
    traveller,
    client,
    token,
    holder: holderOf(token),
    pinned: none(),
    made: none(),
    cookie: browser.cookie,
  };
};

const LONG = { durationMinutes: 10_080 } as const;
const WHOLE = { flightNumber: 'AL1201', fareCode: 'LEVE' } as const;

/** What every agent has: bookings that can be ordered and others that cannot. */
const provideBookings = async (api: Api, { name, pinned }: Actor, { parts }: World): Promise<void> => {
  const trips = {
    empty: {},
    'without a fare': { flightNumber: 'AL1201' },
    whole: WHOLE,
    bought: WHOLE,
    large: { ...WHOLE, passengers: 9 },
    scarce: { ...WHOLE, flightNumber: SCARCE, passengers: 2 },
  };
  for (const [part, trip] of Object.entries(trips)) {
    const { id } = await book(api, trip);
    pinned.bookings.push(id);
    parts.set(`${part} of ${name}`, id);
  }
};

/** A mandate in every state, and of every kind that refuses. */
const provideMandates = async (
  target: Target,
  { token, pinned, traveller }: Actor,
  { parts }: World,
): Promise<void> => {
  const api = apiAt(target.origin, token);
  const make = async (part: string, more: object = {}): Promise<Mandate> => {
    const mandate = await grant(api, 10 ** 9, { ...LONG, ...more });
    pinned.mandates.push(mandate.id);
    parts.set(part, mandate.id);
    return mandate;
  };
  await make('large');
  await make('tiny', { limit: { amount: 1, currency: 'BRL' } });
  await make('narrow', { scope: ['receipt:read'] });
  await make('constrained', { constraints: { to: ['REC'], maxOrders: 1 } });
  await make('foreign', { limit: { amount: 10 ** 9, currency: 'USD' } });
  await api.call('DELETE', `/mandates/${(await make('revoked')).id}`);
  await make('expired', { durationMinutes: 1 });
  const { browser, page } = await loggedIn(`${target.origin}/conta/mandatos/${(await make('paused')).id}`, traveller);
  await browser.submit(page, {});
  await target.pass(61_000);
};

/** Orders paid, waiting for the traveller's word, and denied by it; and bookings for those that will be refused. */
const provideOrders = async (api: Api, { pinned, traveller }: Actor, { parts }: World): Promise<void> => {
  const mandate = await grant(api, 10 ** 9, LONG);
  const booked = async (part: string): Promise<Booking> => {
    const booking = await book(api, WHOLE);
    pinned.bookings.push(booking.id);
    parts.set(part, booking.id);
    return booking;
  };
  pinned.mandates.push(mandate.id);
  await booked('declined');
  await booked('poor');
  pinned.orders.push((await buy(api, await booked('paid'), mandate)).id);
  pinned.orders.push(challengeIn(await order(api, await booked('challenged'), mandate, CHALLENGED_CARD)).id);
  const denied = challengeIn(await order(api, await booked('denied'), mandate, CHALLENGED_CARD));
  pinned.orders.push(denied.id);
  parts.set('spender', mandate.id);
  await decide(denied.url, traveller, 'deny');
};

/** Tokens that must open nothing, or not all. */
const badTokensOf = async (origin: string, expired: string): Promise<BadTokens> => {
  const other = (await tokensFor(origin)).access_token;
  const [head = '', payload = '', signature = ''] = other.split('.');
  const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
  const revoked = await tokensFor(origin);
  await fetch(`${origin}/oauth/revoke`, {
    method: 'POST',
    body: new URLSearchParams({
      token: revoked.access_token,
      client_id: PILOT.clientId,
      client_secret: PILOT.secret,
    }),
  });
  const narrow = PURCHASE.map(async (scope) => {
    const { access_token: token } = await tokensFor(origin, { scopes: [scope] });
    return { why: `only ${scope}`, token, holder: holderOf(token) };
  });
  return [
    { why: 'expired', token: expired },
    { why: 'revoked', token: revoked.access_token },
    { why: 'unsigned', token: `${none}.${payload}.` },
    { why: 'of another signature', token: `${head}.${payload}.${signature.slice(10) + signature.slice(0, 10)}` },
    { why: 'of another content', token: `${head}.${Buffer.from('{"sub":"x"}').toString('base64url')}.${signature}` },
    { why: 'no token', token: 'x' },
    { why: 'long', token: 'e30.'.repeat(2_000) },
    ...(await Promise.all(narrow)),
  ];
};

export const addSpare = async ({ spare, actors }: World, origin: string): Promise<void> => {
  if (spare.length > 2) return;
  for (const { traveller, client } of actors.slice(0, 2))
    spare.push({ client, tokens: await tokensFor(origin, { traveller, client }) });
};
