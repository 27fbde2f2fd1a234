import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Aggregates, EmbeddedEventStore } from '#event-store';
import { CHARGE_SCOPES, type Money, money, plus, RandomIds, type Scope, systemContext } from '#kernel';
import { mandates } from '#mandate';
import { FixedClock } from '#testing';
import { chooseMandate } from './choose-mandate.js';
import { delegations } from '#delegation';

const folder = mkdtempSync(join(tmpdir(), 'choose-'));
const clock = new FixedClock();
const ids = new RandomIds();
const context = systemContext('a test');
const reais = (amount: number): Money => money(amount * 100, 'BRL');

let store: EmbeddedEventStore;
let aggregates: Aggregates;
beforeAll(async () => {
  store = await EmbeddedEventStore.open({ file: join(folder, 'events.db') });
  aggregates = new Aggregates(store, clock, ids);
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

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

interface Granted {
  readonly limit?: Money;
  readonly consumed?: Money;
  readonly scope?: readonly Scope[];
  readonly minutes?: number;
  readonly agent?: string;
}

const opened = async ({ limit = reais(1000), minutes = 60, agent = clientId }: Granted = {}) => {
  const mandateId = ids.next();
  const expiresAt = plus(clock.now(), minutes * 60_000);
  const open = { type: 'OpenMandate', mandateId, limit, expiresAt } as const;
  await aggregates.handle(delegations, { holder, clientId: agent }, open, context);
  return { mandateId, holder, clientId: agent, limit, minutes, startsAt: clock.now(), expiresAt };
};

/** Opens and creates a mandate, of which part may be spent already; answers its id. */
const granted = async (wanted: Granted = {}): Promise<string> => {
  const terms = await opened(wanted);
  const create = { type: 'CreateMandate', ...terms, scope: wanted.scope ?? CHARGE_SCOPES, grantedBy: 'agent' } as const;
  await aggregates.handle(mandates, terms.mandateId, create, context);
  if (wanted.consumed) {
    const [orderId, holdBefore] = [ids.next(), plus(clock.now(), 60_000)];
    const charge = {
      orderId,
      bookingId: ids.next(),
      holder,
      clientId: terms.clientId,
      amount: wanted.consumed,
      holdBefore,
    };
    await aggregates.handle(mandates, terms.mandateId, { type: 'Reserve', ...charge }, context);
    await aggregates.handle(mandates, terms.mandateId, { type: 'Consume', orderId }, context);
  }
  return terms.mandateId;
};

const revoke = (mandateId: string) => aggregates.handle(mandates, mandateId, { type: 'Revoke', holder }, context);

const choose = async (amount = reais(500)) => {
  const { state } = await aggregates.load(delegations, { holder, clientId });
  const delegation = state.status === 'unknown' ? { openMandates: {} } : state;
  return chooseMandate(aggregates, delegation, amount, clock.now());
};

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
});
