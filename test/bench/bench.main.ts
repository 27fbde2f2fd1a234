import { against } from './against.js';
import { audit } from './audit.js';
import { charges } from './charges.js';
import { dpop } from './dpop.js';
import { flushes } from './flushes.js';
import { growth } from './growth.js';
import { longLog } from './long-log.js';
import { neighbours } from './neighbours.js';
import { orders } from './orders.js';
import { profile } from './profile.js';
import { queues } from './queues.js';
import { reads } from './reads/reads.js';
import { servers } from './servers.js';
import { start } from './start.js';
import { store } from './store.js';
import { telemetry } from './telemetry.js';
import { tlog } from './tlog.js';
import { traffic } from './traffic.js';
import { commands } from './peers/commands.js';
import { routes } from './peers/routes.js';
import { tokens } from './peers/tokens.js';

const PEERS = { commands, routes, tokens } as const;
const isPeer = (name: string): name is keyof typeof PEERS => Object.hasOwn(PEERS, name);

/** What others do of the same, in one run with ours; `only` one of the three kinds. */
const peers = async (only = ''): Promise<void> => {
  if (isPeer(only)) return PEERS[only]();
  for (const bench of Object.values(PEERS)) await bench();
};

interface Bench {
  readonly shows: string;
  readonly run: (argument?: string) => Promise<void>;
}

const BENCHES: Readonly<Record<string, Bench>> = {
  against: { shows: '<commit>: bookings and orders of another commit beside this one, by turns', run: against },
  audit: { shows: '[orders]: how fast an audit reads a log, and what it keeps of a stream', run: audit },
  charges: { shows: 'a charge on a mandate with many behind it, against one with few', run: charges },
  dpop: {
    shows: '[tree]: what proofs of possession cost a purchase; a built tree of another commit beside it',
    run: dpop,
  },
  flushes: { shows: 'how often an order waits for the disk, seen by strace', run: flushes },
  growth: { shows: 'what mandates, agents, flights and orders take, of memory, time and disk', run: growth },
  'long-log': { shows: '[events]: read models from empty and starts, with 300,000 events or as many', run: longLog },
  neighbours: { shows: 'how long others wait beside one address at its limit', run: neighbours },
  orders: { shows: 'bookings and orders a second, and the log’s share of them; also on servers', run: orders },
  peers: { shows: '[commands | routes | tokens]: others doing the same, installed for the run', run: peers },
  profile: { shows: 'where the main thread’s time goes in an order and in a read', run: profile },
  queues: { shows: 'a hot flight and a hot mandate: a run beside a simulation of its queues', run: queues },
  reads: { shows: '[rest | orders | follower | many]: public reads against bare Fastify', run: reads },
  servers: {
    shows: '[commit]: orders over servers and CPU by process; another commit beside it, by turns',
    run: servers,
  },
  start: { shows: '[tree]: what starts cost; a built tree of another commit beside it, by turns', run: start },
  store: { shows: 'the stores’ ports against the clients below them, and projecting from empty', run: store },
  telemetry: { shows: 'what metrics and traces cost', run: telemetry },
  tlog: { shows: 'what sealing the log costs orders', run: tlog },
  traffic: { shows: 'what counting the calls of agents costs', run: traffic },
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
