import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { money } from '#kernel';
import { NOW } from '#testing';
import { GrantedAgent } from '../testing/granted.js';
import { MandateHistory, MandateHistoryHandler, newestEntries } from './mandate-history.js';
import type { HistoryLine } from './mandate-statement.js';

const line = (revision: number, type: HistoryLine['type'], orderId: string | null): { readonly line: HistoryLine } => ({
  line: {
    revision,
    type,
    occurredAt: NOW,
    clientId: null,
    orderId,
    amount: null,
    remaining: money(0, 'BRL'),
    reason: null,
    refused: null,
    hash: '',
    previousHash: '',
  },
});

/** What agents did, in turn: an order is begun, one of those begun is settled, or a charge is refused. */
const acts = fc.array(fc.oneof(fc.constant('begin' as const), fc.nat(3), fc.constant('refuse' as const)), {
  maxLength: 60,
});

const linesOf = (done: readonly ('begin' | 'refuse' | number)[]) => {
  const open: string[] = [];
  return [
    line(0, 'MandateCreated', null),
    ...done.map((act, n) => {
      if (act === 'refuse') return line(n + 1, 'MandateChargeRefused', null);
      const [settled] = act === 'begin' ? [] : open.splice(act % Math.max(1, open.length), 1);
      if (settled !== undefined) return line(n + 1, n % 2 ? 'MandateConsumed' : 'MandateReleased', settled);
      open.push(`o${n}`);
      return line(n + 1, 'MandateReserved', `o${n}`);
    }),
  ];
};

describe("a mandate's history", () => {
  it('comes page by page, each event once, by its order where it has one, the newest first', async () => {
    await fc.assert(
      fc.asyncProperty(acts, fc.integer({ min: 1, max: 7 }), async (done, limit) => {
        const lines = linesOf(done);
        const entries: (readonly HistoryLine[])[] = [];
        let before = Infinity;
        for (;;) {
          const page = await newestEntries(lines, { limit, before });
          expect(page.entries.length).toBeLessThanOrEqual(limit);
          entries.push(...page.entries);
          if (page.isAll) break;
          before = page.entries.at(-1)?.[0].revision ?? 0;
        }
        const whole = new Map<string, readonly HistoryLine[]>();
        for (const { line: one } of lines) {
          const key = one.orderId ?? String(one.revision);
          whole.set(key, [one, ...(whole.get(key) ?? [])]);
        }
        const newestFirst = [...whole.values()].sort(([one], [other]) => (other?.revision ?? 0) - (one?.revision ?? 0));
        expect(entries).toEqual(newestFirst);
      }),
    );
  });

  it('is read page by page by its holder, and by nobody else', async () => {
    const agent = await new GrantedAgent().letIn();
    const mandateId = await agent.open(100_00);
    const orders = [await agent.charge(mandateId, 1_00), await agent.charge(mandateId, 2_00)];
    const read = (cursor?: string, holder = agent.party.holder, id = mandateId) =>
      new MandateHistoryHandler(agent.aggregates, agent.events).execute(
        new MandateHistory(id, holder, { limit: 2, cursor }),
      );
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
