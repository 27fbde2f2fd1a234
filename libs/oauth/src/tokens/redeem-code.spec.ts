import { delegations } from '#mandate';
import { hashOf, parametersOf, SecurityLog } from '#identity';
import { newCause, RandomIds, systemContext } from '#kernel';
import { openTestStores } from '../../../identity/src/testing/index.js';
import type { Client } from '../clients/clients.js';
import { AuthorizationCodes } from '../grants/authorization-codes.js';
import { ActiveGrants, Grants } from '../grants/grants.js';
import { RevokeGrant } from '../grants/revoke-grant.js';
import { LOOPBACK } from '../testing/test-settings.js';
import { RedeemCode } from './redeem-code.js';

const GRANT = '11111111-1111-4111-8111-111111111111';
const client: Client = { clientId: 'agente', name: 'Agente', secretHash: null, redirectUris: [], pilot: false };
const sent = {
  client,
  jkt: null,
  parameters: parametersOf(undefined),
  urls: LOOPBACK.urls,
  cause: newCause(new RandomIds()),
};

let store: ReturnType<typeof openTestStores>;
let grants: Grants;
let code: string;
let redeemCode: RedeemCode;
beforeEach(async () => {
  store = openTestStores();
  grants = new Grants(store.documents, store.clock);
  const codes = new AuthorizationCodes(store.documents, store.clock);
  await grants.prepare();
  await codes.prepare();
  const revokeGrant = new RevokeGrant(grants, new SecurityLog(store.aggregates, store.clock));
  redeemCode = new RedeemCode(codes, new ActiveGrants(grants, store.aggregates), revokeGrant, store.clock);
  const authorize = { type: 'AuthorizeAgent', holder: 'h', clientId: 'agente', grantId: GRANT, scopes: [] } as const;
  await store.aggregates.handle(delegations, { holder: 'h', clientId: 'agente' }, authorize, systemContext('a test'));
  await grants.open(GRANT, { holder: 'h', clientId: 'agente', scopes: ['catalog:read'], resources: ['api'] });
  code = await codes.issue({ grantId: GRANT, clientId: 'agente', redirectUri: 'x:/', codeChallenge: hashOf('v') });
});

const form = () => ({ grant_type: 'authorization_code', code, code_verifier: 'v', redirect_uri: undefined }) as const;

describe('redeeming a code', () => {
  it('works once, even for two who both found it unused; the second revokes the grant', async () => {
    const one = await redeemCode.find(form(), sent);
    const other = await redeemCode.find(form(), sent);
    await redeemCode.redeem(one.code, sent);
    await expect(redeemCode.redeem(other.code, sent)).rejects.toThrow('code_invalid');
    expect(await grants.active(GRANT)).toBeNull();
  });

  it('issues no token where the grant was revoked in between', async () => {
    const { code: found, grant } = await redeemCode.find(form(), sent);
    await redeemCode.redeem(found, sent);
    await grants.revoke(GRANT, 'code_replayed');
    expect(await grants.rotate(grant, 'refresh token')).toBe(false);
    expect(await grants.active(GRANT)).toBeNull();
  });

  it('is refused where the agent was revoked in between, and revokes a grant that outlived it (rule 19)', async () => {
    const revoke = { type: 'RevokeAgent' } as const;
    await store.aggregates.handle(delegations, { holder: 'h', clientId: 'agente' }, revoke, systemContext('a test'));
    await expect(redeemCode.find(form(), sent)).rejects.toThrow('code_invalid');
    expect(await grants.active(GRANT)).toBeNull();
  });

  it('is refused once its grant is revoked', async () => {
    await grants.revoke(GRANT, 'code_replayed');
    await expect(redeemCode.find(form(), sent)).rejects.toThrow('code_invalid');
  });
});
