import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '#config';
import { Api, ProofKey, requiresProofs } from '#agent';
import type { Cli } from '../command-line.js';
import { allow, authorize, type Cast, Steps } from './authorize.js';
import { cancelled, grantedPurchase, purchase, refusedPurchase } from './purchase.js';
import { type Bounds, makeTraffic } from './traffic.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const pilotOf = ({ pilot: { clientId, secret } }: Config): Cast['client'] => ({
  clientId,
  secret,
  redirectUri: 'http://127.0.0.1:8765/callback',
});

const wholePurchase = async (cli: Cli): Promise<void> => {
  const { write } = cli;
  const config = await cli.config();
  const [traveller] = config.travellers;
  if (!traveller) throw new Error('the demo needs a traveller: DEMO_TRAVELLERS is empty');
  const client = pilotOf(config);

  const run = async (origin: string): Promise<void> => {
    const steps = new Steps(write);
    const key = (await requiresProofs(origin)) ? new ProofKey() : null;
    const cast: Cast = { client, traveller, key };
    const api = new Api(`${origin}/api/v1`, (await authorize(origin, cast, steps)).access_token, key);
    const { mandate, booking } = await purchase(api, steps, (url) => allow(url, origin, cast));
    const second = await refusedPurchase(api, steps, mandate, booking);
    const bought = await grantedPurchase(second, steps, async (details) => {
      const { access_token, authorization_details } = await authorize(origin, cast, steps, details);
      return { api: new Api(`${origin}/api/v1`, access_token, key), granted: authorization_details?.[0] };
    });
    await cancelled(bought, steps);
    write(
      '\nThe purchase within the mandate went through; the one above its limit was refused until it was granted, and then cancelled.\n',
    );
  };

  const { site } = config.addresses.urls;
  if (await answers(site)) {
    write(`Alçada demo on ${site}\n`);
    await run(site);
  } else {
    write(`Alçada demo: no server answers at ${site}, so a temporary one is started\n`);
    await withOwnServer(run);
  }
};

const traffic = async ({ config: read, write }: Cli, bounds: Bounds): Promise<void> => {
  const config = await read();
  const { site } = config.addresses.urls;
  if (!(await answers(site))) throw new Error(`no server answers at ${site}: start it first, or set PORT`);
  const { travellers } = config;
  if (travellers.length === 0) throw new Error('the demo needs a traveller: DEMO_TRAVELLERS is empty');
  await makeTraffic({ origin: site, client: pilotOf(config), travellers, bounds, write });
};

interface Options {
  readonly traffic?: true;
  readonly calls: number;
  readonly seconds: number;
}

const upTo =
  (most: number) =>
  (value: string): number => {
    if (!/^[1-9]\d{0,4}$/.test(value) || Number(value) > most)
      throw new InvalidArgumentError(`give a whole number from 1 to ${most}.`);
    return Number(value);
  };

/** `alcada demo`: a purchase over OAuth and an order above the limit, on a running server or its own; or traffic. */
export const defineDemo = (demo: Command, cli: Cli): void => {
  demo
    .option('--traffic', 'instead: let several agents search, buy and be refused on the running server, for a while')
    .option('--calls <number>', 'with --traffic: how many calls they make, 5000 at most', upTo(5_000), 240)
    .option('--seconds <number>', 'with --traffic: how long they take for it, 3600 at most', upTo(3_600), 60)
    .action(async ({ traffic: isTraffic, calls, seconds }: Options, command: Command) => {
      const kept = ['traffic', 'calls', 'seconds'].find((name) => cli.npmKept(name));
      if (kept !== undefined) command.error(`error: npm kept --${kept} for itself: npm run demo -- --traffic`);
      const isBounded = ['calls', 'seconds'].some((name) => command.getOptionValueSource(name) === 'cli');
      if (!isTraffic && isBounded) command.error('error: --calls and --seconds go with --traffic');
      if (isTraffic) await traffic(cli, { calls, seconds });
      else await wholePurchase(cli);
    });
};

const MAIN = fileURLToPath(new URL('../../../api/src/main.js', import.meta.url));

const answers = async (origin: string): Promise<boolean> => {
  try {
    const response = await fetch(`${origin}/api/v1/health`);
    return response.ok;
  } catch {
    return false;
  }
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The signal that ends this process, or `SIGPIPE` once nobody reads what it says; only then. */
const interruption = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, resolve);
    process.stdout.on('error', () => {
      resolve('SIGPIPE');
    });
  });

/** Runs `work` against a temporary server, which takes a free port itself, and stops it even where this process ends. */
const withOwnServer = async (work: (origin: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'alcada-demo-'));
  const env = { PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'warn' };
  const interrupted = interruption();
  const server = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(server, 'exit');
  let ending: NodeJS.Signals | null;
  try {
    const worked = originOf(server.stderr)
      .then(work)
      .then(() => null);
    ending = await Promise.race([interrupted, worked]);
  } finally {
    server.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true });
  }
  // It ends as it would have ended without a server. That nobody reads on is no failure.
  if (ending !== null && ending !== 'SIGPIPE') process.kill(process.pid, ending);
};

const originOf = async (stderr: Readable): Promise<string> => {
  let output = '';
  for await (const chunk of stderr.iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    const [, origin] = /Listens on\s+(\S+)\n/.exec(output) ?? [];
    if (origin === undefined) continue;
    stderr.resume(); // it may have more to say
    return origin;
  }
  throw new Error(`the server did not start:\n${output}`);
};
