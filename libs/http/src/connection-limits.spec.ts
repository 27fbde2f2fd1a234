import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ManualClock, openForAll } from '#testing';
import { OpenConnections } from './connection-limits.js';

const LIMITS = { headersTimeout: 0, requestTimeout: 0, idleTimeout: 0, byAddress: 0 };

/** A server that refuses everybody after a second, and cuts off who asks for `/ahead`. */
const refusing = async (total: number, trustProxy: string) => {
  const clock = new ManualClock();
  const lines: unknown[] = [];
  const log = { info: (...line: readonly unknown[]) => void lines.push(line) };
  const open = new OpenConnections({ ...LIMITS, total }, { clock, log, trustProxy });
  let asked = 0;
  const server = createServer(({ url, socket }, response) => {
    asked += 1;
    if (url === '/ahead') open.cutOff(socket);
    else open.hold(response, 1_000, () => response.end());
  });
  open.watch(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = (path = '/') => {
    const sent = get({ port, path, host: '127.0.0.1', agent: false });
    let outcome = 'waits';
    sent.on('response', (answer: IncomingMessage) => {
      outcome = 'refused';
      answer.resume();
    });
    sent.on('error', () => (outcome = 'cut off'));
    return { isOver: once(sent, 'close').catch(() => undefined), outcome: () => outcome };
  };
  const until = async (requests: number) => {
    while (asked < requests) await nextTurn();
  };
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { clock, open, lines, ask, until, stop };
};

describe('a refusal', () => {
  const direct = openForAll(() => refusing(0, 'none'));
  const proxied = openForAll(() => refusing(0, 'loopback'));
  const narrow = openForAll(() => refusing(1, 'none'));

  it('is kept from its caller for a second', async () => {
    const caller = direct.ask();
    await direct.until(1);
    direct.clock.advance(999);
    await nextTurn();
    expect(caller.outcome()).toBe('waits');
    direct.clock.advance(1);
    await caller.isOver;
    expect(caller.outcome()).toBe('refused');
  });

  it('is kept from no proxy, since others ask on the same connection', async () => {
    const caller = proxied.ask();
    await caller.isOver;
    expect(caller.outcome()).toBe('refused');
  });

  it('holds no place while it is kept: a newcomer takes it', async () => {
    const first = narrow.ask();
    await narrow.until(1);
    const second = narrow.ask();
    await first.isOver;
    expect(first.outcome()).toBe('cut off');
    await narrow.until(2);
    narrow.clock.advance(1_000);
    await second.isOver;
    expect(second.outcome()).toBe('refused');
  });

  it('is sent at once when the server ends', async () => {
    const caller = direct.ask();
    await direct.until(2);
    direct.open.end();
    await caller.isOver;
    expect(caller.outcome()).toBe('refused');
  });
});

describe('who sends too much ahead', () => {
  const server = openForAll(() => refusing(0, 'none'));

  it('is cut off with what its address has idle, gets no new connection for ten seconds, and the log says why', async () => {
    const waiting = server.ask();
    await server.until(1);
    await server.ask('/ahead').isOver;
    await waiting.isOver;
    expect(waiting.outcome()).toBe('cut off');
    expect(server.lines).toEqual([[{ operation: 'unmatched', reason: 'too_many_ahead' }, 'connection cut off']]);
    server.clock.advance(9_999);
    const early = server.ask();
    await early.isOver;
    expect(early.outcome()).toBe('cut off');
    server.clock.advance(1);
    const late = server.ask();
    await server.until(3);
    server.clock.advance(1_000);
    await late.isOver;
    expect(late.outcome()).toBe('refused');
  });
});
