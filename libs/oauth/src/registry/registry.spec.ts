import { plus, RandomIds } from '#kernel';
import { Clients } from '../clients/clients.js';
import { DefaultCredentialsCheck } from '../default-credentials.js';
import { AuthorizationRequests } from '../authorize/authorization-requests.js';
import { Consents } from '../authorize/remembered-consents.js';
import { AuthorizationCodes } from '../grants/authorization-codes.js';
import { Grants } from '../grants/grants.js';
import { SigningKeys } from '../keys/signing-keys.js';
import { OAuthError } from '../oauth-error.js';
import type { PublicDefaults } from '../oauth-settings.js';
import { Accounts, AUDITORS, hashOf, Passwords, Sessions } from '#identity';
import { openTestDocuments } from '../../../identity/src/testing/index.js';
import { PILOT, testSettings } from '../testing/test-settings.js';
import { RegistrationRefused } from './client-registry.js';
import { endAccess } from './end-access.js';
import { openRegistry, type Registry } from './open-registry.js';

const AGENT = {
  clientId: 'agente',
  name: 'Agente',
  redirectUris: ['https://agente.example/volta'],
  isPublic: false,
} as const;
const ZOE = { email: 'zoe@example.com', password: 'senha-da-zoe' } as const;

let store: ReturnType<typeof openTestDocuments>;
let registry: Registry;
beforeEach(async () => {
  store = openTestDocuments();
  registry = await openRegistry({ ...store, ids: new RandomIds() }, testSettings());
});

const nobody = () => Promise.resolve(0);
const openGrant = async (holder: string, clientId: string): Promise<string> => {
  const grantId = crypto.randomUUID();
  const consent = { holder, clientId, scopes: ['booking:write'], resources: ['api'] } as const;
  await new Grants(store.documents, store.clock).open(grantId, consent);
  return grantId;
};
const openSessions = (): Sessions => {
  const accounts = new Accounts(store.documents, new RandomIds(), new Passwords(testSettings()));
  return new Sessions(store.documents, store.clock, accounts);
};
const isAlive = async (grantId: string): Promise<boolean> =>
  (await new Grants(store.documents, store.clock).active(grantId)) !== null;

describe('the clients', () => {
  it('get a secret that is stored as a hash and never listed', async () => {
    const secret = await registry.clients.add(AGENT);
    expect(secret).toMatch(/^[\w-]{43}$/);
    const stored = await new Clients(store.documents).find('agente');
    expect(stored?.secretHash).toBe(hashOf(secret ?? ''));
    expect(await registry.clients.list()).toEqual([{ ...AGENT, isPilot: false }]);
  });

  it('that nobody registered are listed as such, with their document and until when they are kept', async () => {
    const metadataUrl = 'https://agente.example/client.json';
    const { clientId, name, redirectUris } = { ...AGENT, clientId: 'cimd-a' };
    const said = { clientId, name, redirectUris, registration: 'metadata', metadataUrl } as const;
    await new Clients(store.documents).admit({ ...said, secretHash: null, pilot: false }, store.clock.now(), null);
    const keptUntil = plus(store.clock.now(), 86_400_000);
    expect(await registry.clients.list()).toEqual([{ ...said, isPublic: true, isPilot: false, keptUntil }]);
  });

  it.each(['__proto__', 'constructor', 'dcr-eu', 'cimd-eu', 'a b', ''])('are not called %j', async (clientId) => {
    await expect(registry.clients.add({ ...AGENT, clientId })).rejects.toThrow(RegistrationRefused);
    expect(await registry.clients.list()).toEqual([]);
  });

  it('that are public get none, and none to rotate', async () => {
    expect(await registry.clients.add({ ...AGENT, isPublic: true })).toBeNull();
    await expect(registry.clients.rotateSecret('agente')).rejects.toThrow('public client');
  });

  it('are listed by name, however many there are', async () => {
    const names = Array.from({ length: 230 }, (_, number) => `Agente ${number.toString().padStart(3, '0')}`);
    for (const name of names.toReversed())
      await registry.clients.add({ ...AGENT, clientId: name.replace(' ', '-'), name });
    expect((await registry.clients.list()).map(({ name }) => name)).toEqual(names);
  });

  it.each([
    ['an id with a space', { clientId: 'meu agente' }, 'client id'],
    ['no id', { clientId: '' }, 'client id'],
    ['the id of one that nobody registered', { clientId: 'cimd-agente' }, 'nobody registers'],
    ['an empty name', { name: '  ' }, 'name'],
    ['a name that writes backwards', { name: 'Agente \u202eetnega' }, 'name'],
    ['no redirect URI', { redirectUris: [] }, 'redirect URI'],
    ['a redirect URI to anywhere', { redirectUris: ['http://evil.example/'] }, 'https'],
    ['keys at an address of this machine', { jwksUri: 'http://127.0.0.1:8080/chaves' }, 'https'],
  ])('with %s are refused', async (_, change, why) => {
    await expect(registry.clients.add({ ...AGENT, ...change })).rejects.toThrow(why);
    expect(await registry.clients.list()).toEqual([]);
  });

  it('stay as they are when somebody registers their id again', async () => {
    await registry.clients.add(AGENT);
    await expect(registry.clients.add({ ...AGENT, name: 'Outro' })).rejects.toThrow('already');
    expect(await registry.clients.list()).toMatchObject([{ name: 'Agente' }]);
  });

  it('lose the old secret when they get a new one, and keep what was granted', async () => {
    const before = await registry.clients.add(AGENT);
    const grant = await openGrant('ana', 'agente');
    const after = await registry.clients.rotateSecret('agente');
    expect(after).not.toBe(before);
    expect((await new Clients(store.documents).find('agente'))?.secretHash).toBe(hashOf(after));
    expect(await isAlive(grant)).toBe(true);
  });

  it('lose all their grants when they are removed, and nobody else does', async () => {
    await registry.clients.add(AGENT);
    const grants = await Promise.all(Array.from({ length: 120 }, (_, holder) => openGrant(`${holder}`, 'agente')));
    const other = await openGrant('ana', 'outro');
    const revoked: unknown[] = [];
    const revoke = (whose: object) => Promise.resolve(revoked.push(whose) === 2 ? 1 : 0);
    expect(await registry.clients.remove('agente', revoke)).toEqual({ endedGrants: 120, endedAgents: 0 });
    expect(await Promise.all(grants.map(isAlive))).not.toContain(true);
    expect(await isAlive(other)).toBe(true);
    // What a crash left is ended where it is run again, and by then there is no client any more.
    expect(await registry.clients.remove('agente', revoke)).toEqual({ endedGrants: 0, endedAgents: 1 });
    expect(revoked).toEqual([{ clientId: 'agente' }, { clientId: 'agente' }]);
    await expect(registry.clients.remove('agente', revoke)).rejects.toThrow('no client');
  });

  it('of the configuration are changed there, since every start restores them', async () => {
    await expect(registry.clients.remove(PILOT.clientId, nobody)).rejects.toThrow('configuration');
    await expect(registry.clients.rotateSecret(PILOT.clientId)).rejects.toThrow('configuration');
  });
});

describe('the travellers', () => {
  it('are known by one spelling of their e-mail, once', async () => {
    const { holder } = await registry.travellers.add({ ...ZOE, email: ' Zoe@Example.com' });
    expect(await registry.travellers.list()).toEqual([{ email: 'zoe@example.com', holder }]);
    await expect(registry.travellers.add(ZOE)).rejects.toThrow('already');
  });

  it.each([
    ['no e-mail', { email: 'zoe' }],
    ['a short password', { password: '1234567' }],
    ['a password no form can send', { password: 'x'.repeat(257) }],
  ])('with %s are refused', async (_, change) => {
    await expect(registry.travellers.add({ ...ZOE, ...change })).rejects.toMatchObject({ name: 'RegistrationRefused' });
    expect(await registry.travellers.list()).toEqual([]);
  });

  it('are logged out everywhere by a new password, and their agents keep their grants', async () => {
    const { holder } = await registry.travellers.add(ZOE);
    const sessions = openSessions();
    const [here, there] = [await sessions.begin(holder), await sessions.begin(holder)];
    const other = await sessions.begin('ana');
    const grant = await openGrant(holder, 'agente');
    await registry.travellers.setPassword({ ...ZOE, password: 'outra-senha' });
    expect(await Promise.all([here, there].map((id) => sessions.find(id)))).toEqual([null, null]);
    expect(await sessions.find(other)).not.toBeNull();
    expect(await isAlive(grant)).toBe(true);
  });

  it('have another e-mail by which they log in from then on, unless somebody has it, and stay who they are', async () => {
    const { holder } = await registry.travellers.add(ZOE);
    await registry.travellers.add({ ...ZOE, email: 'yara@example.com' });
    const next = ' Zoe.Silva@Example.com';
    expect(await registry.travellers.setEmail(ZOE.email, next)).toEqual({ email: 'zoe.silva@example.com', holder });
    await expect(registry.travellers.setEmail('zoe.silva@example.com', 'yara@example.com')).rejects.toThrow('already');
    await expect(registry.travellers.setEmail('zoe.silva@example.com', 'zoe')).rejects.toThrow('no e-mail');
    await expect(registry.travellers.setEmail(ZOE.email, next)).rejects.toThrow('no traveller');
    const [zoe] = (await registry.travellers.list()).filter((one) => one.holder === holder);
    expect(zoe?.email).toBe('zoe.silva@example.com');
  });

  it('lose their logins and grants when they are removed', async () => {
    const { holder } = await registry.travellers.add(ZOE);
    const session = await openSessions().begin(holder);
    const grant = await openGrant(holder, 'agente');
    const revoked: object[] = [];
    const revoke = (whose: object) => Promise.resolve(revoked.push(whose));
    expect(await registry.travellers.remove('ZOE@example.com', revoke)).toMatchObject({ endedGrants: 1 });
    expect(revoked).toEqual([{ holder }]);
    expect(await isAlive(grant)).toBe(false);
    expect(await openSessions().find(session)).toBeNull();
    expect(await registry.travellers.list()).toEqual([]);
    await expect(registry.travellers.setPassword(ZOE)).rejects.toThrow('no traveller');
  });

  it('of the configuration are removed there, since every start restores them', async () => {
    await expect(registry.travellers.remove('Ana@example.com', nobody)).rejects.toThrow('configuration');
  });
});

describe('published credentials', () => {
  const PUBLISHED = { secret: 'segredo-publicado', password: 'senha-publicada', emails: ['ana@example.com'] } as const;
  const check = (publicDefaults: PublicDefaults | null = PUBLISHED) =>
    new DefaultCredentialsCheck(
      testSettings({ publicDefaults }),
      new Clients(store.documents),
      new Accounts(store.documents, new RandomIds(), new Passwords(testSettings())),
    ).run();

  it('are refused of a client, by name, and those of no other', async () => {
    const client = { ...PILOT, name: 'Agente', redirectUris: AGENT.redirectUris, pilot: false };
    await new Clients(store.documents).ensure({ ...client, secret: 'outro' });
    await expect(check()).resolves.toBeUndefined();
    await new Clients(store.documents).ensure({ ...client, clientId: 'demo', secret: PUBLISHED.secret });
    await expect(check()).rejects.toThrow('alcada client remove demo');
    await expect(check()).rejects.not.toThrow(PILOT.clientId);
    await expect(check(null)).resolves.toBeUndefined();
  });

  it('are refused of a traveller, and not once the password is another', async () => {
    const [email] = PUBLISHED.emails;
    await registry.travellers.add({ email, password: PUBLISHED.password });
    await expect(check()).rejects.toThrow(`alcada traveller set-password ${email}`);
    await registry.travellers.setPassword({ email, password: 'uma senha só dela' });
    await expect(check()).resolves.toBeUndefined();
  });
});

describe('all access', () => {
  it('is ended at once, and counted: grants, and refresh tokens of those in force', async () => {
    const grants = new Grants(store.documents, store.clock);
    const [one, , revoked] = [
      await openGrant('ana', 'agente'),
      await openGrant('bruno', 'agente'),
      await openGrant('ana', 'outro'),
    ];
    for (const id of [one, revoked]) {
      const grant = await grants.active(id);
      if (!grant) throw new Error('it was opened');
      await grants.rotate(grant, `token de ${id}`);
    }
    await grants.revoke(revoked, 'agent_revoked');
    const ended = await endAccess({ ...store, ids: new RandomIds() }, testSettings());
    expect(ended).toMatchObject({ grants: 2, refreshTokens: 1 });
    expect(await isAlive(one)).toBe(false);
  });

  it('is ended of each kind: codes, requests, remembered consents, logins of travellers and auditors, keys', async () => {
    const { documents, clock } = store;
    const ids = new RandomIds();
    const [codes, requests, consents] = [
      new AuthorizationCodes(documents, clock),
      new AuthorizationRequests(documents, clock),
      new Consents(documents, clock),
    ];
    const auditors = new Accounts(documents, ids, new Passwords(testSettings()));
    const auditorSessions = new Sessions(documents, clock, auditors, AUDITORS);
    for (const one of [codes, requests, consents, auditorSessions]) await one.prepare();
    const { holder } = await registry.travellers.add(ZOE);
    const [login, auditorLogin] = [await openSessions().begin(holder), await auditorSessions.begin('auditora')];
    const [redirectUri] = AGENT.redirectUris;
    const asked = { clientId: 'agente', redirectUri, codeChallenge: hashOf('v') };
    const code = await codes.issue({ ...asked, grantId: 'g' });
    const waiting = { state: null, prompt: [], loginSince: null, details: [], approval: null };
    const request = { ...asked, ...waiting, scopes: ['order:write' as const], resources: ['api' as const] };
    const kept = await requests.keep(request, null);
    const pushed = await requests.push(request, null);
    const client = { ...AGENT, secretHash: 'h', pilot: false };
    await consents.remember(request, client, holder);
    const keys = new SigningKeys(documents, clock, testSettings());
    await keys.start();
    const { kid } = await keys.current();

    const ended = await endAccess({ ...store, ids }, testSettings());
    expect(ended).toMatchObject({ codes: 1, requests: 2, consents: 1, logins: 1, auditorLogins: 1, signingKeys: 1 });
    expect(await codes.find(code)).toBeNull();
    for (const id of [kept, pushed]) await expect(requests.find(id)).rejects.toThrow(OAuthError);
    expect(await consents.cover(request, client, holder)).toBe(false);
    expect([await openSessions().find(login), await auditorSessions.find(auditorLogin)]).toEqual([null, null]);
    expect(await new SigningKeys(documents, clock, testSettings()).has(kid)).toBe(false);
  });
});
