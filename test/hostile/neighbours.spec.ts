import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { MeasuredService } from '../support/forked.js';
import { type Asked, CHEAP, Strangers, WORST } from '../support/neighbours.js';

/** What a stranger's worst requests cost others in CPU time; for waits see `npm run bench -- neighbours`. */

let strangers: Strangers;
afterAll(() => strangers.close());
const service = new MeasuredService({ TRUST_PROXY: 'none' });
beforeAll(() => {
  strangers = new Strangers(service.origin);
});

/** As how much a request counts: what an address that nobody has heard from yet has left after it. */
const weightOf = async (asked: Asked, address: string): Promise<number> => {
  const { headers } = await strangers.ask(asked, address);
  const [, most] = /;q=(\d+)/.exec(String(headers['ratelimit-policy'])) ?? [];
  const [, left] = /;r=(\d+)/.exec(String(headers['ratelimit'])) ?? [];
  return Number(most) - Number(left);
};

/** CPU time (ms) of a request; the least of some rounds, since the process has other work as well. */
const costOf = async (asked: Asked): Promise<number> => {
  const costs: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const address = strangers.newAddress();
    const before = await service.spent();
    for (let time = 0; time < 5; time += 1) await strangers.ask(asked, address);
    costs.push(((await service.spent()) - before) / 5);
    strangers.leave(address);
  }
  return Math.min(...costs);
};

/** How much more CPU time one may cost than another that counts as much. */
const DEAR = 10;

describe('what a stranger sends', () => {
  it('counts in proportion to what it costs', async () => {
    for (const asked of Object.values(WORST))
      for (let time = 0; time < 20; time += 1) await strangers.ask(asked, strangers.newAddress()); // until it is compiled
    const cheap = (await costOf(CHEAP)) / (await weightOf(CHEAP, strangers.newAddress()));
    const dear: string[] = [];
    for (const [name, asked] of Object.entries(WORST)) {
      const weight = await weightOf(asked, strangers.newAddress());
      expect(weight).toBeGreaterThan(0);
      const cost = await costOf(asked);
      if (cost / weight > DEAR * cheap) dear.push(`${name}: ${cost.toFixed(1)} ms, counted as ${weight}`);
    }
    expect(dear).toEqual([]);
  });

  it('costs no more for what is sent ahead than a few requests', async () => {
    const burst = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2_427); // 64 KB
    const costs: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const before = await service.spent();
      for (let time = 0; time < 5; time += 1) {
        const localAddress = strangers.newAddress();
        const socket = connect({ port: Number(new URL(service.origin).port), host: '127.0.0.1', localAddress });
        socket.on('error', () => undefined).write(burst);
        await once(socket, 'close');
      }
      costs.push(((await service.spent()) - before) / 5);
    }
    expect(Math.min(...costs) / (await costOf(CHEAP))).toBeLessThan(15);
  });

  it('costs a neighbour little who opens a connection while an address over its limit keeps asking on 100', async () => {
    const cost = async (): Promise<number> => {
      const costs: number[] = [];
      for (let asked = 0; asked < 9; asked += 1) {
        const address = strangers.newAddress();
        const before = await service.spent();
        await strangers.ask(CHEAP, address);
        costs.push((await service.spent()) - before);
        strangers.leave(address);
      }
      return costs.sort((one, other) => one - other)[4] ?? Infinity;
    };
    const alone = await cost();
    const localAddress = strangers.newAddress();
    const port = Number(new URL(service.origin).port);
    const ask = `GET ${CHEAP.path} HTTP/1.1\r\nHost: a\r\n\r\n`;
    let refused = 0;
    const flood = Array.from({ length: 100 }, () => {
      const socket = connect({ port, host: '127.0.0.1', localAddress }, () => socket.write(ask));
      return socket.on('data', (answer) => {
        if (String(answer).startsWith('HTTP/1.1 429')) refused += 1;
        if (String(answer).startsWith('HTTP/1.1')) socket.write(ask);
      });
    });
    while (refused < 100) await pause(20);
    const beside = await cost();
    for (const socket of flood) socket.destroy();
    expect(beside / alone).toBeLessThan(15);
  });
});
