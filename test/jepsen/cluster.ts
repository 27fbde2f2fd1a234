import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import process from 'node:process';
import { json } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** The file that `--cluster` names: the nodes of an EventStoreDB cluster, and how each is run. */
const clusterFile = z.object({
  /** The certificate of who vouches for the nodes. */
  ca: z.string(),
  /** Commands, with their arguments: one that runs the node in the foreground, and two that part it from the others. */
  nodes: z.array(
    z.object({
      origin: z.url(),
      run: z.array(z.string()).min(1),
      cutOff: z.array(z.string()).min(1),
      reconnect: z.array(z.string()).min(1),
    }),
  ),
});
type NodeGiven = z.infer<typeof clusterFile>['nodes'][number];

/** What a node says of the others (`/gossip`), as far as it is of interest. */
const gossip = z.object({
  members: z.array(z.object({ state: z.string(), isAlive: z.boolean(), httpEndPointPort: z.int() })),
});

type Member = z.infer<typeof gossip>['members'][number];

/** How long (ms) an election may take, and one question to a node. */
const [ELECTION, PATIENCE] = [120_000, 2_000];
/** A node takes each of these variables for an option of its own, and ours for one that it does not know. */
const OF_NODES = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('EVENTSTORE_')));

/** Longer (ms) than a node that says nothing is taken for alive. */
const SILENT = 12_000;

class Node {
  private child: ChildProcess | null = null;
  private isEnding = false;

  constructor(
    readonly given: NodeGiven,
    private readonly ca: Buffer,
  ) {}

  get name(): string {
    return new URL(this.given.origin).host;
  }

  /** Runs until `end`: a replica whose log has to be cut off ends by itself, and whoever runs it starts it again. */
  start(): void {
    const [program = '', ...args] = this.given.run;
    const child = spawn(program, args, { stdio: 'ignore', env: OF_NODES });
    this.child = child;
    child.once('exit', () => {
      if (this.child === child && !this.isEnding) this.start();
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    this.isEnding = true;
    const ended = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(signal);
    await ended;
    this.isEnding = false;
  }

  /** The port of the leader, as this node knows it; null: none, or it says nothing. */
  async leader(): Promise<number | null> {
    return (await this.members()).find(isLeading)?.httpEndPointPort ?? null;
  }

  /** Whether this node knows so many that are alive, of which one leads and all others follow it. */
  async knowsAll(nodes: number): Promise<boolean> {
    const all = (await this.members()).filter(({ isAlive }) => isAlive);
    return all.filter(isLeading).length === 1 && all.filter(({ state }) => state === 'Follower').length === nodes - 1;
  }

  /** What this node says of all; nothing where it does not answer. */
  private async members(): Promise<readonly Member[]> {
    try {
      const asked = request(`${this.given.origin}/gossip`, { ca: this.ca, agent: false }).end();
      asked.setTimeout(PATIENCE, () => asked.destroy());
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      return gossip.parse(await json(answer)).members;
    } catch {
      return [];
    }
  }
}

const isLeading = ({ state, isAlive }: Member): boolean => state === 'Leader' && isAlive;

/** A cluster of EventStoreDB nodes that this run has started, to which its nemesis does harm. */
export class Cluster {
  /** How often another node led. */
  elections = 0;
  private last: string | null = null;

  private constructor(private readonly nodes: readonly Node[]) {}

  static async start(file: string): Promise<Cluster> {
    const { ca, nodes } = clusterFile.parse(JSON.parse(readFileSync(file, 'utf8')));
    const certificate = readFileSync(ca);
    const cluster = new Cluster(nodes.map((one) => new Node(one, certificate)));
    for (const node of cluster.nodes) node.start();
    await cluster.whole();
    await cluster.leader();
    return cluster;
  }

  /** By name: the leader is killed, stopped or parted from the others, or all nodes are started anew, one after the other. */
  readonly faults = {
    'leader killed': async () => {
      const leader = await this.leader();
      await leader.end('SIGKILL');
      await this.leader(leader);
      leader.start();
      await this.whole();
    },
    'leader stopped': async () => {
      const leader = await this.leader();
      leader.signal('SIGSTOP');
      await sleep(SILENT);
      leader.signal('SIGCONT');
      await this.whole();
    },
    'leader cut off': async () => {
      const leader = await this.leader();
      run(leader.given.cutOff);
      await sleep(SILENT);
      run(leader.given.reconnect);
      await this.whole();
    },
    // As an orchestrator does it: the next one once all are there.
    'all nodes rolled': async () => {
      for (const node of this.nodes) {
        await node.end('SIGTERM');
        node.start();
        await this.whole();
      }
    },
  } as const;

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.end('SIGKILL')));
  }

  /** Waits until all nodes know all. @throws Error where they do not in time */
  private async whole(): Promise<void> {
    for (const end = performance.now() + ELECTION; performance.now() < end;) {
      await sleep(100);
      const known = await Promise.all(this.nodes.map((node) => node.knowsAll(this.nodes.length)));
      if (!known.includes(false)) return;
    }
    throw new Error('the cluster does not become whole again');
  }

  /** The node that leads, as most of those say that answer, but for one. @throws Error where none does in time */
  private async leader(except?: Node): Promise<Node> {
    const asked = this.nodes.filter((node) => node !== except);
    for (const end = performance.now() + ELECTION; performance.now() < end;) {
      await sleep(100);
      const told = await Promise.all(asked.map((node) => node.leader()));
      const leading = asked.find(({ given }) => {
        const port = Number(new URL(given.origin).port);
        return told.filter((one) => one === port).length * 2 > this.nodes.length;
      });
      if (!leading) continue;
      if (this.last !== null && this.last !== leading.name) this.elections += 1;
      this.last = leading.name;
      return leading;
    }
    throw new Error('no node leads');
  }
}

const run = ([program = '', ...args]: readonly string[]): void => {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
};
