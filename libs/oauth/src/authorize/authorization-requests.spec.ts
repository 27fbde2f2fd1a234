import { expect, it } from '@jest/globals';
import { openTestDocuments } from '../../../identity/src/testing/index.js';
import { AuthorizationRequests } from './authorization-requests.js';

it('an authorization request can be taken once, even by two who found it at the same moment', async () => {
  const { documents, clock, close } = await openTestDocuments();
  const requests = new AuthorizationRequests(documents, clock);
  await requests.prepare();
  const id = await requests.keep({
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
  });
  const taken = await Promise.allSettled([requests.take(id), requests.take(id)]);
  expect(taken.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await close();
});
