import type { Checkouts } from '#checkout';
import { Aggregates } from '#event-store';
import { RandomIds, systemContext } from '#kernel';
import { ReadModels } from '#read-models';
import { FixedClock, withCalls } from '#testing';
import { MemoryDocuments } from '../../../documents/src/testing/index.js';
import { MemoryEventStore } from '../../../event-store/src/testing/index.js';
import { agentsProjection } from '../delegation/agents.projection.js';
import { delegations } from '../delegation/delegation.decider.js';
import { PauseAgents, PauseAgentsHandler, ResumeAgents, ResumeAgentsHandler } from './pause-agents.js';

const CONTEXT = systemContext('a test');
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

it('lets an agent go on that was let in right before, though the list does not have it yet', async () => {
  const clock = new FixedClock();
  const events = new MemoryEventStore();
  let listed: Promise<void> = Promise.resolve();
  const store = withCalls(new MemoryDocuments(clock), (name, call) =>
    name === 'putGuarded' ? (...args) => listed.then(() => call(...args)) : call,
  );
  const aggregates = new Aggregates(events, clock, new RandomIds());
  const readModels = new ReadModels(events, store, [agentsProjection], clock, () => undefined);
  await readModels.start();
  const checkouts = { aggregates, events, clock } as unknown as Checkouts;
  const pausing = new PauseAgentsHandler(checkouts, readModels, store);
  const letIn = async (clientId: string, pause?: number) => {
    const party = { holder: 'ana', clientId };
    const consent = { type: 'AuthorizeAgent', ...party, grantId: 'g', scopes: [], pause } as const;
    await aggregates.handle(delegations, party, consent, CONTEXT);
    return async () => (await aggregates.load(delegations, party)).state;
  };
  await letIn('first');
  await pausing.execute(new PauseAgents('ana', CONTEXT));
  let show = (): void => undefined;
  listed = new Promise((resolve) => (show = resolve));
  const late = await letIn('late', 1);
  const resumed = new ResumeAgentsHandler(checkouts, pausing).execute(new ResumeAgents('ana', CONTEXT));
  await turns(20);
  show();
  await resumed;
  expect(await late()).toMatchObject({ pauseOfAll: { pause: 1, isOn: false } });
  await readModels.stop();
});
