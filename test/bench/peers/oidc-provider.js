/**
 * A peer of our authorization server: oidc-provider with everything in memory. It is run where its package is
 * installed: `node oidc-provider.js <how many grants>`, and prints its origin, a refresh token and an opaque access token of
 * each grant. Refresh tokens are rotated, and what they are exchanged for is a JWT signed with RS256, as ours are.
 */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';
import Provider from 'oidc-provider';

const grants = Number(process.argv[2]);
const RESOURCE = 'https://api.example';
const CLIENT = { client_id: 'peer', client_secret: 'peer-secret-of-some-length' };

/** Everything in a Map: the adapter that comes with it forgets all but the last thousand. */
class MemoryAdapter {
  constructor() {
    this.kept = new Map();
  }
  async upsert(id, payload) {
    this.kept.set(id, payload);
  }
  async find(id) {
    return this.kept.get(id);
  }
  async consume(id) {
    this.kept.get(id).consumed = Math.floor(Date.now() / 1_000);
  }
  async destroy(id) {
    this.kept.delete(id);
  }
  async revokeByGrantId(grantId) {
    for (const [id, payload] of this.kept) if (payload.grantId === grantId) this.kept.delete(id);
  }
}

const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${server.address().port}`;

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const provider = new Provider(origin, {
  adapter: MemoryAdapter,
  clients: [
    { ...CLIENT, redirect_uris: ['http://127.0.0.1/callback'], grant_types: ['authorization_code', 'refresh_token'] },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
  scopes: ['offline_access', 'buy'],
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  rotateRefreshToken: true,
  ttl: { Grant: 3_600, RefreshToken: 3_600, AccessToken: 3_600 },
  features: {
    devInteractions: { enabled: false },
    introspection: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => RESOURCE,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'buy',
        audience: RESOURCE,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
});
server.on('request', provider.callback());

const client = await provider.Client.find(CLIENT.client_id);
const tokensOf = async (accountId) => {
  const grant = new provider.Grant({ accountId, clientId: CLIENT.client_id });
  grant.addOIDCScope('offline_access');
  grant.addResourceScope(RESOURCE, 'buy');
  const grantId = await grant.save();
  const common = { accountId, client, grantId, gty: 'authorization_code', scope: 'offline_access buy' };
  const refresh = new provider.RefreshToken({ ...common, resource: RESOURCE, rotations: 0 });
  const access = new provider.AccessToken(common);
  return { refresh: await refresh.save(), access: await access.save() };
};
const tokens = [];
for (let place = 0; place < grants; place += 1) tokens.push(await tokensOf(`account-${place}`));
process.stdout.write(`${JSON.stringify({ origin, ...CLIENT, tokens })}\n`);
