import { Api } from '../agent/index.js';
import type { Command } from 'commander';
import type { Cli } from '../program.js';
import { authorize, type Cast } from './authorize.js';
import { answers, withOwnServer } from './own-server.js';
import { Steps } from './print.js';
import { purchase, refusedPurchase } from './purchase.js';

const wholePurchase = async (cli: Cli): Promise<void> => {
  const { write } = cli;
  const config = cli.config();
  const [traveller] = config.travellers;
  if (!traveller) throw new Error('the demo needs a traveller: DEMO_TRAVELLERS is empty');
  const { clientId, secret } = config.pilot;
  const cast: Cast = { client: { clientId, secret, redirectUri: 'http://127.0.0.1:8765/callback' }, traveller };

  const run = async (origin: string): Promise<void> => {
    const steps = new Steps(write);
    const token = await authorize(origin, cast, steps);
    const api = new Api(`${origin}/api/v1`, token);
    const { mandate, booking } = await purchase(api, steps);
    await refusedPurchase(api, steps, mandate, booking);
    write('\nBought within the mandate, refused above it.\n');
  };

  const { site } = config.addresses.urls;
  if (await answers(site)) {
    write(`Alçada demo, against ${site}\n`);
    await run(site);
  } else {
    write(`Alçada demo: nothing answers at ${site}, so it starts a server of its own\n`);
    await withOwnServer(run);
  }
};

/**
 * `alcada demo`: a whole purchase as an OAuth client does it, against the running server or one of its own, and then
 * one order over the ceiling, which is refused.
 */
export const addDemoCommand = (program: Command, cli: Cli): void => {
  program
    .command('demo')
    .description('a whole purchase as an agent does it, against the running server or one of its own')
    .action(() => wholePurchase(cli));
};
