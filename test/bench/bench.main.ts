import { audit } from './audit.js';
import { flushes } from './flushes.js';
import { growth } from './growth.js';
import { longLog } from './long-log.js';
import { neighbours } from './neighbours.js';
import { orders } from './orders.js';
import { plan } from './plan.js';
import { queues } from './queues.js';
import { reads } from './reads/reads.js';
import { servers } from './servers.js';
import { start } from './start.js';
import { told } from './told.js';

interface Bench {
  readonly shows: string;
  readonly run: (argument?: string) => Promise<void>;
}

const BENCHES: Readonly<Record<string, Bench>> = {
  audit: { shows: '[orders]: how fast an audit reads a log, and what it keeps of a stream', run: audit },
  flushes: { shows: 'how often an order waits for the disk, seen by strace', run: flushes },
  growth: { shows: 'what mandates, agents, flights and orders take, of memory, time and disk', run: growth },
  'long-log': { shows: '[events]: read models from empty and starts, with 300,000 events or as many', run: longLog },
  neighbours: { shows: 'how long others wait beside one address at its limit', run: neighbours },
  orders: {
    shows: '[commit | NAME=value]: bookings and orders; another commit, or another setting, beside this one, by turns',
    run: orders,
  },
  plan: { shows: 'what 1,000, 5,000 and 20,000 orders a second would take, simulated', run: plan },
  queues: { shows: 'what an order takes of each thread; a hot flight and a hot mandate', run: queues },
  reads: { shows: '[rest | orders | follower | many]: public reads against bare Fastify', run: reads },
  servers: {
    shows: '[commit]: orders over servers and CPU by process; another commit beside it, by turns',
    run: servers,
  },
  start: { shows: '[tree]: what starts cost; a built tree of another commit beside it, by turns', run: start },
  told: { shows: 'orders of agents that are told at a hundred addresses, ten of which hang, beside none', run: told },
};

/** `npm run bench -- <name>`: prints figures; asserts none of them. */
const [name = '', argument] = process.argv.slice(2);
const bench = BENCHES[name];
if (bench) await bench.run(argument);
else {
  const width = Math.max(...Object.keys(BENCHES).map((one) => one.length));
  const lines = Object.entries(BENCHES).map(([one, { shows }]) => `  ${one.padEnd(width)}  ${shows}`);
  console.error(['npm run bench -- <name>', '', ...lines].join('\n'));
  process.exitCode = 64; // EX_USAGE
}
