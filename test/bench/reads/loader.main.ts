import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

/** What a load generator is asked to send, and for how long: so many seconds, or until so many requests are answered. */
export interface Asked {
  readonly origin: string;
  /** Asked for in turn; each connection has its own part of them. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly until: { readonly duration: number } | { readonly amount: number };
}

export interface Answered {
  readonly perSecond: number;
  readonly count: number;
  /** How many answers had another status than 200 or 304, and how many connections failed. */
  readonly failed: number;
}

const CONNECTIONS = 50;
/** How often (ms) autocannon looks whether the time is over. */
const LOOKS = 20;

interface Client {
  readonly setRequests: (requests: readonly object[]) => void;
}

/** What is used of autocannon, which is put into the folder that is named on the command line. */
type Autocannon = (options: object) => Promise<{
  readonly start: Date;
  readonly finish: Date;
  readonly errors: number;
  readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
}>;

const [, , folder = ''] = process.argv;
const module = pathToFileURL(join(folder, 'node_modules/autocannon/autocannon.js')).href;
const { default: autocannon } = (await import(module)) as { readonly default: Autocannon };

const answer = async ({ origin, paths, headers, until }: Asked): Promise<Answered> => {
  let clients = 0;
  const setupClient = (client: Client): void => {
    const place = clients++;
    const own = paths.filter((_, at) => paths.length < CONNECTIONS || at % CONNECTIONS === place);
    client.setRequests(own.map((path) => ({ method: 'GET', path, headers })));
  };
  const options = { url: origin, connections: CONNECTIONS, ...until, sampleInt: LOOKS, setupClient };
  const { start, finish, errors, statusCodeStats } = await autocannon(options);
  const count = Object.values(statusCodeStats).reduce((sum, one) => sum + one.count, 0);
  const good = ['200', '304'].reduce((sum, status) => sum + (statusCodeStats[status]?.count ?? 0), 0);
  const perSecond = (count / (finish.getTime() - start.getTime())) * 1_000;
  return { perSecond, count, failed: count - good + errors };
};

process.on('message', (asked: Asked) => void answer(asked).then((answered) => process.send?.(answered)));
process.send?.('ready');
