import { newFolder, removeFolder } from '../support/service.js';
import { DEPARTING, writeFlights } from './flights.js';
import { FLOOD, type Report, Run } from './run.js';
import { surfaceOf } from './surface.js';
import { Target } from './target.js';
import { populate } from './world.js';

/** Limits by address bind whoever floods alone: a twelfth of a minute's may come at once. Those by person would end the run. */
const ENVIRONMENT = {
  LIMIT_PUBLIC_READS: String(12 * FLOOD),
  LIMIT_OPERATIONS: String(12 * FLOOD),
  LIMIT_FORM_POSTS: '0',
  LIMIT_AUTHORIZATIONS: '0',
  LIMIT_REGISTRATIONS: '0',
  LIMIT_TOKEN_REQUESTS: '0',
  LIMIT_REFUSED_CARDS: '0',
  LIMIT_OPEN_MANDATES: '0',
  LIMIT_LOGINS: '0',
  LIMIT_LOGIN_FAILURES: '0',
  LIMIT_CLIENT_FAILURES: '0',
  TLOG_INTERVAL: '0.2',
};

/** Requests of one seed, to one service: a long run is many seeds, each of which replays by itself. */
const ROUND = 25_000;

/** Sends so many requests, seed after seed from this one on, each to a service of its own, and judges what comes back. */
export async function* fuzz(seed: number, requests: number): AsyncGenerator<Report> {
  for (let sent = 0, next = seed; sent < requests; next += 1) {
    const report = await fuzzed(next, Math.min(ROUND, requests - sent));
    sent += report.requests;
    yield report;
  }
}

const fuzzed = async (seed: number, requests: number): Promise<Report> => {
  const folder = await newFolder();
  const target = await Target.start({ ...ENVIRONMENT, CATALOG_FILE: await writeFlights(folder) });
  try {
    const run = new Run(seed, target, await surfaceOf(target.origin), await populate(target, DEPARTING));
    await run.all(requests);
    return await run.report();
  } finally {
    await target.stop();
    await removeFolder(folder);
  }
};
