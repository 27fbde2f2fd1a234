import { delegations } from '../delegation/delegation.decider.js';
import { money, plus, systemContext } from '#kernel';
import { withCalls } from '#testing';
import { GrantedAgent } from '../testing/granted.js';
import { MandatesOfAgent } from './mandates-of-agent.js';

let agent: GrantedAgent;
beforeEach(async () => {
  agent = await new GrantedAgent().letIn();
});

const page = (cursor?: string) => new MandatesOfAgent(agent.aggregates, agent.events).page(agent.party, cursor);

const pages = async (): Promise<readonly (readonly string[])[]> => {
  const found: (readonly string[])[] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await page(cursor);
    found.push(items.map(({ mandate }) => mandate.mandateId));
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
};

const opened = async (count: number): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await agent.open(100_00));
  return ids.toReversed();
};

describe('what an agent was granted', () => {
  it('is nothing of one that nobody let in', async () => {
    agent = new GrantedAgent();
    expect(await page()).toEqual({ items: [], nextCursor: null });
  });

  it('comes ten mandates a page, those opened last first', async () => {
    const ids = await opened(21);
    expect(await pages()).toEqual([ids.slice(0, 10), ids.slice(10, 20), ids.slice(20)]);
  });

  it('is on one page where there are ten, and two further ones begin where they stand in the stream', async () => {
    const ids = await opened(10);
    expect((await pages()).flat()).toEqual(ids);
    const newer = await opened(2);
    expect((await pages()).flat()).toEqual([...newer, ...ids]);
    expect((await page()).items).toHaveLength(10);
  });

  it('leaves out what was opened and never created', async () => {
    const [id] = await opened(1);
    await agent.open(100_00, 'BRL', false);
    expect((await pages()).flat()).toEqual([id]);
  });

  it('is found however much else happened before and since', async () => {
    const somethingElse = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) {
        const mode = { type: 'SetApprovalMode', asksFirst: n % 2 === 0 } as const;
        await agent.aggregates.handle(delegations, agent.party, mode, systemContext('a test'));
      }
    };
    await somethingElse(220);
    const ids = await opened(10);
    expect(await pages()).toEqual([ids]);
    await somethingElse(450);
    expect(await pages()).toEqual([ids]);
  });

  it('says what each mandate was charged with, the last five orders, newest first', async () => {
    const [id = ''] = await opened(1);
    expect((await page()).items).toMatchObject([{ charges: [] }]);
    const orders: string[] = [];
    for (let n = 1; n <= 6; n += 1) orders.push(await agent.charge(id, n * 100));
    await agent.reserve(id, 7_00);
    const [use] = (await page()).items;
    expect(use?.charges.map(({ orderId }) => orderId)).toEqual(orders.slice(1).toReversed());
    expect(use?.charges[0]).toMatchObject({ amount: money(6_00, 'BRL'), chargedAt: agent.clock.now() });
    expect(use?.mandate.paidOrders).toBe(6);
  });
});

describe('agents that never had a mandate', () => {
  it('are told by the list where it has one, and by the log else', async () => {
    let reads = 0;
    const counted = withCalls(agent.events, (_, call) => (...args) => {
      reads += 1;
      return call(...args);
    });
    const authorizedAt = agent.clock.now();
    const idle = async (): Promise<number> => {
      const { state: delegation } = await agent.aggregates.load(delegations, agent.party);
      if (delegation.status === 'unknown') throw new Error('nobody let it in');
      const listed = { ...agent.party, scopes: [], authorizedAt, revokedAt: null, delegation };
      reads = 0;
      const found = await new MandatesOfAgent(agent.aggregates, counted).withoutAny([listed], plus(authorizedAt, 1));
      return found.length;
    };
    expect([await idle(), reads]).toEqual([1, 1]);
    const [mandateId = ''] = await opened(1);
    expect([await idle(), reads]).toEqual([0, 0]);
    const close = { type: 'CloseMandate', mandateId, consumed: null } as const;
    await agent.aggregates.handle(delegations, agent.party, close, systemContext('a test'));
    expect([await idle(), reads]).toEqual([0, 0]);
    const another = { ...close, mandateId: await agent.open(1_00, 'BRL', false) };
    agent.clock.advance(3_700_000); // by now nothing is remembered of either
    await agent.aggregates.handle(delegations, agent.party, another, systemContext('a test'));
    expect([await idle(), reads]).toEqual([0, 1]);
  });
});
