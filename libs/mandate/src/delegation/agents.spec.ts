import { Aggregates } from '#event-store';
import { RandomIds, systemContext } from '#kernel';
import { ReadModels } from '#read-models';
import { FixedClock } from '#testing';
import { MemoryDocuments } from '../../../documents/src/testing/index.js';
import { MemoryEventStore } from '../../../event-store/src/testing/index.js';
import { Agents, requireAuthorizedAgent } from './agents.js';
import { agentsProjection } from './agents.projection.js';
import type { DelegationCommand } from './delegation.commands.js';
import { delegations } from './delegation.decider.js';

let clock: FixedClock;
let aggregates: Aggregates;
let agents: Agents;
let readModels: ReadModels;
beforeEach(async () => {
  clock = new FixedClock();
  const events = new MemoryEventStore();
  const store = new MemoryDocuments(clock);
  aggregates = new Aggregates(events, clock, new RandomIds());
  const onError = (error: unknown) => {
    throw error;
  };
  readModels = new ReadModels(events, store, [agentsProjection], clock, onError);
  await readModels.start();
  agents = new Agents(aggregates, store, readModels);
});
afterEach(() => readModels.stop());

const handle = async (holder: string, clientId: string, command: DelegationCommand): Promise<void> => {
  clock.advance(1_000);
  const { position } = await aggregates.handle(delegations, { holder, clientId }, command, systemContext('a test'));
  if (position !== null) await readModels.caughtUp(position);
};
const letIn = (holder: string, clientId: string) =>
  handle(holder, clientId, { type: 'AuthorizeAgent', holder, clientId, grantId: 'g', scopes: [] });

describe('the agents that travellers have let in', () => {
  beforeEach(async () => {
    for (const [holder, clientId] of [
      ['ana', 'pilot'],
      ['bruno', 'pilot'],
      ['ana', 'other'],
    ] as const)
      await letIn(holder, clientId);
  });

  it('are listed of one traveller, those of the latest consent first, and revoked ones too', async () => {
    await handle('ana', 'other', { type: 'RevokeAgent' });
    const ofAna = (cursor?: string) => agents.ofTraveller('ana', { limit: 1, cursor });
    const { items, nextCursor } = await ofAna();
    expect(items).toMatchObject([{ clientId: 'other', revokedAt: clock.now() }]);
    expect((await ofAna(nextCursor ?? undefined)).items).toMatchObject([{ clientId: 'pilot', revokedAt: null }]);
  });

  it('are listed by agent, the travellers of the latest consent first', async () => {
    const page = { limit: 10, cursor: undefined };
    const found = await agents.travellersOf('pilot', page);
    expect(found.items.map(({ holder }) => holder)).toEqual(['bruno', 'ana']);
  });

  it('are read one by one, and act only while they are authorized', async () => {
    const read = (clientId: string) => agents.delegation('ana', clientId);
    const acting = (clientId: string) => requireAuthorizedAgent(aggregates, { holder: 'ana', clientId });
    expect(await read('pilot')).toMatchObject({ status: 'authorized' });
    expect(await acting('pilot')).toEqual(await read('pilot'));
    await handle('ana', 'pilot', { type: 'RevokeAgent' });
    expect(await read('pilot')).toMatchObject({ status: 'revoked' });
    expect(await read('nobody')).toEqual({ status: 'unknown' });
    for (const clientId of ['pilot', 'nobody'])
      await expect(acting(clientId)).rejects.toMatchObject({ code: 'invalid_token' });
  });
});
