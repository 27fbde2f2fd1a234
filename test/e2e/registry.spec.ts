import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '#testing';
import { Receiver } from '../../libs/outbox/src/testing/index.js';
import { agentAt, apiAt, PURCHASE, tokensFor } from '../support/agent.js';
import { alcada } from '../support/alcada.js';
import { bodyOf, grant } from '../support/purchase.js';
import { runCommand } from '../support/real-process.js';
import { newFolder, removeFolder, startService } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('it reads the files of a folder');

const CALLBACK = 'http://127.0.0.1:8765/callback';
const ZOE = { email: 'zoe@example.com', password: 'senha-da-zoe' } as const;

let folder: string;
beforeEach(async () => {
  folder = await newFolder();
});
afterEach(() => removeFolder(folder));

const addClient = async (clientId: string, ...more: readonly string[]): Promise<{ readonly secret: string }> => {
  const { code, stdout } = await alcada(folder, [
    'client',
    'add',
    clientId,
    '--redirect-uri',
    CALLBACK,
    '--json',
    ...more,
  ]);
  expect(code).toBe(0);
  return JSON.parse(stdout) as { secret: string };
};

const stored = async (): Promise<string> => {
  const files = await readdir(folder);
  return (await Promise.all(files.map((file) => readFile(join(folder, file), 'latin1')))).join('\n');
};

describe('alcada client and alcada traveller', () => {
  it('let an agent and a traveller in from the next start on, and out again', async () => {
    const { secret } = await addClient('agente-novo', '--name', 'Agente novo');
    expect(await alcada(folder, ['traveller', 'add', ZOE.email], { input: `${ZOE.password}\n` })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('they can log in now'),
    });
    let service = await startService(folder);
    const scopes = [...PURCHASE, 'webhook:manage'] as const;
    const wanted = { traveller: ZOE, client: { clientId: 'agente-novo', secret }, scopes };
    const { access_token: token } = await tokensFor(service.origin, wanted);
    const agent = apiAt(service.origin, token);
    expect(await agent.get('/bookings')).toMatchObject({ status: 200 });
    const receiver = await Receiver.open();
    const { id: webhook } = bodyOf(await agent.post<{ readonly id: string }>('/webhooks', { url: receiver.url }), 201);
    const mandate = await grant(agent, 100_000);
    await service.stop();

    const rotated = await alcada(folder, ['client', 'rotate-secret', 'agente-novo', '--json']);
    const { secret: newSecret } = JSON.parse(rotated.stdout) as { secret: string };
    service = await startService(folder);
    await expect(tokensFor(service.origin, wanted)).rejects.toThrow('401');
    await agentAt(service.origin, { ...wanted, client: { clientId: 'agente-novo', secret: newSecret } });
    expect(await apiAt(service.origin, token).get('/bookings')).toMatchObject({ status: 200 });
    await service.stop();

    const removed = await alcada(folder, ['client', 'remove', 'agente-novo', '--json']);
    // One of them was never redeemed: with the old secret.
    expect(JSON.parse(removed.stdout)).toEqual({ clientId: 'agente-novo', endedGrants: 3, endedAgents: 1 });
    expect((await alcada(folder, ['audit', 'mandate', mandate.id])).stdout).toMatch(/revoked/);
    service = await startService(folder);
    const webhooks = () => service.dependencies.endpoints.stored.get(webhook);
    await until(async () => (await webhooks()) === null);
    expect(receiver.told.map(({ body: { type } }) => type)).toEqual(['mandate.granted', 'agent.revoked']);
    await receiver.close();
    expect(await apiAt(service.origin, token).get('/bookings')).toMatchObject({ status: 401 });
    await expect(tokensFor(service.origin, wanted)).rejects.toThrow();
    await service.stop();

    const bytes = await stored();
    expect(bytes).toContain('zoe@example.com');
    for (const one of [secret, newSecret, ZOE.password]) expect(bytes).not.toContain(one);
  });

  it('show a secret once, to a person or a program', async () => {
    const shown = await alcada(folder, ['client', 'add', 'um', '--redirect-uri', CALLBACK]);
    expect(shown.stdout).toMatch(/client secret {2}[\w-]{43} {3}\(shown only now: keep it\)/);
    await addClient('dois', '--public', '--redirect-uri', 'https://dois.example/volta', '--name', 'Dois');
    const listed = await alcada(folder, ['client', 'list']);
    expect(listed.stdout).not.toMatch(/[\w-]{43}/);
    expect(listed.stdout).toMatch(
      /^dois\n {2}name {10}Dois\n {2}kind {10}public\n(?: {2}redirect URI {2}\S+\n){2}um\n/,
    );
    expect(JSON.parse((await alcada(folder, ['client', 'list', '--json'])).stdout)).toMatchObject([
      { clientId: 'dois', isPublic: true, redirectUris: [CALLBACK, 'https://dois.example/volta'] },
      { clientId: 'um', isPublic: false },
    ]);
  });

  it('register an agent that signs with keys, say which, and give it others', async () => {
    const keys = join(folder, 'jwks.json');
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: 'janeiro' };
    await writeFile(keys, JSON.stringify({ keys: [jwk] }));
    const added = await addClient('tres', '--jwks', keys, '--require-par', '--require-dpop');
    expect(added).toMatchObject({ secret: null, jwks: { keys: [jwk] }, requirePar: true, requireDpop: true });
    const { stdout } = await alcada(folder, ['client', 'list']);
    expect(stdout).toMatch(
      /kind {10}signs with janeiro\n.*\n {2}requests {6}must be pushed \(PAR\)\n {2}tokens {8}must be bound/,
    );
    await writeFile(keys, JSON.stringify({ keys: [{ ...jwk, kid: 'fevereiro' }] }));
    const replaced = await alcada(folder, ['client', 'replace-keys', 'tres', '--jwks', keys]);
    expect(replaced).toMatchObject({ code: 0, stdout: expect.stringContaining('signs with fevereiro') });
    const { stdout: listed } = await alcada(folder, ['client', 'list', '--json']);
    expect(JSON.parse(listed)).toMatchObject([{ isPublic: false, jwks: { keys: [{ kid: 'fevereiro' }] } }]);
    await writeFile(keys, JSON.stringify({ keys: [{ ...jwk, d: 'segredo' }] }));
    for (const command of ['add', 'replace-keys']) {
      const refused = await alcada(folder, ['client', command, 'tres', '--jwks', keys]);
      expect(refused).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/public keys, each RSA, P-256/) });
    }
    await writeFile(keys, JSON.stringify({ keys: [jwk] }));
    for (const args of [
      ['add', 'quatro', '--jwks-uri', 'http://agente.example/jwks.json'],
      ['add', 'quatro', '--jwks-uri', 'https://agente.example/jwks.json', '--jwks', keys],
      ['rotate-secret', 'tres'],
      ['add', 'quatro', '--public', '--jwks', keys],
    ])
      expect(await alcada(folder, ['client', ...args])).toMatchObject({ code: 1, stdout: '' });
    await addClient('cinco', '--jwks-uri', 'https://agente.example/jwks.json');
    const last = await alcada(folder, ['client', 'list']);
    expect(last.stdout).toContain('signs with the keys at https://agente.example/jwks.json');
  });

  it('log a traveller out with a new password, and remove them', async () => {
    await alcada(folder, ['traveller', 'add', ZOE.email], { input: ZOE.password });
    const changed = await alcada(folder, ['traveller', 'set-password', ZOE.email], { input: 'outra-senha\r\nnada\n' });
    expect(changed).toMatchObject({ code: 0, stdout: expect.stringContaining('logged out everywhere') });
    const service = await startService(folder);
    await expect(tokensFor(service.origin, { traveller: ZOE })).rejects.toThrow();
    await tokensFor(service.origin, { traveller: { ...ZOE, password: 'outra-senha' } });
    await service.stop();
    const removed = await alcada(folder, ['traveller', 'remove', ZOE.email, '--json']);
    expect(JSON.parse(removed.stdout)).toEqual({ email: ZOE.email, endedGrants: 1 });
    const { stdout } = await alcada(folder, ['traveller', 'list', '--json']);
    const emails = (JSON.parse(stdout) as readonly { email: string }[]).map(({ email }) => email);
    expect(emails).toEqual(['ana@example.com', 'bruno@example.com', 'ucp@example.com']);
  });

  it('refuse what cannot be done with one line', async () => {
    const refused = runCommand(['client', 'rotate-secret', 'alcada-pilot'], { DATA_DIR: folder });
    const why = 'alcada client: alcada-pilot comes from the configuration, which every start restores\n';
    expect([await refused.ended, refused.stdout(), refused.stderr()]).toEqual([{ code: 1, signal: null }, '', why]);
  });

  it('refuse to go on without a password', async () => {
    const refused = await alcada(folder, ['traveller', 'add', ZOE.email]);
    expect(refused).toEqual({ code: 1, stdout: '', stderr: 'alcada traveller: no password was given\n' });
  });

  it('let an auditor in and out, apart from the travellers', async () => {
    await alcada(folder, ['traveller', 'add', ZOE.email], { input: `${ZOE.password}\n` });
    expect(await alcada(folder, ['auditor', 'list'])).toMatchObject({ code: 0, stdout: 'No auditors.\n' });
    const added = await alcada(folder, ['auditor', 'add', ` ${ZOE.email.toUpperCase()}`, '--json'], {
      input: 'senha-de-auditora\n',
    });
    const { email, auditor } = JSON.parse(added.stdout) as { readonly email: string; readonly auditor: string };
    expect(email).toBe(ZOE.email);
    expect((await alcada(folder, ['auditor', 'list'])).stdout).toContain(`${ZOE.email}  ${auditor}`);
    expect((await alcada(folder, ['traveller', 'list'])).stdout).not.toContain(auditor);
    const again = await alcada(folder, ['auditor', 'add', ZOE.email], { input: 'senha-de-auditora\n' });
    expect(again).toMatchObject({ code: 1, stderr: `alcada auditor: there is an auditor ${ZOE.email} already\n` });
    const short = await alcada(folder, ['auditor', 'add', 'outra@example.com'], { input: 'curta\n' });
    expect(short).toMatchObject({ code: 1, stderr: expect.stringContaining('8 to 256 characters') });
    const removed = await alcada(folder, ['auditor', 'remove', ZOE.email, '--json']);
    expect(JSON.parse(removed.stdout)).toEqual({ email: ZOE.email, auditor });
    expect(await alcada(folder, ['auditor', 'remove', ZOE.email])).toMatchObject({ code: 1 });
    expect((await alcada(folder, ['traveller', 'list'])).stdout).toContain(ZOE.email);
  });

  it('name a variable that is wrong, as the server does', async () => {
    const ended = await alcada(folder, ['client', 'list'], { environment: { LIMIT_LOGINS: 'many' } });
    expect(ended).toMatchObject({ code: 78, stderr: expect.stringContaining('LIMIT_LOGINS') });
  });
});
