import { Accounts, Passwords } from '#identity';
import { type Actor, plus, RandomIds, SYSTEM, systemContext } from '#kernel';
import { mandates } from '#mandate';
import type { Place } from '../places.js';
import { MemoryDocuments } from '../../../documents/src/testing/index.js';
import { GrantedAgent } from '../../../mandate/src/testing/index.js';
import { NOTICES, Notices, NOTICES_REACHED } from './notices.js';
import { NoticeWriter } from './notice-writer.js';

let agent: GrantedAgent;
let documents: MemoryDocuments;
let places: Place[];
let notices: Notices;
let writer: NoticeWriter;
/** How often places were read. */
let reads: number;
beforeEach(async () => {
  agent = await new GrantedAgent().letIn();
  documents = new MemoryDocuments(agent.clock);
  const settings = { accounts: [], passwordCost: { N: 1_024, r: 8, p: 1 }, loginFailures: 0 };
  const accounts = new Accounts(documents, new RandomIds(), new Passwords(settings));
  await accounts.prepare();
  for (const spec of [NOTICES, NOTICES_REACHED]) await documents.prepare(spec);
  await documents.insert('accounts', agent.party.holder, { email: 'ana@example.com', password: null });
  places = [];
  notices = new Notices(documents);
  reads = 0;
  const after = (key: string | null) => {
    reads += 1;
    return Promise.resolve(places.filter((place) => key === null || place.key > key));
  };
  const end = () => Promise.resolve(places.at(-1)?.key ?? null);
  writer = new NoticeWriter({ outbox: { after, end }, events: agent.events, accounts, notices, isMailing: true });
});

/** The last event of a stream is public as one of this type. */
const tell = async (type: Place['type'], lane: string, more: Partial<Place> = {}): Promise<void> => {
  const stream = more.stream ?? mandates.streamOf(lane);
  let revision = 0;
  for await (const event of agent.events.readStream(stream)) revision = event.revision;
  const key = String(places.length).padStart(20, '0');
  places.push({ id: `evt_${key}`, key, type, ...agent.party, lane, stream, revision, at: agent.clock.now(), ...more });
};

const noticed = async (): Promise<readonly string[]> => {
  await writer.write(new AbortController().signal);
  return (await notices.of(agent.party.holder, 9)).map(({ type, subject }) => `${type} ${subject}`);
};

const end = (mandateId: string, actor: Actor) =>
  agent.aggregates.handle(
    mandates,
    mandateId,
    { type: 'Revoke', holder: agent.party.holder },
    { ...systemContext('a test'), actor },
  );

it('reads places only where the outbox has grown', async () => {
  await tell('mandate.exhausted', await agent.open(1_000));
  expect(await noticed()).toHaveLength(1);
  const before = reads;
  await noticed();
  expect(reads).toBe(before);
  await tell('mandate.exhausted', await agent.open(1_000));
  expect(await noticed()).toHaveLength(2);
});

describe('a notice', () => {
  it('is of what others did, never of what the traveller did themselves', async () => {
    const [own, agents, operators] = [await agent.open(1_000), await agent.open(1_000), await agent.open(1_000)];
    await end(own, { holder: agent.party.holder, clientId: null });
    await end(agents, agent.party);
    await end(operators, SYSTEM);
    for (const mandateId of [own, agents, operators]) await tell('mandate.revoked', mandateId);
    expect(await noticed()).toEqual([`mandate.revoked ${operators}`, `mandate.revoked ${agents}`]);
  });

  it('of an end is of what had anything left, and of 80 % of what has', async () => {
    const spent = await agent.open(1_000);
    await agent.charge(spent, 1_000);
    await tell('mandate.nearly_exhausted', spent);
    await tell('mandate.exhausted', spent);
    await end(spent, SYSTEM);
    await tell('mandate.revoked', spent);
    const nearly = await agent.open(1_000);
    await agent.charge(nearly, 900);
    await tell('mandate.nearly_exhausted', nearly);
    agent.clock.advance(3_600_000);
    await agent.aggregates.handle(mandates, nearly, { type: 'Expire' }, systemContext('a test'));
    await tell('mandate.expired', nearly);
    expect(await noticed()).toEqual([
      `mandate.expired ${nearly}`,
      `mandate.nearly_exhausted ${nearly}`,
      `mandate.exhausted ${spent}`,
    ]);
  });

  it('of an end is not of what was asked for and never granted', async () => {
    const mandateId = new RandomIds().next();
    const now = agent.clock.now();
    const asked = {
      mandateId,
      ...agent.party,
      scope: [],
      limit: { amount: 1_000, currency: 'BRL' },
      minutes: 60,
    } as const;
    const request = { type: 'RequestMandate', ...asked, requestedAt: now, lapsesAt: plus(now, 60_000) } as const;
    await agent.aggregates.handle(mandates, mandateId, request, { ...systemContext('a test'), actor: agent.party });
    await tell('mandate.requested', mandateId);
    await end(mandateId, agent.party);
    await tell('mandate.revoked', mandateId);
    expect(await noticed()).toEqual([`mandate.requested ${mandateId}`]);
  });

  it('of a cancelled flight leads to the order, where it is one', async () => {
    const stream = mandates.streamOf(await agent.open(1_000)); // of a flight nothing more is looked at
    await tell('flight.cancelled', 'AL1201-2026-12-24', { stream, orderIds: ['o1'] });
    await tell('flight.cancelled', 'AL1201-2026-12-25', { stream, orderIds: ['o1', 'o2'] });
    await tell('order.paid', 'm1', { stream });
    expect(await noticed()).toEqual(['flight.cancelled ', 'flight.cancelled o1']);
  });

  it('stays as it is where it is written again, and is of nobody who has no account', async () => {
    const [one, other] = [await agent.open(1_000), await agent.open(1_000)];
    for (const mandateId of [one, other]) await end(mandateId, SYSTEM);
    await tell('mandate.revoked', one);
    expect(await noticed()).toHaveLength(1);
    await notices.readAll(agent.party.holder);
    await documents.delete(NOTICES_REACHED.name, 'reached'); // as where a crash came before it
    expect(await noticed()).toHaveLength(1);
    expect((await notices.of(agent.party.holder, 9))[0]?.isRead).toBe(true);
    await documents.delete('accounts', agent.party.holder);
    await tell('mandate.revoked', other);
    expect(await noticed()).toHaveLength(1);
  });
});
