import { stayEmbedded } from '../support/stores.js';
import { swept } from '../support/sweep.js';
import { play } from './play.js';

stayEmbedded('`npm run jepsen` is for servers');

/** Within how many ms an order is decided, on a machine that is busy: what is promised is in docs/reliability.md. */
const GENEROUS = 120_000;
const seconds = swept({ short: 1, middle: 30, full: 120 });

it('agents are told what some order of things explains, whatever is done to the process', async () => {
  const options = { seconds, seed: 7, file: null, smallDisk: false, bound: GENEROUS };
  const { findings, history } = await play(options);
  expect(findings).toEqual([]);
  expect(history.calls.length).toBeGreaterThan(0);
}, 900_000);
