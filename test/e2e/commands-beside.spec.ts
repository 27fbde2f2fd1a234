import { once } from 'node:events';
import { lstat, readdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { tokensFor } from '../support/agent.js';
import { alcada, failure } from '../support/alcada.js';
import { CLARA } from '../support/auditor.js';
import { loggedIn } from '../support/challenge.js';
import { startProcess } from '../support/real-process.js';
import { LATER, newFolder, removeFolder, startService } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('it looks at a server that has the files of a folder');

const ZOE = { email: 'zoe@example.com', password: 'senha-da-zoe' } as const;
const CALLBACK = 'http://127.0.0.1:8765/callback';

let folder: string;
beforeEach(async () => {
  folder = await newFolder();
});
afterEach(() => removeFolder(folder));

const modeOf = async (...path: readonly string[]) => ((await lstat(join(...path))).mode & 0o777).toString(8);

const done = async (args: readonly string[], input = ''): Promise<string> => {
  const { code, stdout, stderr } = await alcada(folder, args, { input, environment: LATER });
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
};

const isLetIn = async (origin: string) => (await loggedIn(`${origin}/auditoria`, CLARA)).page.status === 200;

describe('commands beside a running server', () => {
  it('let people and agents in and out at once, also after it was killed, with a log that keeps their secrets', async () => {
    let server = await startProcess(folder, LATER);
    expect(await done(['auditor', 'add', CLARA.email], `${CLARA.password}\n`)).toMatch(/^Auditor added/);
    expect(await done(['traveller', 'add', ZOE.email], `${ZOE.password}\n`)).toMatch(/^Traveller added/);
    const add = ['client', 'add', 'agente-novo', '--redirect-uri', CALLBACK, '--json'];
    const { secret } = JSON.parse(await done(add)) as { readonly secret: string };
    const wanted = { traveller: ZOE, client: { clientId: 'agente-novo', secret } };
    await tokensFor(server.origin, wanted);
    expect(await isLetIn(server.origin)).toBe(true);
    expect([await modeOf(folder, 'operator'), await modeOf(folder, 'operator/socket')]).toEqual(['700', '600']);
    expect(server.stdout()).toContain('"operation":"client add"');
    const said = server.stdout() + server.stderr();
    for (const one of [secret, CLARA.password, ZOE.password, ZOE.email]) expect(said).not.toContain(one);

    await server.end('SIGKILL');
    expect(await readdir(join(folder, 'operator'))).toEqual(['socket']); // of nobody: what follows opens the files itself
    expect(await alcada(folder, add, { environment: LATER })).toMatchObject(failure(1, 'agente-novo'));
    server = await startProcess(folder, LATER);
    expect(await alcada(folder, add, { environment: LATER })).toMatchObject(failure(1, 'agente-novo'));
    expect(JSON.parse(await done(['client', 'remove', 'agente-novo', '--json']))).toMatchObject({ endedAgents: 1 });
    await expect(tokensFor(server.origin, wanted)).rejects.toThrow();
    await done(['auditor', 'remove', CLARA.email]);
    expect(await isLetIn(server.origin)).toBe(false);
    expect(await alcada(folder, ['keys', 'rotate'])).toMatchObject(failure(78, 'stop it first'));
    await server.end('SIGTERM');
    expect(await readdir(folder)).not.toContain('operator');
  });

  it('reach it in a folder with a long path, and nobody reaches more than it offers', async () => {
    const deep = join(folder, 'x'.repeat(120));
    const service = await startService(deep);
    const added = await alcada(deep, ['traveller', 'add', ZOE.email], {
      input: `${ZOE.password}\n`,
      environment: LATER,
    });
    expect(added).toMatchObject({ code: 0 });
    await service.stop();
    expect(await readdir(deep)).not.toContain('operator');

    const other = await startService(folder);
    const answerTo = async (line: string): Promise<string> => {
      const socket = connect(join(folder, 'operator/socket'));
      socket.on('error', () => undefined);
      socket.write(line);
      return text(socket).catch(() => '');
    };
    for (const operation of ['erase', 'toString', '__proto__'])
      expect(await answerTo(`${JSON.stringify({ operation })}\n`)).toMatch(/"failed":.*cannot do that.*"code":1/);
    expect(await answerTo('null\n')).toMatch(/"failed"/);
    expect(await answerTo('x'.repeat(300_000))).toBe('');
    const waiting = connect(join(folder, 'operator/socket'));
    await once(
      waiting.on('error', () => undefined),
      'connect',
    );
    const staying = connect({ path: join(folder, 'operator/socket'), allowHalfOpen: true });
    staying.on('error', () => undefined).write('null\n');
    await once(staying.resume(), 'end');
    let cut: Error | null | undefined; // who was answered and stays has no place any more
    for (let turn = 0; turn < 100 && !cut; turn += 1)
      cut = await new Promise((resolve) => setImmediate(() => staying.write('more', resolve)));
    staying.destroy();
    expect(cut).toMatchObject({ code: expect.any(String) });
    await writeFile(join(folder, 'operator/left'), '');
    await other.stop(); // which does not wait for who asks nothing
    expect(await readdir(join(folder, 'operator'))).toEqual(['left']);
  });
});
