import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ownFolder } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';
import { swept } from '../support/sweep.js';
import { damageOf } from './damages.js';
import { Judging } from './judging.js';
import { type Prepared, prepare } from './prepared.js';

stayEmbedded('it damages files');

/** How many starts, less one: some 0.4 s each. */
const STARTS = swept({ short: 18, middle: 61, full: 20_000 });
/** With which seeds those begin that work side by side: `npm test` makes every second damage alone. */
const LANES = swept<readonly number[]>({ short: [1], middle: [1, 2], full: [1, 2] });
/** How long (ms) it may take, for what hangs: no busy machine is as slow. */
const LIMIT = swept({ short: 120_000, middle: 900_000, full: 6 * 3_600_000 });

const root = ownFolder();
let prepared: Prepared;
beforeAll(async () => {
  prepared = await prepare(root);
});

describe('a start on damaged files (docs/adr/0103)', () => {
  it(
    'serves what is right or refuses with a message, and never a wrong sum',
    async () => {
      const counts = new Map<string, number>();
      const findings: string[] = [];
      const start = async (seed: number, judging: Judging, folder: string): Promise<void> => {
        const { kind, into } = damageOf(seed, prepared);
        into(folder);
        const { outcome, detail } = await judging.judge({ folder, books: prepared.books });
        await rm(folder, { recursive: true });
        const name = `${outcome.padEnd(8)} ${kind}`;
        counts.set(name, (counts.get(name) ?? 0) + 1);
        const isFine = outcome === 'right' || outcome === 'earlier' || (outcome === 'refused' && ADVICE.test(detail));
        if (!isFine) findings.push(`seed ${seed}, ${kind}: ${outcome}, ${detail}`);
      };
      const lane = async (first: number): Promise<void> => {
        const judging = new Judging();
        for (let seed = first; seed < STARTS; seed += 2) await start(seed, judging, join(root, `damaged-${first}`));
        await judging.end();
      };
      await Promise.all(LANES.map(lane));
      if (LANES.length > 1)
        console.log(
          [...counts]
            .map(([name, count]) => `${name}: ${count}`)
            .sort()
            .join('\n'),
        );
      expect(findings).toEqual([]);
    },
    LIMIT,
  );
});

const ADVICE = /Restore |Delete it|Put .* back|Is DATA_DIR right|a newer program/s;
