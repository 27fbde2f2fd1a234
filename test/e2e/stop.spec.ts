import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { operatorMessage } from '#runtime';
import { until } from '#testing';
import { apiAt } from '../support/agent.js';
import { originOf, runProjector, startProcess } from '../support/real-process.js';
import { newFolder, removeFolder, startService } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('its processes hold a folder');

let folder: string;
beforeEach(async () => {
  folder = await newFolder();
});
afterEach(() => removeFolder(folder));

/** A request that the server has begun to read: its body does not come, unless it is written. */
const unfinishedRequest = async (origin: string) => {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.on('error', () => undefined); // the end of the server
  socket.write(
    'POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n' +
      'Expect: 100-continue\r\n\r\n{',
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toContain('100 Continue');
  return socket;
};

describe('a process that is told to stop', () => {
  it('waits for a request under way, and answers it', async () => {
    const service = await startProcess(folder);
    const socket = await unfinishedRequest(service.origin);
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    const closed = once(socket, 'close');
    const ended = service.end('SIGTERM');
    const health = () => apiAt(service.origin).get('/health');
    await until(() =>
      health().then(
        () => false,
        () => true,
      ),
    );
    socket.write(`${' '.repeat(97)}}`);
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d [^]*\r\nconnection: close\r\n[^]*\{"error":/i);
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  it('ends at once when it is told again', async () => {
    const service = await startProcess(folder);
    const socket = await unfinishedRequest(service.origin);
    const ended = service.end('SIGTERM');
    await until(() => service.stdout().includes('"stopping"'));
    await sleep(700); // longer than two signals count as one
    expect(await service.end('SIGTERM')).toEqual({ code: 143, signal: null });
    await ended;
    socket.destroy();
  });

  it('takes what npm passes on beside the terminal for the same signal', async () => {
    const service = await startProcess(folder);
    const ended = service.end('SIGINT');
    expect(await service.end('SIGINT')).toEqual({ code: 0, signal: null });
    await ended;
  });

  it('ends with npm, which leaves no process behind', async () => {
    // Signals reach the service only where it takes the place of npm's shell.
    const env = { ...process.env, PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'silent' };
    const npm = spawn('npm', ['run', '--silent', 'start'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const origin = await originOf(npm);
    expect(await apiAt(origin).get('/health')).toMatchObject({ status: 200 });
    const ended = once(npm, 'exit');
    npm.kill('SIGTERM');
    await ended;
    await expect(apiAt(origin).get('/health')).rejects.toThrow('fetch failed');
    const next = await startService(folder); // nobody holds the folder
    await next.stop();
  });
});

describe('a process of the distributed way', () => {
  it('that projects refuses to start without servers, saying that the API does it all, and which variable is nearly one', async () => {
    const projector = runProjector({ DATA_DIR: folder, EVENTSTORE_URI: 'esdb://u:guardada@127.0.0.1:9' });
    expect(await projector.ended).toEqual({ code: 78, signal: null });
    expect(projector.stderr()).toMatch(
      /^alcada ignores .* EVENTSTORE_URI \(is EVENTSTORE_URL meant\?\)\nalcada cannot start: EVENTSTORE_URL, MONGODB_URL: .*in one process\n$/,
    );
  });

  it.each([
    ['EVENTSTORE_URL', { MONGODB_URL: 'mongodb://u:guardada@127.0.0.1:9' }],
    ['MONGODB_URL', { EVENTSTORE_URL: 'esdb://u:guardada@127.0.0.1:9' }],
  ])('refuses to start without %s, and tells no password', async (missing, environment) => {
    const error: unknown = await startService(folder, environment).catch((reason: unknown) => reason);
    expect(operatorMessage(error)).toContain(`${missing}: `);
    expect(operatorMessage(error)).not.toContain('guardada');
  });
});
