import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { GrantedAgent } from '../testing/granted.js';
import { historyPage } from './mandate-history.js';
import { addTo, type Entry, MandateLines, newestEntries } from './mandate-lines.js';

interface Happened {
  readonly revision: number;
  readonly orderId: string | null;
}

/** What agents did, in turn: an order is begun, one of those begun is settled, or a charge is refused. */
const acts = fc.array(fc.oneof(fc.constant('begin' as const), fc.nat(3), fc.constant('refuse' as const)), {
  maxLength: 60,
});

const happenedIn = (done: readonly ('begin' | 'refuse' | number)[]): readonly Happened[] => {
  const open: string[] = [];
  const orderOf = (act: 'begin' | 'refuse' | number, n: number): string | null => {
    if (act === 'refuse') return null;
    const [settled] = act === 'begin' ? [] : open.splice(act % Math.max(1, open.length), 1);
    if (settled === undefined) open.push(`o${n}`);
    return settled ?? `o${n}`;
  };
  return [null, ...done.map(orderOf)].map((orderId, revision) => ({ revision, orderId }));
};

/** What is kept of them: by order, in the order of the last events. */
const entriesOf = (happened: readonly Happened[]): readonly Entry[] => {
  const entries = new Map<string, Entry>();
  for (const event of happened) addTo(entries, event);
  return [...entries.values()];
};

describe("a mandate's history", () => {
  it('comes page by page, each event once, by its order where it has one, the newest first', () => {
    fc.assert(
      fc.property(acts, fc.integer({ min: 1, max: 7 }), (done, limit) => {
        const happened = happenedIn(done);
        const entries: Entry[] = [];
        for (let before = Infinity; ;) {
          const { page, isAll } = newestEntries(entriesOf(happened), { limit, before });
          expect(page.length).toBeLessThanOrEqual(limit);
          entries.push(...page);
          if (isAll) break;
          before = page.at(-1)?.at(-1) ?? 0;
        }
        const whole = new Map<string, number[]>();
        for (const { orderId, revision } of happened) {
          const key = orderId ?? String(revision);
          whole.set(key, [...(whole.get(key) ?? []), revision]);
        }
        const newestFirst = [...whole.values()].sort((one, other) => (other.at(-1) ?? 0) - (one.at(-1) ?? 0));
        expect(entries).toEqual(newestFirst);
      }),
    );
  });

  it('is read page by page by its holder, and by nobody else', async () => {
    const agent = await new GrantedAgent().letIn();
    const mandateId = await agent.open(100_00);
    const orders = [await agent.charge(mandateId, 1_00), await agent.charge(mandateId, 2_00)];
    const lines = new MandateLines(agent.events, agent.clock);
    const read = (cursor?: string, holder = agent.party.holder, id = mandateId) =>
      historyPage({ aggregates: agent.aggregates, lines }, { mandateId: id, holder }, { limit: 2, cursor });
    const first = await read();
    expect(first.entries.map((entry) => entry.map(({ orderId, type }) => [orderId, type]))).toEqual(
      orders.toReversed().map((orderId) => [
        [orderId, 'MandateConsumed'],
        [orderId, 'MandateReserved'],
      ]),
    );
    const { entries, nextCursor } = await read(first.nextCursor ?? undefined);
    expect(entries).toMatchObject([[{ type: 'MandateCreated', revision: 0 }]]);
    expect(nextCursor).toBeNull();
    await expect(read(undefined, 'bruno')).rejects.toMatchObject({ code: 'mandate_forbidden' });
    await expect(read(undefined, 'ana', randomUUID())).rejects.toMatchObject({ code: 'mandate_not_found' });
  });
});
