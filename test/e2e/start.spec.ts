import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operatorMessage } from '#runtime';
import { apiAt } from '../support/agent.js';
import { alcada } from '../support/alcada.js';
import { catalogEntry, writeCatalog } from '../support/catalog.js';
import { runService, startProcess } from '../support/real-process.js';
import { type Environment, newFolder, removeFolder, startService } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('it judges a start by the files of a folder');

let folder: string;
beforeEach(async () => {
  folder = await newFolder();
});
afterEach(() => removeFolder(folder));

/** What a service says that refuses to start; it must end by itself, as one wrongly configured. */
const refusalToStart = async (environment: Environment): Promise<string> => {
  const service = runService({ PORT: '0', DATA_DIR: folder, ...environment });
  const ending = await service.ended;
  expect([ending, service.stdout()]).toEqual([{ code: 78, signal: null }, '']);
  expect(service.stderr()).toMatch(/^alcada cannot start: /);
  expect(service.stderr()).not.toMatch(/\n\s+at /);
  return service.stderr();
};

/** The same without a process of its own: what the operator is told of a start that is refused. */
const toldOperator = async (environment: Environment): Promise<string> => {
  const error: unknown = await startService(folder, environment).then(
    () => new Error('it started'),
    (reason: unknown) => reason,
  );
  const message = operatorMessage(error);
  if (message === null) throw error;
  return message;
};

describe('the service refuses to start', () => {
  it('with a wrong variable, naming it', async () =>
    expect(await refusalToStart({ PORT: '70000' })).toContain('PORT: '));

  it('in a folder that is none, in words of its own', async () => {
    await writeFile(join(folder, 'file'), '');
    expect(await toldOperator({ DATA_DIR: join(folder, 'file', 'data') })).toMatch(
      /events\.db cannot be opened for writing: a part of its path is a file \(ENOTDIR\)\. Is DATA_DIR right\?$/,
    );
  });

  it('in production over the data of a demo start, naming what still lets everybody in', async () => {
    const demo = await startService(folder);
    await demo.stop();
    const environment = {
      NODE_ENV: 'production',
      TRUST_PROXY: 'none',
      PILOT_CLIENT_ID: 'outro-piloto',
      PILOT_CLIENT_SECRET: 'segredo-guardado-em-lugar-seguro-1',
      DEMO_TRAVELLERS: '',
      KEY_ENCRYPTION_KEY: 'ab'.repeat(32),
      PASSWORD_COST: '15',
      LOG_LEVEL: 'error',
    };
    const said = await toldOperator(environment);
    for (const name of ['client alcada-pilot', 'traveller ana@example.com', 'traveller bruno@example.com'])
      expect(said).toContain(name);
  });

  it('on the data of another process, which goes on', async () => {
    const first = await startProcess(folder);
    expect(await refusalToStart({})).toMatch(/events\.db .*another process holds it/);
    expect(await apiAt(first.origin).get('/health')).toMatchObject({ status: 200 });
    expect(await first.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});

describe('a catalogue that is wrong', () => {
  it('is refused, naming entry and field, and nothing of it is imported', async () => {
    const wrong = catalogEntry({ flightNumber: 'AL9002', slug: 'x', seats: -1 });
    const said = await toldOperator({ CATALOG_FILE: await writeCatalog(folder, [catalogEntry(), wrong]) });
    expect(said).toMatch(/flights\[1\] "AL9002" seats: /);
    const CATALOG_FILE = await writeCatalog(folder, [catalogEntry({ flightNumber: 'AL9003' })]);
    const service = await startService(folder, { CATALOG_FILE });
    const flights = await apiAt(service.origin).get('/flights');
    await service.stop();
    expect(flights.body).toMatchObject({ count: 1, items: [{ flightNumber: 'AL9003' }] });
  });
});

describe('a policy of witnesses that is none', () => {
  it('is refused, naming the line', async () => {
    const TLOG_WITNESSES = join(folder, 'witnesses');
    await writeFile(TLOG_WITNESSES, 'quorum none\nwitness somebody\n');
    expect(await toldOperator({ TLOG_WITNESSES })).toMatch(/TLOG_WITNESSES: .* line 2 of the policy: /);
  });
});

describe('a service that starts', () => {
  it('shows where it is, the pilot client and who can log in, and ends at SIGINT', async () => {
    const service = await startProcess(folder);
    const banner = service.stderr();
    expect(await service.end('SIGINT')).toEqual({ code: 0, signal: null });
    const programs = ['/api/v1', '/api/v1/openapi.json', '/.well-known/oauth-authorization-server', '/mcp', '/tlog'];
    const people = ['', '/docs', '/docs/agents', '/conta', '/observability', '/auditoria', '/verificar'];
    for (const path of [...programs, ...people, '/oauth/playground', '/api/v1/health/ready'])
      expect(banner).toContain(`${service.origin}${path}\n`);
    expect(banner).toContain(`:  PORT=${new URL(service.origin).port} npm run demo\n`);
    expect(banner).toContain(folder);
    const key = await alcada(folder, ['tlog', 'key']);
    const fingerprint = createHash('sha256').update(key.stdout).digest('hex');
    expect(banner).toContain(`  Its key         SHA-256 ${fingerprint}\n`);
    for (const told of ['alcada-pilot / alcada-pilot-secret', 'ana@example.com / alcada-demo', 'bruno@example.com'])
      expect(banner).toContain(told);
  });

  it('tells no secret of another configuration', async () => {
    const environment = {
      NODE_ENV: 'production',
      TRUST_PROXY: 'none',
      PILOT_CLIENT_SECRET: 'segredo-guardado-em-lugar-seguro-1',
      DEMO_TRAVELLERS: 'carla@example.com',
      DEMO_PASSWORD: 'senha-guardada',
      KEY_ENCRYPTION_KEY: 'ab'.repeat(32),
      PASSWORD_COST: '15',
    };
    const service = await startProcess(folder, environment);
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(service.stderr() + service.stdout()).not.toMatch(/guardad|carla|abababab/);
  });
});
