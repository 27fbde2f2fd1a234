import type { RunningApi } from '../../apps/api/src/start.js';
import { apiAt, tokensFor } from '../support/agent.js';
import type { Intercept } from '../support/intercept.js';
import { startKilledProcess } from '../support/real-process.js';
import { letPass, ownFolder } from '../support/service.js';
import { swept } from '../support/sweep.js';
import { startObserved } from './observed.js';
import { expectSound, type Scenario, SCENARIOS } from './scenarios.js';
import { untilSettled } from './settled.js';
import { Recorder } from './steps.js';

/** A challenge outlives a crash and a new start, and all of them together end before the agent's token does. */
const CHALLENGE_SECONDS = swept({ short: 60, middle: 40, full: 20 });
const ENVIRONMENT = {
  CHALLENGE_SECONDS: CHALLENGE_SECONDS.toString(),
  RECOVERY_PAUSE_SECONDS: '0.05',
  LIMIT_REFUSED_CARDS: '0',
  LIMIT_OPEN_MANDATES: '0',
};
/** Where a short sweep kills; the longer ones kill before and after every write, or every fifth of them. */
const SHORT: Readonly<Record<string, string>> = {
  'an order that is paid': 'after append MandateConsumed',
  'an order that is declined': 'before append SeatsReleased',
  'an order whose holder is asked': 'before append PaymentChallenged',
  'the completion of an order that its holder approved': 'after replace payment-ledger',
  'a revocation while an order waits for its holder': 'after append MandateRevoked',
};
/** Of how many steps of a scenario one is taken; null: of a short sweep the one above. */
const EVERY = swept({ short: null, middle: 10, full: 1 });

const folder = ownFolder(() => service.stop());
let service: RunningApi;
let token: string;
let between: Intercept = (_, work) => work();
const start = async () => {
  service = await startObserved(folder, (call, work) => between(call, work), ENVIRONMENT);
};
const apiNow = () => apiAt(service.origin, token);
beforeAll(async () => {
  await start();
  token = (await tokensFor(service.origin)).access_token;
});

/** Everything that waits for its time has waited long enough, and is settled. */
const letEverythingEnd = async (): Promise<void> => {
  letPass(service, CHALLENGE_SECONDS * 1_000);
  await untilSettled(service.dependencies.events);
};

/** The steps of a request when nothing goes wrong: the first of its process, which leases a block of tickets too. */
const stepsOf = async ({ prepare }: Scenario): Promise<readonly string[]> => {
  await service.stop();
  await start();
  const errand = await prepare(apiNow(), service);
  const recorder = new Recorder();
  between = recorder.intercept;
  await errand.run(apiNow());
  between = (_, work) => work();
  await letEverythingEnd();
  return recorder.steps().map(({ where, call }) => `${where} ${call}`);
};

/** The service dies over the request at the step, and another one is started. */
const killedAt = async (step: string, { prepare }: Scenario): Promise<void> => {
  const errand = await prepare(apiNow(), service);
  await service.stop();
  const doomed = await startKilledProcess(folder, step, ENVIRONMENT);
  try {
    await expect(errand.run(apiAt(doomed.origin, token))).rejects.toThrow();
    expect(await doomed.ended).toMatchObject({ signal: 'SIGKILL' });
  } finally {
    doomed.signal('SIGKILL');
    await start();
  }
  await letEverythingEnd();
  await expectSound(service, apiNow(), errand);
};

describe.each(SCENARIOS)('$name, by a process that is killed', (scenario) => {
  it('leaves everything in agreement once it is started again, whichever step it was killed at', async () => {
    const steps =
      EVERY === null
        ? [SHORT[scenario.name] ?? 'nowhere']
        : (await stepsOf(scenario)).filter((_, place) => place % EVERY === 0);
    for (const step of steps) {
      await killedAt(step, scenario).catch((error: unknown) => {
        throw new Error(`killed ${step}`, { cause: error });
      });
    }
    expect(steps.length).toBeGreaterThan(EVERY === null ? 0 : 12 / EVERY);
  }, 900_000);
});
