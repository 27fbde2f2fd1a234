import { readFileSync } from 'node:fs';
import { Api, ProofKey } from '../../apps/cli/src/agent/index.js';
import { tokensFor } from '../support/agent.js';
import { book, buy, grant } from '../support/purchase.js';
import { tripOf } from './flights.js';
import { ratioOf, side, spread } from './numbers.js';
import { type Server, startServer, withFolder } from './server.js';
import { printTable } from './table.js';

const ROUNDS = 9;
const PURCHASES = 150;
const WARM_UP = 450;
/** Purchases at once. */
const BESIDE = 8;
/** More than any bench spends, in cents. */
const ENOUGH = 10_000_000_000;

/** An agent at a service of its own process; what a round of purchases costs that process. */
interface Measured {
  /** Milliseconds of CPU time a purchase, a booking and its order. */
  readonly round: (purchases: number) => Promise<number>;
}

/** Milliseconds of CPU time that a process has taken (proc(5): the system's clock ticks are hundredths of a second). */
const cpuOf = (pid: number): number => {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
};

let trips = 0;

const agentAt = async ({ origin, pid }: Server & { readonly pid: number }, key: ProofKey | null): Promise<Measured> => {
  const { access_token } = await tokensFor(origin, { key });
  const api = new Api(`${origin}/api/v1`, access_token, key);
  const mandate = await grant(api, ENOUGH);
  return {
    round: async (purchases) => {
      const before = cpuOf(pid);
      await side(BESIDE, Array.from({ length: purchases }), async () => {
        trips += 1;
        await buy(api, await book(api, tripOf(trips)), mandate);
      });
      return (cpuOf(pid) - before) / purchases;
    },
  };
};

/** Purchases with bearer tokens and with bound ones, by turns; `tree`: a built tree of another commit, with bearer tokens. */
export const dpop = (tree?: string): Promise<void> =>
  withFolder((folder) =>
    withFolder(async (otherFolder) => {
      const server = await startServer(folder);
      const other = tree === undefined ? null : await startServer(otherFolder, {}, tree);
      try {
        const agents = [await agentAt(server, null), await agentAt(server, new ProofKey())];
        if (other) agents.push(await agentAt(other, null));
        const costs = agents.map((): number[] => []);
        for (const agent of agents) await agent.round(WARM_UP);
        for (let round = 0; round < ROUNDS; round += 1)
          for (let turn = 0; turn < agents.length; turn += 1) {
            const at = (turn + round) % agents.length;
            costs[at]?.push((await agents[at]?.round(PURCHASES)) ?? NaN);
          }
        const [bearer = [], bound = [], before = []] = costs;
        const told = (of: readonly number[]) => `${spread(of, 2)} ms`;
        const share = (of: readonly number[]) => `${ratioOf(of, bearer).toFixed(2)} ×`;
        printTable(
          `CPU time of the service, a purchase over REST; ${ROUNDS} rounds of ${PURCHASES} by turns, ${BESIDE} at once`,
          [
            ['bearer token', told(bearer), ''],
            ['bound token, a proof in each of its two requests', told(bound), share(bound)],
            ...(other ? ([['bearer token, the other tree', told(before), share(before)]] as const) : []),
          ],
          ['CPU a purchase', 'of the first'],
        );
      } finally {
        await server.stop();
        await other?.stop();
      }
    }),
  );
