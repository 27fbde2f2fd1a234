import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolder } from '../support/service.js';

/*
 * What a stranger's worst requests cost everybody else, by the CPU time of the service: on a busy machine the times that
 * others wait say nothing.
 */

const program = (name: string): string => fileURLToPath(new URL(`../support/${name}.main.js`, import.meta.url));

let folder: string;
let service: ChildProcess;
let origin: string;
beforeAll(async () => {
  folder = await newFolder();
  const env = { DATA_DIR: folder, PASSWORD_COST: '10', TRUST_PROXY: 'none' };
  service = fork(program('measured'), { env, execArgv: [] });
  origin = String(((await once(service, 'message')) as unknown[])[0]);
});
afterAll(async () => {
  service.kill('SIGKILL');
  await once(service, 'exit');
  await removeFolder(folder);
});

/** What the CPU has spent on the service so far, in ms. */
const spent = async (): Promise<number> => {
  const told = once(service, 'message') as Promise<unknown[]>;
  service.send('?');
  return Number((await told)[0]);
};

interface Asked {
  readonly path: string;
  /** Absent: it is read. */
  readonly body?: string;
}
interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
}

const agents = new Map<string, Agent>();
afterAll(() => agents.forEach((agent) => agent.destroy()));

/** One request from an address of this machine. */
const ask = async ({ path, body }: Asked, localAddress: string): Promise<Answered> => {
  const agent = agents.get(localAddress) ?? new Agent({ keepAlive: true, localAddress });
  agents.set(localAddress, agent);
  const headers = {
    accept: 'application/json, text/event-stream, text/html',
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  const sent = request(`${origin}${path}`, { method: body === undefined ? 'GET' : 'POST', agent, headers }).end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  await once(answer.resume(), 'end');
  return { status: answer.statusCode ?? 0, headers: answer.headers };
};

const numbered = (count: number, name = 'k'): string =>
  Array.from({ length: count }, (_, at) => `"${name}${at}":0`).join(',');
/** As much as may stand in a body: so many members, or so long. */
const [MANY, MORE, LONG] = [numbered(950), numbered(6_300), `"k":"${'é'.repeat(31_000)}"`];
const overMcp = (method: string, params: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${params}}}`;
const call = (args: string): string => overMcp('tools/call', `"name":"search_flights","arguments":{${args}}`);

const WORST: Readonly<Record<string, Asked>> = {
  'a tool over MCP with as many unknown arguments as it may have': { path: '/mcp', body: call(MANY) },
  'a tool over MCP with more of them': { path: '/mcp', body: call(MORE) },
  'a tool over MCP with a long one': { path: '/mcp', body: call(LONG) },
  'an unknown method of MCP': { path: '/mcp', body: overMcp('nope', MANY) },
  'a tool over WebMCP': { path: '/api/v1/webmcp/call', body: `{"tool":"search_flights","arguments":{${MANY}}}` },
  'a booking of nobody': { path: '/api/v1/bookings', body: `{${MANY}}` },
  'the figures of a month': { path: '/observability?periodo=30d' },
  'the description of the API': { path: '/api/v1/openapi.json' },
};
const CHEAP: Asked = { path: '/api/v1/flights?q=recife' };

/** As how much a request counts: what an address that nobody has heard from yet has left after it. */
const weightOf = async (asked: Asked, address: string): Promise<number> => {
  const { headers } = await ask(asked, address);
  const [, most] = /;q=(\d+)/.exec(String(headers['ratelimit-policy'])) ?? [];
  const [, left] = /;r=(\d+)/.exec(String(headers['ratelimit'])) ?? [];
  return Number(most) - Number(left);
};

let addresses = 0;
/** An address that nobody has used yet. */
const newAddress = (): string => {
  addresses += 1;
  return `127.1.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`;
};

/** CPU time (ms) of a request; the least of some rounds, since the process has other work as well. */
const costOf = async (asked: Asked): Promise<number> => {
  const costs: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const address = newAddress();
    const before = await spent();
    for (let time = 0; time < 5; time += 1) await ask(asked, address);
    costs.push(((await spent()) - before) / 5);
    agents.get(address)?.destroy();
  }
  return Math.min(...costs);
};

/** How much more CPU time one may cost than another that counts as much. */
const DEAR = 10;

describe('what a stranger sends', () => {
  it('counts in proportion to what it costs', async () => {
    for (const asked of Object.values(WORST)) for (let time = 0; time < 20; time += 1) await ask(asked, newAddress()); // until it is compiled
    const cheap = (await costOf(CHEAP)) / (await weightOf(CHEAP, newAddress()));
    const dear: string[] = [];
    for (const [name, asked] of Object.entries(WORST)) {
      const weight = await weightOf(asked, newAddress());
      expect(weight).toBeGreaterThan(0);
      const cost = await costOf(asked);
      if (cost / weight > DEAR * cheap) dear.push(`${name}: ${cost.toFixed(1)} ms, counted as ${weight}`);
    }
    expect(dear).toEqual([]);
  });
});

/** The share of a core that one address may keep busy: with half of it left nobody else waits much longer than alone. */
const SHARE = 0.5;
/** How long (ms) an address is watched, and how long it takes at most to spend what it may send at once. */
const [WATCHED, SPENDING] = [2_000, 3_000];

describe('one address at its limit', () => {
  it.each(Object.entries(WORST))('leaves others at least half a core beside %s', async (_, { path, body = '' }) => {
    const hammer = fork(program('hammer'), [origin, newAddress(), path, body], { execArgv: [] });
    await Promise.race([once(hammer, 'message'), pause(SPENDING)]);
    const [from, before] = [performance.now(), await spent()];
    await pause(WATCHED);
    const share = ((await spent()) - before) / (performance.now() - from);
    hammer.kill('SIGKILL');
    await once(hammer, 'exit');
    expect(share).toBeLessThanOrEqual(SHARE);
  });
});
