import { scriptOf } from './seed.js';
import { shrunk } from './shrink.js';
import type { Script } from './script.js';

const actionsOf = ({ strands }: Script) => strands.flat().map(({ action }) => action.do);

describe('a script that goes wrong', () => {
  it('is shortened to the actions without which nothing is wrong, and to no fault that it does not need', async () => {
    /** Something is wrong wherever an order follows another one of the same agent while lines are slow. */
    const live = (script: Script) => {
      const isWrong = script.strands.some(
        (strand) => strand.filter(({ action }) => action.do === 'order').length > 1 && script.trouble.slow > 0,
      );
      const nothing = { orders: 0, reached: new Map<string, number>(), history: [], hash: () => '' };
      return Promise.resolve({ ...nothing, findings: isWrong ? ['two orders'] : [] });
    };
    const script = { ...scriptOf(1), trouble: { lines: 0.1, slow: 0.1, deaths: 0.1, stalls: 0.1 } };
    const shortest = await shrunk(script, live);
    expect(actionsOf(shortest.script)).toEqual(['order', 'order']);
    expect(shortest.script.trouble).toEqual({ lines: 0, slow: 0.1, deaths: 0, stalls: 0 });
    expect(shortest.lived.findings).toEqual(['two orders']);
  });
});
