import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { built } from './built.js';

/** A request of a stranger, who has no token. */
export interface Asked {
  readonly path: string;
  /** Absent: it is read. */
  readonly body?: string;
}
interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
}

/** Asks a service from addresses of this machine, each of which keeps its connections. */
export class Strangers {
  private readonly agents = new Map<string, Agent>();
  private addresses = 0;

  constructor(private readonly origin: string) {}

  newAddress(): string {
    this.addresses += 1;
    return `127.1.${Math.floor(this.addresses / 250)}.${1 + (this.addresses % 250)}`;
  }

  async ask({ path, body }: Asked, localAddress: string): Promise<Answered> {
    const agent = this.agents.get(localAddress) ?? new Agent({ keepAlive: true, localAddress });
    this.agents.set(localAddress, agent);
    const headers = {
      accept: 'application/json, text/event-stream, text/html',
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request(`${this.origin}${path}`, { method, agent, headers }).end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    await once(answer.resume(), 'end');
    return { status: answer.statusCode ?? 0, headers: answer.headers };
  }

  leave(address: string): void {
    this.agents.get(address)?.destroy();
  }

  close(): void {
    for (const agent of this.agents.values()) agent.destroy();
  }
}

const numbered = (count: number, name = 'k'): string =>
  Array.from({ length: count }, (_, at) => `"${name}${at}":0`).join(',');
/** As much as may stand in a body: so many members, or so long. */
const [MANY, MORE, LONG] = [numbered(950), numbered(6_300), `"k":"${'é'.repeat(31_000)}"`];
const overMcp = (method: string, params: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${params}}}`;
const call = (args: string): string => overMcp('tools/call', `"name":"search_flights","arguments":{${args}}`);

/** The dearest requests of the fuzz. */
export const WORST: Readonly<Record<string, Asked>> = {
  'a tool over MCP with as many unknown arguments as it may have': { path: '/mcp', body: call(MANY) },
  'a tool over MCP with more of them': { path: '/mcp', body: call(MORE) },
  'a tool over MCP with a long one': { path: '/mcp', body: call(LONG) },
  'an unknown method of MCP': { path: '/mcp', body: overMcp('nope', MANY) },
  'a tool over WebMCP': { path: '/api/v1/webmcp/call', body: `{"tool":"search_flights","arguments":{${MANY}}}` },
  'a booking of nobody': { path: '/api/v1/bookings', body: `{${MANY}}` },
  'the figures of a month': { path: '/observability?periodo=30d' },
  'the description of the API': { path: '/api/v1/openapi.json' },
};
export const CHEAP: Asked = { path: '/api/v1/flights?q=recife' };

/** How long (ms) an address takes at most to spend what it may send at once. */
const SPENDING = 3_000;
/** So many refusals in a row show that nothing is left: half of them may be answers from before a pause. */
const REFUSALS = 16;

/** An address that sends one request over and over, as often as it is let through. */
export class Hammer {
  private readonly child: ChildProcess;

  constructor(origin: string, address: string, { path, body = '' }: Asked) {
    this.child = fork(built('test/support/hammer.main.js'), [origin, address, path, body], { execArgv: [] });
  }

  /** Goes on, until it has spent what it may send at once. */
  async atItsLimit(): Promise<void> {
    this.child.kill('SIGCONT');
    const spent = new AbortController();
    const refused = async () => {
      for (let told = 0; told < REFUSALS && !spent.signal.aborted; told += 1) await once(this.child, 'message');
    };
    await Promise.race([refused(), pause(SPENDING, undefined, { signal: spent.signal })]);
    spent.abort();
  }

  pause(): void {
    this.child.kill('SIGSTOP');
  }

  async end(): Promise<void> {
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}

/** How a quiet neighbour asks: in how many rounds of each kind, how often in one, and with what pause (ms) between. */
export interface Pace {
  readonly rounds: number;
  readonly requests: number;
  readonly pause: number;
}

/** Milliseconds that a quiet neighbour waits for each answer, by round: alone, and beside a hammer at its limit. */
export interface Waits {
  readonly alone: readonly (readonly number[])[];
  readonly beside: readonly (readonly number[])[];
}

/** Lets a neighbour ask alone and beside a hammer by turns, each time from an address of its own. */
export const waitsBeside = async (strangers: Strangers, hammer: Hammer, pace: Pace): Promise<Waits> => {
  const round = async (): Promise<readonly number[]> => {
    const address = strangers.newAddress();
    const waits: number[] = [];
    await strangers.ask(CHEAP, address); // connects
    for (let asked = 0; asked < pace.requests; asked += 1) {
      if (pace.pause > 0) await pause(pace.pause);
      const from = performance.now();
      const { status } = await strangers.ask(CHEAP, address);
      waits.push(performance.now() - from);
      if (status !== 200) throw new Error(`a quiet neighbour was answered ${status}`);
    }
    strangers.leave(address);
    return waits;
  };
  const [alone, beside]: [(readonly number[])[], (readonly number[])[]] = [[], []];
  for (let pair = 0; pair < pace.rounds; pair += 1) {
    hammer.pause();
    alone.push(await round());
    await hammer.atItsLimit();
    beside.push(await round());
  }
  return { alone, beside };
};
