import { openTestDocuments } from '../../../identity/src/testing/index.js';
import { type Approval, type AuthorizationRequest, AuthorizationRequests } from './authorization-requests.js';

let opened: ReturnType<typeof openTestDocuments>;
let requests: AuthorizationRequests;
let id: string;
beforeEach(async () => {
  opened = openTestDocuments();
  requests = new AuthorizationRequests(opened.documents, opened.clock);
  await requests.prepare();
  id = await requests.keep(REQUEST, '192.0.2.1');
});

const REQUEST: AuthorizationRequest = {
  clientId: 'agente',
  redirectUri: 'x:/',
  state: null,
  codeChallenge: 'c',
  scopes: ['catalog:read'],
  resources: ['api'],
  prompt: [],
  loginSince: null,
  details: [],
  approval: null,
};

const approval: Approval = { holder: 'ana', at: '2026-01-15T12:00:00.000Z', grantId: 'g', details: [] };

it('an authorization request can be taken once, even by two who found it at the same moment', async () => {
  const taken = await Promise.allSettled([requests.take(id), requests.take(id)]);
  expect(taken.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

it('an authorization request is approved or taken, and never both, when both come at the same moment', async () => {
  const decided = await Promise.allSettled([requests.approve(id, approval), requests.take(id)]);
  expect(decided.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

it('an authorization request that is approved is not taken any more, nor one that nobody made', async () => {
  await requests.approve(id, approval);
  await expect(requests.take(id)).rejects.toThrow('authorization_request_gone');
  expect(await requests.find(id)).toMatchObject({ approval });
  await expect(requests.take('another')).rejects.toThrow('authorization_request_gone');
});

it('the authorization requests that a holder has approved go with them, and no others', async () => {
  await requests.approve(id, approval);
  const waiting = await requests.keep(REQUEST, null);
  expect(await requests.forgetAll('bruno')).toBe(0);
  expect(await requests.forgetAll('ana')).toBe(1);
  await expect(requests.find(id)).rejects.toThrow();
  expect(await requests.find(waiting)).toMatchObject({ approval: null });
});

it('an approval is answered again to whom approves the same, and to nobody else', async () => {
  await requests.approve(id, approval);
  const again = await requests.approve(id, { ...approval, grantId: 'another' });
  expect(again.approval.grantId).toBe('g');
  const cap = { amount: 5_00, currency: 'BRL' } as const;
  for (const other of [{ holder: 'bruno' }, { cap }, { cap: null }])
    await expect(requests.approve(id, { ...approval, ...other })).rejects.toThrow();
});

it('of 10,000 authorization requests the oldest of the block with most gives up its place to the next, and none approved', async () => {
  await requests.approve(id, approval);
  const loud: string[] = [];
  for (let network = 0; network < 9_998; network += 1)
    loud.push(await requests.push(REQUEST, `2001:db8:1:${network.toString(16)}::/64`));
  const quiet = await requests.keep(REQUEST, '2001:db8:2:0::/64');
  const late = [await requests.keep(REQUEST, '192.0.2.1'), await requests.keep(REQUEST, '192.0.2.1')];
  for (const gone of loud.slice(0, 2)) await expect(requests.find(gone)).rejects.toThrow('authorization_request_gone');
  for (const there of [id, quiet, ...late, ...loud.slice(2, 4)]) await requests.find(there);
});
