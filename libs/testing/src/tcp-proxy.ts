import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface Target {
  readonly host: string;
  readonly port: number;
}

/** A way to a server which breaks at will, in the ways that networks do. It listens on 127.0.0.1. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private isStalled = false;
  private doomed: string | null = null;
  /** A request whose answer is held back, how long (ms), and what is told once that is over. */
  private held: { readonly request: string; readonly milliseconds: number; readonly told: () => void } | null = null;
  private allowed = Infinity;
  private passed = 0;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async to(target: Target): Promise<TcpProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A server that listens on a port has such an address.
    const proxy = new TcpProxy(server, (server.address() as AddressInfo).port);
    server.on('connection', (client) => proxy.accept(client, target));
    return proxy;
  }

  /** Ends all connections, whatever is on its way; new ones are taken. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Ends all connections whenever so many requests have passed since the last time. */
  cutEvery(requests: number): void {
    this.allowed = requests;
    this.passed = 0;
  }

  /** Carries the next request that has these bytes in it, and ends its connection instead of the answer. */
  loseAnswerTo(request: string): void {
    this.doomed = request;
  }

  /** Holds the answer to the next request back that has these bytes in it; resolves when it goes on, if it still can. */
  holdAnswerTo(request: string, milliseconds: number): Promise<void> {
    return new Promise((told) => (this.held = { request, milliseconds, told }));
  }

  /** Connections are taken and stay open, but nothing comes through. Those of that time are dead for good. */
  stall(): void {
    this.isStalled = true;
    for (const socket of this.sockets) {
      socket.removeAllListeners('data');
      socket.resume();
    }
  }

  async goDown(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  /** As if nothing had been, for new connections. */
  async restore(): Promise<void> {
    this.isStalled = false;
    this.allowed = Infinity;
    if (this.server.listening) return;
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async close(): Promise<void> {
    if (this.server.listening) await this.goDown();
    else this.cut();
  }

  private accept(client: Socket, target: Target): void {
    this.keep(client);
    if (this.isStalled) {
      client.resume();
      return;
    }
    const upstream = this.keep(connect(target));
    let isDoomed = false;
    client.on('data', (bytes) => {
      isDoomed ||= this.isToLose(bytes);
      this.holdBack(upstream, bytes);
      upstream.write(bytes);
      this.count();
    });
    upstream.on('data', (bytes) => {
      if (isDoomed) client.destroy();
      else client.write(bytes);
    });
    client.on('close', () => upstream.destroy());
    // A dead connection is not told of the other side's end.
    upstream.on('close', () => upstream.listenerCount('data') > 0 && client.destroy());
  }

  private isToLose(bytes: Buffer): boolean {
    if (this.doomed === null || !bytes.includes(this.doomed)) return false;
    this.doomed = null;
    return true;
  }

  private holdBack(upstream: Socket, bytes: Buffer): void {
    const { held } = this;
    if (!held || !bytes.includes(held.request)) return;
    this.held = null;
    upstream.pause();
    setTimeout(() => {
      upstream.resume();
      held.told();
    }, held.milliseconds);
  }

  private count(): void {
    this.passed += 1;
    if (this.passed < this.allowed) return;
    this.passed = 0;
    this.cut();
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.on('error', () => undefined); // the side that is cut off notices
    socket.on('close', () => this.sockets.delete(socket));
    return socket;
  }
}
