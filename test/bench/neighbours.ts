import { Hammer, Strangers, waitsBeside, WORST } from '../support/neighbours.js';
import { median, quantile, ratioOf, spread } from './numbers.js';
import { startServer, withFolder } from './server.js';
import { openTable } from './table.js';

/** The limits as they are by default: what they leave to others is what is measured. */
const LIMITED = { LIMIT_OPERATIONS: '', LIMIT_PUBLIC_READS: '', LIMIT_TOKEN_REQUESTS: '', TRUST_PROXY: 'none' };
/** So many rounds, of about two seconds: a heavy request is let through once in three. */
const PACE = { rounds: 9, requests: 100, pause: 20 };
const COLUMNS = ['median alone, ms', 'median beside, ms', 'ratio', '99 % beside, ms'];

/** How long a quiet neighbour waits for a search beside one address at its limit with each of the worst requests. */
export const neighbours = (): Promise<void> =>
  withFolder(async (folder) => {
    const { origin, stop } = await startServer(folder, LIMITED);
    const strangers = new Strangers(origin);
    const print = openTable('A search, beside one address at its limit with', COLUMNS);
    for (const [name, asked] of Object.entries(WORST)) {
      const hammer = new Hammer(origin, strangers.newAddress(), asked);
      await hammer.atItsLimit();
      const { alone, beside } = await waitsBeside(strangers, hammer, PACE);
      await hammer.end();
      const [ones, others] = [alone.map(median), beside.map(median)];
      const last = quantile(beside.flat(), 0.99).toFixed(1);
      print([name, spread(ones, 2), spread(others, 2), `${ratioOf(others, ones).toFixed(2)} ×`, last]);
    }
    strangers.close();
    await stop();
  });
