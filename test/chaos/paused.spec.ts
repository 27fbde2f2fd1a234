import { apiAt, tokensFor } from '../support/agent.js';
import type { Api } from '#agent';
import { gate } from '../support/gate.js';
import type { Intercept } from '../support/intercept.js';
import { letPass, ownFolder } from '../support/service.js';
import { swept } from '../support/sweep.js';
import { expectSound, PAID, SCENARIOS } from './scenarios.js';
import { untilSettled } from './settled.js';
import { Recorder, type Step } from './steps.js';
import { startTwo, type TwoProcesses } from './two-processes.js';

/** Checkouts and challenges outlive every request that does not stand still, and no more than a test lets pass. */
const LIFE_SECONDS = 10;
const HASTE = {
  HOLD_SECONDS: LIFE_SECONDS.toString(),
  CHALLENGE_SECONDS: LIFE_SECONDS.toString(),
  RECOVERY_PAUSE_SECONDS: '0.05',
  RECOVERY_LEASE_SECONDS: '0.2',
  LIMIT_REFUSED_CARDS: '0',
  LIMIT_OPEN_MANDATES: '0',
};
const straight: Intercept = (_, work) => work();

const folder = ownFolder(() => processes.stop());
let processes: TwoProcesses;
let between: Intercept = straight;
/** An agent at the process that stands still, and at the other. */
let slow: Api;
let other: Api;
beforeAll(async () => {
  processes = await startTwo(folder, (call, work) => between(call, work), HASTE);
  const token = (await tokensFor(processes.slow.origin)).access_token;
  slow = apiAt(processes.slow.origin, token);
  other = apiAt(processes.other.origin, token);
});

/** The other process settles everything that waits: its time is over. */
const letEverythingEnd = async (): Promise<void> => {
  letPass(processes.other, LIFE_SECONDS * 1_000 + 1);
  await untilSettled(processes.other.dependencies.events);
};

const scenarios = swept({ short: [PAID], middle: SCENARIOS, full: SCENARIOS });

describe.each(scenarios)('$name, by a process that stands still until another has settled it', ({ prepare }) => {
  /** The steps of the request, as they are when nothing goes wrong: of the second one, which leases no block of tickets. */
  const stepsOfIt = async (): Promise<readonly Step[]> => {
    let recorder = new Recorder();
    for (let time = 0; time < 2; time += 1) {
      recorder = new Recorder();
      const errand = await prepare(other, processes.other);
      between = recorder.intercept;
      await errand.run(slow);
      between = straight;
      await letEverythingEnd();
    }
    return recorder.steps();
  };

  /** Answers whether the request came by the step: the other process may have done it already. */
  const pausedAt = async ({ where, call }: Step): Promise<boolean> => {
    const errand = await prepare(other, processes.other);
    const { intercept, reached, open } = gate(where, call);
    between = intercept;
    const answer = errand.run(slow);
    const wasThere = await Promise.race([reached.then(() => true), answer.then(() => false)]);
    await letEverythingEnd();
    open();
    const { status } = await answer;
    between = straight;
    await letEverythingEnd();
    const { isTicketed } = await expectSound(processes.other, other, errand);
    expect(status === 201).toBe(isTicketed); // whoever settled it, the request was told how
    return wasThere;
  };

  it('leaves everything in agreement, whichever step it stood at', async () => {
    const steps = await stepsOfIt();
    let reached = 0;
    for (const step of steps) {
      const wasThere = await pausedAt(step).catch((error: unknown) => {
        throw new Error(`paused ${step.where} ${step.call}`, { cause: error });
      });
      if (wasThere) reached += 1;
    }
    expect(reached).toBeGreaterThanOrEqual(12); // the completion of an order has the fewest writes, six
    expect(steps.length - reached).toBeLessThan(5); // a busy machine's other process is sometimes sooner
  }, 120_000);
});
