import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { MeasuredService } from '../support/forked.js';

const service = new MeasuredService();

const sockets: Socket[] = [];
const leave = () => {
  for (const socket of sockets.splice(0)) socket.destroy();
};
afterEach(leave);

const read = async (path: string): Promise<void> => {
  const [answer] = (await once(request(`${service.origin}${path}`, { agent: false }).end(), 'response')) as [
    NodeJS.ReadableStream,
  ];
  await once(answer.resume(), 'end');
};

/** Asks on a connection of its own, as often as it may ask ahead, and reads nothing. */
const askAndReadNothing = async (path: string, host: string, times: number): Promise<void> => {
  const { hostname, port } = new URL(service.origin);
  const socket = connect({ port: Number(port), host: hostname });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(times));
};

/** Bytes of ours that an unread answer may hold, with its connection and the requests behind it. */
const MOST = 256 * 1024;
const [CALLERS, AHEAD, LOOKS] = [12, 16, 3];

const TWO_DAYS = new Date(Date.now() - 47.9 * 3_600_000).toISOString();
const FIGURES = `/api/v1/observability/agent-traffic?bucket=minute&from=${TWO_DAYS}`;

describe('an answer that nobody reads', () => {
  it.each([
    ['the figures of two days as a table', `${FIGURES}&format=csv`, () => 'x'],
    ['the description of the API', '/api/v1/openapi.json', () => 'x'],
    ['its page, under a name that nobody else uses', '/docs/orders', (caller: number) => `[::1]:${caller + 1}`],
  ])('holds few pieces of %s', async (_, path, hostOf) => {
    // Whoever asks once more has waited for those who asked before.
    const served = async () => {
      for (let asked = 0; asked < CALLERS; asked += 1) await read(path);
    };
    // What answers were made of is given back by and by.
    const least = async (): Promise<number> => {
      let held = Infinity;
      for (let looks = 0; looks < LOOKS; looks += 1) {
        await served();
        held = Math.min(held, await service.held());
      }
      return held;
    };
    for (let caller = 0; caller < CALLERS; caller += 1) await askAndReadNothing(path, hostOf(caller), AHEAD);
    const unread = await least();
    leave();
    expect((unread - (await least())) / CALLERS).toBeLessThanOrEqual(MOST);
  });
});
