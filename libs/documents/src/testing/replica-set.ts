import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type Document, MongoClient, ObjectId } from 'mongodb';
import { TcpProxy, type Target } from '#testing';
import { addressOfPrimary, throughMembers } from './mongodb-proxy.js';
import {
  answeredBy,
  answerTo,
  commandOf,
  eachMessage,
  numberOf,
  readdressed,
  shortened,
  takesMore,
  unnumbered,
} from './mongodb-wire.js';

/** How a member that is no primary refuses what only the primary does. */
export type StepDown = 'NotWritablePrimary' | 'PrimarySteppedDown' | 'InterruptedDueToReplStateChange';
const CODES = { NotWritablePrimary: 10_107, PrimarySteppedDown: 189, InterruptedDueToReplStateChange: 11_602 };

const GREETINGS: readonly unknown[] = ['hello', 'ismaster', 'isMaster'];
/** What every member does. */
const FOR_ALL: readonly unknown[] = ['ping', 'endSessions', 'saslStart', 'saslContinue', 'killCursors'];

/** A replica set of two, as its clients see one at the wire. One server is behind both, so they never differ in what they hold. */
export class ReplicaSet {
  private readonly members: Member[] = [];
  /** Answers by the session and number of a write: what a replica set keeps to know a write again. */
  readonly remembered = new Map<string, Promise<Buffer>>();
  primary: Member | null = null;
  term = 1;
  refusal: StepDown = 'NotWritablePrimary';
  /** Bytes of the write after which the primary is gone before it answers, and another one is elected. */
  lastWords: string | null = null;
  /** How many documents of the next bulk are still written before the primary steps down; null: it does not. */
  interruptAfter: number | null = null;
  /** How many commands were refused for want of a primary. */
  refused = 0;

  private constructor(
    private readonly origin: string,
    /** What the server behind says of itself. */
    readonly hello: Document,
  ) {}

  static async before(url: string): Promise<ReplicaSet> {
    const client = new MongoClient(url);
    const hello: Document = await client.db().command({ hello: 1 });
    const target = await addressOfPrimary(client.db());
    await client.close();
    const set = new ReplicaSet(url, hello);
    for (let count = 0; count < 2; count += 1) set.members.push(await Member.of(set, target));
    set.primary = set.members[0] ?? null;
    return set;
  }

  get url(): string {
    return throughMembers(this.origin, this.hosts);
  }

  get hosts(): readonly string[] {
    return this.members.map(({ host }) => host);
  }

  /** Nobody is primary, until somebody is elected; who asks is told so by the first refusal. */
  stepDown(refusal: StepDown): void {
    this.refusal = refusal;
    this.primary = null;
  }

  /** The primary is gone with its connections, whatever is on its way. */
  die(): void {
    this.primary?.line.cut();
    this.primary = null;
  }

  /** Ends all connections, as members do that start anew or are cut off. */
  cut(): void {
    for (const { line } of this.members) line.cut();
  }

  /** Another one than before is primary, in a process and a term of its own. */
  elect(): void {
    this.term += 1;
    this.primary = this.members[this.term % this.members.length] ?? null;
    if (this.primary) this.primary.processId = new ObjectId();
    this.tell();
  }

  /** No member listens any more; who was primary still is once they do. */
  async goDown(): Promise<void> {
    await Promise.all(this.members.map(({ line }) => line.goDown()));
  }

  async restore(): Promise<void> {
    await Promise.all(this.members.map(({ line }) => line.restore()));
  }

  async close(): Promise<void> {
    await Promise.all(this.members.map((member) => member.close()));
  }

  /** Lets all who watch a member know how it is. */
  tell(): void {
    for (const member of this.members) member.tell();
  }
}

class Member {
  processId = new ObjectId();
  private changes = 0;
  private readonly watching = new Set<() => void>();

  private constructor(
    private readonly set: ReplicaSet,
    private readonly server: Server,
    readonly line: TcpProxy,
  ) {}

  static async of(set: ReplicaSet, target: Target): Promise<Member> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A server that listens on a port has such an address.
    const { port } = server.address() as AddressInfo;
    const member = new Member(set, server, await TcpProxy.to({ host: '127.0.0.1', port }));
    server.on('connection', (client) => member.accept(client, target));
    return member;
  }

  get host(): string {
    return `127.0.0.1:${this.line.port}`;
  }

  tell(): void {
    this.changes += 1;
    for (const tell of this.watching) tell();
  }

  async close(): Promise<void> {
    await this.line.close();
    this.server.close();
  }

  private accept(client: Socket, target: Target): void {
    const upstream = connect(target);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    const awaited = new Map<number, (answer: Buffer) => void>();
    /** Asks the server behind, which finishes what it was asked though nobody waits for it any more. */
    const ask = (message: Buffer): Promise<Buffer> =>
      new Promise((resolve) => {
        awaited.set(numberOf(message), resolve);
        upstream.write(message);
      });
    const endIfIdle = () => client.destroyed && awaited.size === 0 && upstream.destroy();
    eachMessage(upstream, (answer) => {
      awaited.get(answeredBy(answer))?.(answer);
      awaited.delete(answeredBy(answer));
      endIfIdle();
    });
    upstream.on('close', () => client.destroy());
    client.on('close', endIfIdle);
    eachMessage(client, (message) => void this.answer(client, message, ask));
  }

  private async answer(client: Socket, message: Buffer, ask: (message: Buffer) => Promise<Buffer>): Promise<void> {
    const command = commandOf(message);
    const [name] = Object.keys(command);
    if (GREETINGS.includes(name)) this.greet(client, message);
    else if (FOR_ALL.includes(name)) client.write(await ask(message));
    else if (this.set.primary !== this) client.write(this.refusalOf(message, command));
    else if (!command['txnNumber']) client.write(await ask(message));
    else {
      const id = JSON.stringify([command['lsid'], command['txnNumber']]);
      const known = this.set.remembered.get(id) ?? this.write(message, ask);
      if (known) this.set.remembered.set(id, known);
      if (known && this.set.lastWords !== null && message.includes(this.set.lastWords)) await this.die(known);
      else client.write(known ? readdressed(await known, message) : this.refusalOf(message, command));
    }
  }

  private async die(lastWrite: Promise<unknown>): Promise<void> {
    this.set.lastWords = null;
    await lastWrite;
    this.set.die();
    this.set.elect();
  }

  /** Null: it was interrupted. */
  private write(message: Buffer, ask: (message: Buffer) => Promise<Buffer>): Promise<Buffer> | null {
    const documents = this.set.interruptAfter;
    if (documents === null) return ask(unnumbered(message));
    this.set.interruptAfter = null;
    this.set.stepDown('InterruptedDueToReplStateChange');
    void ask(unnumbered(shortened(message, documents)));
    return null;
  }

  private refusalOf(message: Buffer, { txnNumber }: Document): Buffer {
    this.set.refused += 1;
    const { refusal } = this.set;
    this.set.tell();
    return answerTo(message, {
      ok: 0,
      code: CODES[refusal],
      codeName: refusal,
      errmsg: refusal,
      ...(txnNumber !== undefined && { errorLabels: ['RetryableWriteError'] }),
    });
  }

  /** Greets once, or again with each change where that is asked for. */
  private greet(client: Socket, message: Buffer): void {
    const isWatched = takesMore(message);
    const greet = () => client.write(answerTo(message, this.hello(), isWatched));
    if (!isWatched) {
      greet();
      return;
    }
    const { maxAwaitTimeMS, topologyVersion } = commandOf(message);
    const timer = setInterval(greet, Number(maxAwaitTimeMS));
    this.watching.add(greet);
    // Of a greeting that a driver had from here.
    if ((topologyVersion as { counter: number }).counter !== this.changes) greet();
    client.on('close', () => {
      clearInterval(timer);
      this.watching.delete(greet);
    });
  }

  private hello(): Document {
    const { set } = this;
    const isPrimary = set.primary === this;
    return {
      ...set.hello,
      helloOk: true,
      ismaster: isPrimary,
      isWritablePrimary: isPrimary,
      secondary: !isPrimary,
      setName: 'alcada',
      setVersion: 1,
      hosts: set.hosts,
      me: this.host,
      ...(set.primary && { primary: set.primary.host }),
      ...(isPrimary && { electionId: ObjectId.createFromHexString(set.term.toString(16).padStart(24, '0')) }),
      logicalSessionTimeoutMinutes: 30,
      topologyVersion: { processId: this.processId, counter: this.changes },
      ok: 1,
    };
  }
}
