import { delegations, loadMandate, type MandateStatus, mustAsk, PauseAgents, pauses, statusOf } from '#mandate';
import { baseUrlsAt } from '#http';
import { CHARGE_SCOPES, type Money, money, newCause, type Party, strangerId, systemContext } from '#kernel';
import { OAuthError, RevokeAgent } from '#oauth';
import { Recorder, type Step } from '../chaos/steps.js';
import { PauseAgentsHandler } from '../../libs/mandate/src/testing/index.js';
import { ChallengeRequired } from '../../libs/order/src/testing/index.js';
import { failing, gate } from '../support/gate.js';
import type { LogicalProcess } from '../support/logical-process.js';
import { AGENT, PRICE } from '../support/market.js';
import { Sale } from './sale.js';

const [ASKED, FIRST, SECOND] = ['a', 'b', 'c'].map((digit) => `${digit}0000000-0000-4000-8000-000000000000`);
const trips = (count: number) => money(count * PRICE, 'BRL');
/** A cap that a mandate of two trips is above. */
const CAP = money(2 * PRICE - 1, 'BRL');

let sale: Sale;
beforeEach(async () => {
  sale = await Sale.open();
  await sale.calm.prepare();
  await sale.calm.clients.add({ ...AGENT, name: 'Pilot', secretHash: null, redirectUris: [], pilot: false });
});
afterEach(() => sale.market.close());

interface Decision {
  readonly name: string;
  /** What comes before it; returns how it is decided, by whichever process. */
  readonly prepare: () => Promise<(process: LogicalProcess) => Promise<unknown>>;
  /** What has to stand in the end, besides books that agree. */
  readonly stands: () => Promise<void>;
}

const mandateNow = async (id = '') => {
  const mandate = await loadMandate(sale.calm.aggregates, id, AGENT.holder);
  return { status: statusOf(mandate, sale.market.stores.clock.now()), limit: mandate.limit, mandate };
};
const expectMandate = async (id: string | undefined, status: MandateStatus, count: number): Promise<void> => {
  expect(await mandateNow(id)).toMatchObject({ status, limit: trips(count) });
};
const countedNow = async (id = '') => {
  const { state } = await sale.calm.aggregates.load(delegations, AGENT);
  return state.status === 'unknown' ? null : state.openMandates[id]?.limit;
};

const waitForHolder = async (): Promise<void> => {
  const waiting = sale.market.order(sale.calm, { ...sale.wanted, card: 'challenged' });
  await expect(waiting).rejects.toThrow(ChallengeRequired);
};

const askFor = async (): Promise<void> => {
  await sale.market.setMode(sale.calm, true);
  await sale.market.grant(sale.calm, 2 * PRICE, { mandateId: ASKED ?? '' });
};

const consenting = async (
  terms: { readonly cap?: Money; readonly asksFirst: boolean } = { cap: CAP, asksFirst: true },
  minutes = 60,
  { holder, clientId }: Party = AGENT,
) => {
  const details = [FIRST, SECOND].map((mandateId = '') => ({
    mandateId,
    scope: [...CHARGE_SCOPES],
    limit: trips(2),
    minutes,
    purpose: 'Férias',
  }));
  const granted = { cap: undefined, ...terms, details: details.map((one) => ({ ...one, limit: trips(0.5) })) };
  const request = {
    clientId,
    redirectUri: 'http://127.0.0.1:8765/',
    state: null,
    codeChallenge: '',
    scopes: [...CHARGE_SCOPES],
    resources: [],
    prompt: [],
    loginSince: null,
    details,
    approval: null,
  };
  const id = await sale.calm.requests.keep(request, null);
  const decider = {
    holder,
    cause: newCause(sale.market.stores.ids),
    urls: baseUrlsAt('http://127.0.0.1'),
  };
  return ({ consent }: LogicalProcess) => consent.approve(id, decider, granted);
};

const DECISIONS: readonly Decision[] = [
  {
    name: 'a pause over an order that waits for its holder',
    prepare: async () => {
      await waitForHolder();
      return (process) => sale.market.pause(process, sale.wanted.mandate);
    },
    stands: async () => {
      await expectMandate(sale.wanted.mandate, 'paused', 2);
      expect((await mandateNow(sale.wanted.mandate)).mandate).toMatchObject({ consumed: 0, reservations: [] });
    },
  },
  {
    name: 'a pause of everything over an order that waits for its holder',
    prepare: async () => {
      await waitForHolder();
      return (process) => sale.market.pauseAll(process);
    },
    stands: async () => {
      await expectMandate(sale.wanted.mandate, 'paused', 2);
      expect((await mandateNow(sale.wanted.mandate)).mandate).toMatchObject({ consumed: 0, reservations: [] });
      expect((await sale.calm.aggregates.load(pauses, AGENT.holder)).state.phase).toBe('paused');
    },
  },
  {
    name: 'the end of a pause of everything',
    prepare: async () => {
      await sale.market.pauseAll(sale.calm);
      return (process) => sale.market.resumeAll(process);
    },
    stands: () => expectMandate(sale.wanted.mandate, 'valid', 2),
  },
  {
    name: 'a narrowing',
    prepare: () => Promise.resolve((process) => sale.market.narrow(process, sale.wanted.mandate, { limit: trips(1) })),
    stands: async () => {
      await expectMandate(sale.wanted.mandate, 'valid', 1);
      expect(await countedNow(sale.wanted.mandate)).toEqual(trips(1));
    },
  },
  {
    name: 'an approval of what the agent asks for',
    prepare: async () => {
      await askFor();
      return (process) => sale.market.approve(process, ASKED ?? '', trips(1), 30);
    },
    stands: async () => {
      await expectMandate(ASKED, 'valid', 1);
      expect(await countedNow(ASKED)).toEqual(trips(1));
    },
  },
  {
    name: 'a refusal of what the agent asks for',
    prepare: async () => {
      await askFor();
      return (process) => sale.market.revoke(process, ASKED ?? '');
    },
    stands: async () => {
      await expectMandate(ASKED, 'revoked', 2);
      expect(await countedNow(ASKED)).toBeUndefined();
    },
  },
  {
    name: 'a consent with two mandates and a cap that ends another',
    prepare: () => consenting(),
    stands: async () => {
      for (const id of [FIRST, SECOND]) await expectMandate(id, 'valid', 0.5);
      await expectMandate(sale.wanted.mandate, 'revoked', 2);
      const { state } = await sale.calm.aggregates.load(delegations, AGENT);
      expect(state).toMatchObject({ cap: CAP, asksFirst: true, ending: [] });
      const { events } = await sale.market.books();
      const grants = events.flatMap(({ type, data }) => (type === 'AgentAuthorized' ? [data.grantId] : []));
      expect(new Set(grants).size).toBe(2); // the one from before, and one of this consent
    },
  },
];

describe.each(DECISIONS)('$name, by a process that stands still over it', ({ prepare, stands }) => {
  it('is carried out once by the next try, whichever step it stood at, and also when the first goes on', async () => {
    for (const step of await stepsOfIt()) {
      await interruptedAt(step).catch((error: unknown) => {
        throw new Error(`interrupted ${step.where} ${step.call}`, { cause: error });
      });
    }
  });

  const stepsOfIt = async (): Promise<readonly Step[]> => {
    const recorder = new Recorder();
    const decide = await prepare();
    await decide(sale.market.process({ intercept: recorder.intercept }));
    await stands();
    const steps = recorder.steps();
    expect(steps.length).toBeGreaterThanOrEqual(2);
    return steps;
  };

  const interruptedAt = async ({ where, call }: Step): Promise<void> => {
    await sale.market.close();
    sale = await Sale.open();
    await sale.calm.prepare();
    await sale.calm.clients.add({ ...AGENT, name: 'Pilot', secretHash: null, redirectUris: [], pilot: false });
    const decide = await prepare();
    const { intercept, reached, open } = gate(where, call);
    const first = decide(sale.market.process({ intercept })).then(told, told);
    await reached;
    const second = await decide(sale.market.process()).then(told, told);
    await stands();
    await sale.market.recover(sale.calm);
    open();
    const answers = [await first, second];
    await stands();
    await sale.market.recover(sale.calm);
    await sale.expectSound();
    // Both are told that it is done; of a consent one, since it leads to one code.
    expect([
      ['done', 'done'],
      ['authorization_request_gone', 'code'],
    ]).toContainEqual(answers.toSorted());
  };
});

describe('an answer to what an agent asks for that a refusal overtakes', () => {
  it('is told what became of it, and is no failure', async () => {
    await askFor();
    const { intercept, reached, open } = gate('after', 'append MandateApproved');
    const approved = sale.market.approve(sale.market.process({ intercept }), ASKED ?? '', trips(1), 30);
    await reached;
    await sale.market.revoke(sale.calm, ASKED ?? '');
    open();
    const { mandate, at } = await approved;
    expect(statusOf(mandate, at)).toBe('revoked');
    sale.market.stores.clock.advance(61_000); // longer than what was opened may take to be created
    await sale.market.recover(sale.calm);
    await sale.expectSound();
  });
});

describe('a consent whose grant has ended before it is carried out', () => {
  it('lets nobody in: the agent was revoked after a try that broke off', async () => {
    const decide = await consenting({ asksFirst: false });
    const broken = sale.market.process({ intercept: failing('after', 'insert grants') });
    await expect(decide(broken)).rejects.toThrow();
    await sale.calm.revokeAgent.execute(new RevokeAgent(AGENT.holder, AGENT.clientId, systemContext('a test')));
    expect(await decide(sale.calm).then(told, told)).toBe('authorization_request_gone');
    const { state } = await sale.calm.aggregates.load(delegations, AGENT);
    expect(state).toMatchObject({ status: 'revoked', openMandates: {} });
  });
});

describe('a consent that breaks off between its cap and what it lets an agent do', () => {
  it('leaves one that nobody registered asking, as it had to while it had no cap', async () => {
    const stranger = { holder: AGENT.holder, clientId: strangerId('dynamic', 'x'.repeat(43)) };
    const { clientId } = stranger;
    await sale.calm.clients.add({ clientId, name: 'Bia', secretHash: null, redirectUris: [], pilot: false });
    await (
      await consenting({ asksFirst: false }, 60, stranger)
    )(sale.calm);
    const decide = await consenting({ cap: trips(0.5), asksFirst: false }, 60, stranger);
    const broken = sale.market.process({ intercept: failing('after', 'append SpendingCapSet') });
    await expect(decide(broken)).rejects.toThrow();
    const { state } = await sale.calm.aggregates.load(delegations, stranger);
    expect([state, mustAsk(state)]).toEqual([expect.objectContaining({ cap: trips(0.5), isStranger: true }), true]);
  });
});

describe('a consent that another one overtakes before it is carried out', () => {
  it('leaves nothing of it in what its traveller lets the agent do, and cannot be tried again', async () => {
    const decide = await consenting({ asksFirst: false });
    await sale.market.setMode(sale.calm, true);
    await sale.market.setCap(sale.calm, trips(2.5)); // beside what is open there is room for one of its two mandates
    const written = async () => {
      const { events } = await sale.market.books();
      return events.map(({ type }) => type);
    };
    const before = await written();
    expect(await decide(sale.calm).then(told, told)).toBe('consent_overtaken');
    expect(await written()).toEqual(before);
    expect(await decide(sale.calm).then(told, told)).toBe('authorization_request_gone');
    const { state } = await sale.calm.aggregates.load(delegations, AGENT);
    expect(state).toMatchObject({ cap: trips(2.5), asksFirst: true });
  });
});

describe('a consent that meets a pause of everything (rule 41)', () => {
  it('leaves its agent stopped and nothing open, though neither had seen the other', async () => {
    const late = { holder: 'bia', clientId: AGENT.clientId };
    const decide = await consenting({ asksFirst: false }, 60, late);
    const { intercept, reached, open } = gate('before', 'append AgentAuthorized+MandateOpened+MandateOpened');
    const consent = decide(sale.market.process({ intercept })).then(told, told);
    await reached;
    await sale.calm.the(PauseAgentsHandler).execute(new PauseAgents(late.holder, systemContext('a test')));
    open();
    expect(await consent).toBe('consent_overtaken');
    const { state } = await sale.calm.aggregates.load(delegations, late);
    expect(state).toMatchObject({ pauseOfAll: { pause: 1, isOn: true }, openMandates: {} });
  });
});

describe('a consent that is carried out after the time of its mandates', () => {
  it.each(['insert grants', 'append AgentAuthorized+MandateOpened+MandateOpened'])(
    'leaves nothing of it, says so, and cannot be tried again: it broke off after its %s',
    async (step) => {
      const decide = await consenting({ asksFirst: false }, 1);
      const broken = sale.market.process({ intercept: failing('after', step) });
      await expect(decide(broken)).rejects.toThrow();
      sale.past(61_000);
      await sale.market.recover(sale.calm);
      expect(await decide(sale.calm).then(told, told)).toBe('consent_late');
      expect(await decide(sale.calm).then(told, told)).toBe('authorization_request_gone');
      const { holder, clientId } = AGENT;
      expect(await sale.calm.grants.have('payment:execute', holder, clientId)).toBe(false);
      const { state } = await sale.calm.aggregates.load(delegations, AGENT);
      expect(state).toMatchObject({ openMandates: { [sale.wanted.mandate]: {} } });
    },
  );
});

const told = (answer: unknown): string => {
  if (answer instanceof OAuthError) return answer.reason;
  if (answer instanceof Error) throw answer;
  return typeof answer === 'string' ? 'code' : 'done';
};
