import { once } from 'node:events';
import { connect } from 'node:net';
import { readConfig } from '#config';
import { trafficLog } from '#events';
import { closePorts, openEmbeddedPorts } from '#runtime';
import { apiAt } from '../support/agent.js';
import { startProcess } from '../support/real-process.js';
import { ownFolder } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('it reads the log that a process left');

const folder = ownFolder();

/** A request whose body never comes, which the server has begun to read. */
const hungRequest = async (origin: string) => {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined); // the server cuts it
  await once(socket, 'connect');
  socket.write(
    'POST /api/v1/bookings HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n' +
      'Expect: 100-continue\r\n\r\n{',
  );
  await once(socket, 'data');
  return socket;
};

const countedCalls = async (): Promise<number> => {
  const ports = await openEmbeddedPorts(readConfig({ DATA_DIR: folder }));
  let calls = 0;
  for await (const { stream, data } of ports.events.readAll(null)) {
    if (!stream.startsWith(`${trafficLog.category}-`)) continue;
    for (const [, count] of JSON.stringify(data).matchAll(/"count":(\d+)/g)) calls += Number(count);
  }
  await closePorts(ports);
  return calls;
};

describe('a process that is told to stop while a request hangs', () => {
  it('still writes its last counts, and ends by itself before it would be killed', async () => {
    const service = await startProcess(folder);
    const socket = await hungRequest(service.origin);
    const anyone = apiAt(service.origin);
    for (let call = 0; call < 7; call += 1) await anyone.get('/flights');
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null });
    socket.destroy();
    expect(service.stdout()).not.toContain('request failed'); // who leaves is no failure of ours
    expect(await countedCalls()).toBe(8); // with the one that hung, which ended when its connection was cut
  });
});
