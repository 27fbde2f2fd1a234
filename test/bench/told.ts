import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Receiver } from '../../libs/outbox/src/testing/index.js';
import { alcada } from '../support/alcada.js';
import { PILOT, PURCHASE, tokensFor } from '../support/agent.js';
import type { Mandate } from '../support/answers.js';
import { grant } from '../support/purchase.js';
import { type Buyers, ENOUGH, openBuyers, type Round } from './buyers.js';
import { LightApi } from './light-api.js';
import { aimed, ratioOf, spread } from './numbers.js';
import { cpuOf, startServer, withFolder } from './server.js';
import { printTable, type Row } from './table.js';

const ROUNDS = 8;
const ORDERS = 1_000;
const WARM_UP = 2_000;
/** For how long (ms) all is left alone after a turn: longer than what is sent in it takes. */
const REST = 5_000;
const AGENTS = 10;
/** Endpoints of each agent, the first of which answers nothing. */
const ENDPOINTS = 10;
/** Of orders where nobody is told, the share that is to be left. */
const SHARE = 0.95;

const REDIRECT = 'http://127.0.0.1:8765/callback';
const others = Array.from({ length: AGENTS - 1 }, (_, n) => `agente-${n}`);

/** The pilot and nine more agents of a traveller, each with a mandate. */
class Side {
  readonly rounds: Round[] = [];
  readonly cpu: number[] = [];
  readonly memory: number[] = [];

  private constructor(
    private readonly pid: number,
    private readonly buyers: Buyers,
    readonly agents: readonly LightApi[],
    private readonly mandates: readonly Mandate[],
  ) {}

  static async open(origin: string, pid: number, clients: readonly (typeof PILOT)[]): Promise<Side> {
    const agents: LightApi[] = [];
    for (const client of clients) {
      const { access_token: token } = await tokensFor(origin, { client, scopes: [...PURCHASE, 'webhook:manage'] });
      agents.push(new LightApi(`${origin}/api/v1`, token));
    }
    const mandates = await Promise.all(agents.map((agent) => grant(agent, ENOUGH)));
    return new Side(pid, await openBuyers(origin), agents, mandates);
  }

  async turn(orders = ORDERS): Promise<void> {
    const { bookings } = await this.buyers.book(orders, this.agents);
    await sleep(1_000);
    const spent = cpuOf(this.pid);
    const mandateOf = (place: number) => this.mandates[place % AGENTS] ?? this.buyers.one();
    this.rounds.push(await this.buyers.order(bookings, mandateOf, undefined, this.agents));
    await sleep(REST);
    this.cpu.push((cpuOf(this.pid) - spent) / orders);
    const [, kilobytes = ''] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8')) ?? [];
    this.memory.push(Number(kilobytes) / 1_024);
  }

  async warm(): Promise<void> {
    await this.turn(WARM_UP);
    for (const figures of [this.rounds, this.cpu, this.memory]) figures.length = 0;
  }
}

/** Clients of a service that has been started once and stopped. */
const registered = async (folder: string): Promise<readonly (typeof PILOT)[]> => {
  await (await startServer(folder)).stop();
  const clients: (typeof PILOT)[] = [PILOT];
  for (const clientId of others) {
    const added = await alcada(folder, ['client', 'add', clientId, '--redirect-uri', REDIRECT, '--json']);
    const { secret } = JSON.parse(added.stdout) as { readonly secret: string };
    clients.push({ clientId, secret } as typeof PILOT);
  }
  return clients;
};

/** Orders of ten agents that are told at ten addresses each, of which one answers nothing, and of ten that are not, by turns. */
export const told = (): Promise<void> =>
  withFolder((quietFolder) =>
    withFolder(async (folder) => {
      const sides: Side[] = [];
      const servers = [];
      for (const one of [quietFolder, folder]) {
        const clients = await registered(one);
        const server = await startServer(one);
        servers.push(server);
        sides.push(await Side.open(server.origin, server.pid, clients));
      }
      const [quiet, loud] = sides as [Side, Side];
      const receivers: Receiver[] = [];
      for (const agent of loud.agents)
        for (let n = 0; n < ENDPOINTS; n += 1) {
          const receiver = await Receiver.open();
          receiver.isForgetful = true;
          receivers.push(receiver);
          const { status } = await agent.post('/webhooks', { url: receiver.url });
          if (status !== 201) throw new Error(`a webhook was refused with ${status}`);
          if (n === 0) receiver.answer = () => null;
        }
      for (const side of sides) await side.warm();
      for (let round = 0; round < ROUNDS; round += 1)
        for (const side of round % 2 === 0 ? [quiet, loud] : [loud, quiet]) await side.turn();
      for (const server of servers) await server.stop();
      for (const receiver of receivers) await receiver.close();
      const row = (what: string, digits: number, of: (side: Side) => readonly number[], ratio: string): Row => [
        what,
        spread(of(quiet), digits),
        spread(of(loud), digits),
        ratio,
      ];
      const series = (values: readonly number[]) => values.map((one) => one.toFixed(0)).join(', ');
      const rates = ({ rounds }: Side) => rounds.map(({ perSecond }) => perSecond);
      const ratio = (of: (side: Side) => readonly number[]) => ratioOf(of(loud), of(quiet));
      printTable(
        `${AGENTS} agents, ${ROUNDS} rounds of ${ORDERS} orders; ${AGENTS * ENDPOINTS} webhooks, ${AGENTS} of which hang`,
        [
          row('POST /orders, a second', 0, rates, aimed(ratio(rates), SHARE)),
          row('CPU of an order and what it tells: ms', 2, ({ cpu }) => cpu, `${ratio(({ cpu }) => cpu).toFixed(2)} ×`),
          ['memory, round by round: MB', series(quiet.memory), series(loud.memory), ''],
        ],
        ['nobody is told', 'told', 'ratio'],
      );
      console.log(`messages taken: ${receivers.reduce((sum, { count }) => sum + count, 0)}`);
    }),
  );
