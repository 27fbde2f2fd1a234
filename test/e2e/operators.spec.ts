import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from '../../apps/cli/src/doctor/finding.js';
import type { RunningApi } from '../../apps/api/src/start.js';
import { CaughtMails } from '../../libs/outbox/src/testing/index.js';
import { agentAt } from '../support/agent.js';
import { alcada } from '../support/alcada.js';
import { book, buy, grant, TRIP_PRICE } from '../support/purchase.js';
import { sealed } from '../support/sealed.js';
import { type Environment, newFolder, ownFolder, removeFolder, settled, startService } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('it reads the files of a folder');

const KEY_ENCRYPTION_KEY = 'ab'.repeat(32);
const SECRETS = { KEY_ENCRYPTION_KEY, PILOT_CLIENT_SECRET: 'segredo-do-piloto', DEMO_PASSWORD: 'senha-da-ana' };

const folder = ownFolder(() => service.stop());
let service: RunningApi;
let environment: Environment;
beforeAll(async () => {
  service = await startService(folder, { ...SECRETS, TLOG_INTERVAL: '0.05' });
  environment = { ...SECRETS, PORT: new URL(service.origin).port };
  const { clientId, secret } = { clientId: 'alcada-pilot', secret: SECRETS.PILOT_CLIENT_SECRET };
  const traveller = { email: 'ana@example.com', password: SECRETS.DEMO_PASSWORD };
  const agent = await agentAt(service.origin, { client: { clientId, secret }, traveller });
  await buy(agent, await book(agent), await grant(agent, TRIP_PRICE));
  await settled(service);
  await sealed(service);
});

const doctor = async (more: Environment = {}, on = folder) => {
  const { code, stdout, stderr } = await alcada(on, ['doctor', '--json'], { environment: { ...environment, ...more } });
  const { faults, findings } = JSON.parse(stdout) as { readonly faults: number; readonly findings: readonly Finding[] };
  expect(faults).toBe(findings.filter(({ state }) => state === 'WRONG').length);
  return { code, stderr, wrong: findings.filter(({ state }) => state === 'WRONG'), all: findings };
};

describe('alcada doctor', () => {
  it('finds nothing wrong beside a service that is well, and shows no secret', async () => {
    const { code, stderr, wrong, all } = await doctor();
    expect([code, stderr, wrong]).toEqual([0, '', []]);
    for (const what of ['data folder', 'stores', 'signing keys', 'transparency log', 'read models', 'server'])
      expect(all.filter((one) => one.what === what)).toMatchObject([{ state: 'ok' }]);
    const { stdout } = await alcada(folder, ['doctor'], { environment });
    expect(stdout).toMatch(/^Nothing is wrong\.\n(?: {2}(?:ok |note) .+\n)+$/);
    for (const secret of Object.values(SECRETS)) expect(stdout + JSON.stringify(all)).not.toContain(secret);
  });

  it('names what is wrong, and ends with 1', async () => {
    const other = await doctor({ KEY_ENCRYPTION_KEY: 'cd'.repeat(32) });
    expect([other.code, other.wrong]).toMatchObject([1, [{ what: 'signing keys' }]]);
    expect(await doctor({ PORT: 'x' })).toMatchObject({ code: 1, wrong: [{ what: 'configuration' }] });
    expect(await doctor({ CATALOG_FILE: join(folder, 'none') })).toMatchObject({ wrong: [{ what: 'catalogue' }] });
    const damaged = await newFolder();
    await writeFile(join(damaged, 'events.db'), 'x'.repeat(8_192));
    expect(await doctor({}, damaged)).toMatchObject({ code: 1, wrong: [{ what: 'stores' }] });
    await removeFolder(damaged);
  });

  it('sends a test mail where it is asked to, and says why none arrives, without what the server answered', async () => {
    const caught = await new CaughtMails().open();
    const mailing = { ...environment, SMTP_URL: caught.url };
    const ended = await alcada(folder, ['doctor', '--send-mail', 'rui@example.com'], { environment: mailing });
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('took a test mail to rui@example.com') });
    expect(caught.mails).toMatchObject([{ to: 'rui@example.com', subject: 'Teste de e-mail da Alçada' }]);
    caught.refusal = 550;
    const refused = await alcada(folder, ['doctor', '--send-mail', 'rui@example.com'], { environment: mailing });
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringMatching(/WRONG {2}mail .*EENVELOPE 550\n/) });
    await caught.close();
    expect((await doctor({ SMTP_URL: caught.url })).wrong).toMatchObject([{ what: 'mail' }]);
    const none = await alcada(folder, ['doctor', '--send-mail', 'rui@example.com'], { environment });
    expect(none).toMatchObject({ code: 1, stdout: expect.stringContaining('no SMTP_URL') });
    for (const { stdout } of [ended, refused]) expect(stdout).not.toContain('segredo-do-correio');
  });

  it('looks at what a first start finds, and makes nothing', async () => {
    const nowhere = join(folder, 'nowhere');
    const { code, all } = await doctor({ PORT: '1' }, nowhere);
    expect([code, all.filter(({ what }) => ['stores', 'server'].includes(what)).map(({ state }) => state)]).toEqual([
      0,
      ['note', 'note'],
    ]);
    expect((await alcada(nowhere, ['keys', 'list'])).stderr).toContain('there is no data in');
  });
});

describe('alcada status', () => {
  it('tells how the service is, where its log ends and what is behind', async () => {
    const { code, stdout } = await alcada(folder, ['status'], { environment });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/server +ready, version \d+\.\d+\.\d+, up for \d/)]);
    expect(stdout).toMatch(/ {2}log +position \d+, last event 20/);
    expect(stdout).toMatch(/ orders: (?:up to date|.+ behind)\n/);
  });

  it('tells of the service also where the stores cannot be read', async () => {
    const elsewhere = await newFolder();
    const { code, stdout, stderr } = await alcada(elsewhere, ['status'], { environment });
    expect([code, stdout]).toEqual([78, expect.stringMatching(/server +ready, [^]*stores +CANNOT BE READ\n/)]);
    expect(stderr).toContain('there is no data in');
    const told = await alcada(elsewhere, ['status', '--json'], { environment });
    expect(JSON.parse(told.stdout)).toMatchObject({ server: { isReady: true }, stores: null });
    await removeFolder(elsewhere);
  });

  it('ends with 1 where no service answers, and tells of the stores all the same', async () => {
    const { code, stdout, stderr } = await alcada(folder, ['status'], { environment: { ...environment, PORT: '1' } });
    expect([code, stdout]).toEqual([1, expect.stringMatching(/server +none answers at http:\/\/127\.0\.0\.1:1\n/)]);
    expect(stderr).toBe('alcada status: no server answers at http://127.0.0.1:1\n');
  });
});
