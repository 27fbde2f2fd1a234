import { Aggregates } from '#event-store';
import type { Constraints, StreamType } from '#events';
import { CHARGE_SCOPES, type Money, money, plus, RandomIds, type Scope, systemContext } from '#kernel';
import { delegations, type MandateListItem, mandates, mandatesProjection } from '#mandate';
import { FixedClock, projected } from '#testing';
import { MemoryEventStore } from '../../../event-store/src/testing/index.js';
import { chooseMandate } from './choose-mandate.js';

const clock = new FixedClock();
const ids = new RandomIds();
const context = systemContext('a test');
const reais = (amount: number): Money => money(amount * 100, 'BRL');

const store = new MemoryEventStore();
const aggregates = new Aggregates(store, clock, ids);

const clientId = 'pilot';
let holder = '';
const authorize = (agent: string) => {
  const command = { type: 'AuthorizeAgent', holder, clientId: agent, grantId: 'g', scopes: [] } as const;
  return aggregates.handle(delegations, { holder, clientId: agent }, command, context);
};
beforeEach(async () => {
  holder = ids.next();
  await authorize(clientId);
});

/** A flight from Guarulhos to Recife, at R$ 500 a seat. */
const TO_RECIFE = { flightNumber: 'AL4012', from: 'GRU', to: 'REC', unitPrice: reais(500) };

interface Granted {
  readonly limit?: Money;
  readonly consumed?: Money;
  readonly scope?: readonly Scope[];
  readonly minutes?: number;
  readonly agent?: string;
  readonly constraints?: Constraints;
}

const opened = async ({ limit = reais(1000), minutes = 60, agent = clientId }: Granted = {}) => {
  const mandateId = ids.next();
  const expiresAt = plus(clock.now(), minutes * 60_000);
  const open = { type: 'OpenMandate', mandateId, limit, expiresAt } as const;
  await aggregates.handle(delegations, { holder, clientId: agent }, open, context);
  return { mandateId, holder, clientId: agent, limit, minutes, startsAt: clock.now(), expiresAt };
};

/** Opens and creates a mandate, of which part may be spent already; returns its id. */
const granted = async (wanted: Granted = {}): Promise<string> => {
  const terms = await opened(wanted);
  const { scope = CHARGE_SCOPES, constraints = {} } = wanted;
  const create = { type: 'CreateMandate', ...terms, scope, constraints, grantedBy: 'agent' } as const;
  await aggregates.handle(mandates, terms.mandateId, create, context);
  if (wanted.consumed) {
    const [orderId, holdBefore] = [ids.next(), plus(clock.now(), 60_000)];
    const charge = {
      orderId,
      bookingId: ids.next(),
      holder,
      clientId: terms.clientId,
      amount: wanted.consumed,
      purchase: TO_RECIFE,
      holdBefore,
    };
    await aggregates.handle(mandates, terms.mandateId, { type: 'Reserve', ...charge }, context);
    await aggregates.handle(mandates, terms.mandateId, { type: 'Consume', orderId }, context);
  }
  return terms.mandateId;
};

/** A mandate that its agent asked for, of more than its traveller will grant. */
const requested = async () => {
  const mandateId = ids.next();
  const terms = { mandateId, holder, clientId, scope: CHARGE_SCOPES, minutes: 60, constraints: {} };
  const [requestedAt, lapsesAt] = [clock.now(), plus(clock.now(), 900_000)];
  const request = { type: 'RequestMandate', ...terms, limit: reais(400), requestedAt, lapsesAt } as const;
  await aggregates.handle(mandates, mandateId, request, context);
  const approve = async () => {
    const [limit, startsAt, expiresAt] = [reais(700), clock.now(), plus(clock.now(), 3_600_000)];
    await aggregates.handle(mandates, mandateId, { type: 'Approve', holder, limit, minutes: 60 }, context);
    const open = { type: 'OpenMandate', mandateId, limit, expiresAt } as const;
    await aggregates.handle(delegations, { holder, clientId }, open, context);
    const create = { type: 'CreateMandate', ...terms, limit, startsAt, expiresAt, grantedBy: 'traveller' } as const;
    await aggregates.handle(mandates, mandateId, create, context);
  };
  return { mandateId, approve };
};

const revoke = (mandateId: string) => aggregates.handle(mandates, mandateId, { type: 'Revoke', holder }, context);

/** The mandates' list as it stands when it is asked; by default it is far behind, and knows none. */
type List = ReadonlyMap<string, MandateListItem>;
const NONE: List = new Map();

const choose = async (amount = reais(500), list: List = NONE, process = aggregates) => {
  const { state } = await aggregates.load(delegations, { holder, clientId });
  const delegation = state.status === 'unknown' ? { openMandates: {}, ending: [] } : state;
  const dependencies = { aggregates: process, listed: () => Promise.resolve(list) };
  return chooseMandate(dependencies, delegation, { amount, purchase: TO_RECIFE }, clock.now());
};

const listOf = async (...listed: readonly string[]): Promise<List> => {
  const events: Parameters<typeof projected>[1][] = [];
  for (const stream of listed.map((id) => mandates.streamOf(id)))
    for await (const stored of store.readStream(stream)) events.push([stream, mandates.decode(stored)]);
  return new Map(Object.entries(projected(mandatesProjection, ...events)));
};

class Observed extends Aggregates {
  readonly loaded: string[] = [];

  override load<Id, State, Event>(type: StreamType<Id, State, never, Event>, id: Id) {
    this.loaded.push(type.streamOf(id));
    return super.load(type, id);
  }
}

describe('a mandate that nobody named (rule 20)', () => {
  it('is required where there is none at all', async () => {
    await expect(choose()).rejects.toMatchObject({ code: 'mandate_required' });
    holder = ids.next();
    await expect(choose()).rejects.toMatchObject({ code: 'mandate_required' });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['revoked', async () => revoke(await granted())],
    ['exhausted', () => granted({ consumed: reais(1000) })],
    ['in another currency', () => granted({ limit: money(1000_00, 'USD') })],
    ['too narrow in scope', () => granted({ scope: ['order:write'] })],
    ['opened and not created yet', () => opened()],
    ['another agent’s', () => authorize('other').then(() => granted({ agent: 'other' }))],
    [
      'expired',
      async () => {
        await granted({ minutes: 1 });
        clock.advance(60_000);
      },
    ],
  ])('is not one that is %s', async (_, grant) => {
    await grant();
    await expect(choose()).rejects.toMatchObject({ code: 'mandate_required' });
    const mandateId = await granted();
    expect(await choose()).toBe(mandateId);
  });

  it('is the only one there is, also where it cannot pay: its own judgement says so', async () => {
    const mandateId = await granted({ consumed: reais(999) });
    expect(await choose()).toBe(mandateId);
  });

  it('is the only one of several with enough left, to the last cent', async () => {
    await granted({ consumed: money(500_01, 'BRL') });
    const mandateId = await granted({ consumed: reais(500) });
    await granted({ limit: reais(499) });
    expect(await choose()).toBe(mandateId);
  });

  it('is not guessed where several could pay', async () => {
    const could = [await granted(), await granted()];
    await granted({ limit: reais(1) });
    await expect(choose()).rejects.toMatchObject({ code: 'mandate_ambiguous', details: { mandateIds: could } });
  });

  it('is none of several that have too little left each, though together they would do', async () => {
    await granted({ limit: reais(300) });
    await granted({ limit: reais(400) });
    await expect(choose()).rejects.toMatchObject({
      code: 'mandate_limit_exceeded',
      details: { required: reais(500), remaining: reais(400) },
    });
  });

  it('is found by its own stream, whatever this process has cached', async () => {
    const mandateId = await granted();
    expect(await choose()).toBe(mandateId);
    const elsewhere = new Aggregates(store, clock, ids);
    await elsewhere.handle(mandates, mandateId, { type: 'Revoke', holder }, context);
    await expect(choose()).rejects.toMatchObject({ code: 'mandate_required' });
  });

  it('is looked for where the list says that there may be enough, whatever else is open', async () => {
    const small = [];
    for (let n = 0; n < 12; n += 1) small.push(await granted({ limit: reais(499) }));
    const spent = await granted({ consumed: reais(501) }); // it may come back
    small.push(spent, await granted({ scope: ['order:write'] }));
    const mandateId = await granted();
    const list = await listOf(...small, mandateId);
    const process = new Observed(store, clock, ids);
    expect(await choose(reais(500), list, process)).toBe(mandateId);
    expect(process.loaded).toEqual([spent, mandateId].map((id) => mandates.streamOf(id)));
    await expect(choose(reais(5000), list, process)).rejects.toMatchObject({
      code: 'mandate_limit_exceeded',
      details: { remaining: reais(1000) },
    });
    expect(process.loaded).toHaveLength(2);
  });

  it('is looked for among those alone that run and are of the currency, by what the delegation says', async () => {
    await granted({ limit: money(5000_00, 'USD') });
    await granted({ minutes: 1 });
    clock.advance(60_000);
    const mandateId = await granted();
    const process = new Observed(store, clock, ids);
    expect(await choose(reais(500), NONE, process)).toBe(mandateId);
    expect(process.loaded).toEqual([mandates.streamOf(mandateId)]);
  });

  it('is not guessed where several could pay, and all of them are named after two were found', async () => {
    const could = [await granted(), await granted(), await granted()];
    const process = new Observed(store, clock, ids);
    await expect(choose(reais(500), await listOf(...could), process)).rejects.toMatchObject({
      code: 'mandate_ambiguous',
      details: { mandateIds: could },
    });
    expect(process.loaded).toHaveLength(2);
  });

  it('is found by its own stream where the list is behind: money came back, it was revoked, it is not listed yet', async () => {
    const [busy, gone, small] = [await granted(), await granted(), await granted({ limit: reais(1) })];
    const [orderId, holdBefore] = [ids.next(), plus(clock.now(), 60_000)];
    const charge = { holder, clientId, amount: reais(900), purchase: TO_RECIFE };
    const reserve = { type: 'Reserve', orderId, bookingId: ids.next(), ...charge, holdBefore } as const;
    await aggregates.handle(mandates, busy, reserve, context);
    const list = await listOf(busy, gone, small);
    await aggregates.handle(mandates, busy, { type: 'Release', orderId, holdBefore }, context);
    await revoke(gone);
    expect(await choose(reais(500), list)).toBe(busy);
    const fresh = await granted();
    await expect(choose(reais(500), list)).rejects.toMatchObject({ details: { mandateIds: [busy, fresh] } });
  });

  it('is not guessed where the list has one as paused that was resumed since, nor required where it is the only one', async () => {
    const [open, paused] = [await granted(), await granted({ limit: reais(600) })];
    const as = (type: 'Pause' | 'Resume') => aggregates.handle(mandates, paused, { type, holder }, context);
    await as('Pause');
    const list = await listOf(open, paused);
    expect(await choose(reais(500), list)).toBe(open);
    await as('Resume');
    await expect(choose(reais(500), list)).rejects.toMatchObject({ details: { mandateIds: [open, paused] } });
    await revoke(open);
    expect(await choose(reais(500), list)).toBe(paused);
    expect(await choose(reais(700), list)).toBe(paused);
  });

  it('is not guessed where the list has one as waiting that was approved since', async () => {
    const [open, asked] = [await granted(), await requested()];
    const list = await listOf(open, asked.mandateId);
    await asked.approve();
    await expect(choose(reais(500), list)).rejects.toMatchObject({ details: { mandateIds: [open, asked.mandateId] } });
  });

  it.each([
    [{ from: ['VCP'] }],
    [{ to: ['SSA'] }],
    [{ maxPricePerSeat: reais(499) }],
    [{ orderTotal: { max: reais(499) } }],
  ])('is none that forbids the flight or its price: %j', async (constraints) => {
    const forbidden = await granted({ constraints });
    await expect(choose()).rejects.toMatchObject({ code: 'mandate_required' });
    const mandateId = await granted({ constraints: { from: ['GRU', 'VCP'], maxPricePerSeat: reais(500) } });
    expect(await choose()).toBe(mandateId);
    expect(await choose(reais(500), await listOf(forbidden, mandateId))).toBe(mandateId);
  });

  it('is none whose orders are used up, unless it is the only one, which then says so itself', async () => {
    const once = await granted({ consumed: reais(1), constraints: { maxOrders: 1 } });
    expect(await choose()).toBe(once);
    const other = await granted();
    expect(await choose()).toBe(other);
  });

  it('is none that ends under a cap', async () => {
    const mandateId = await granted({ limit: reais(600) });
    await granted();
    const setCap = { type: 'SetSpendingCap', cap: reais(600) } as const;
    await aggregates.handle(delegations, { holder, clientId }, setCap, context);
    expect(await choose()).toBe(mandateId);
  });
});
