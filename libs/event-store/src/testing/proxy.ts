import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A line between a client and a server, which can be cut in the ways that lines are. */
export class Proxy {
  private readonly sockets = new Set<Socket>();
  private isStalled = false;

  private constructor(
    private readonly server: Server,
    /** Where it listens, on the loopback. */
    readonly port: number,
  ) {}

  /** A proxy to a port of this machine. */
  static async to(target: { readonly host: string; readonly port: number }): Promise<Proxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A server that listens on a port has such an address.
    const proxy = new Proxy(server, (server.address() as AddressInfo).port);
    server.on('connection', (client) => proxy.accept(client, target));
    return proxy;
  }

  /** Ends all connections; new ones are taken. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /**
   * Connections are taken and stay open, but nothing comes through: a cut without a word of it. Those of that time are
   * dead for good, as they are when a firewall has forgotten them.
   */
  stall(): void {
    this.isStalled = true;
    for (const socket of this.sockets) {
      socket.removeAllListeners('data');
      socket.resume();
    }
  }

  /** Nobody listens any more. */
  async goDown(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  /** As if nothing had been, for new connections. */
  async restore(): Promise<void> {
    this.isStalled = false;
    if (this.server.listening) return;
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async close(): Promise<void> {
    if (this.server.listening) await this.goDown();
    else this.cut();
  }

  private accept(client: Socket, target: { readonly host: string; readonly port: number }): void {
    this.keep(client);
    if (this.isStalled) {
      client.resume();
      return;
    }
    const upstream = this.keep(connect(target));
    client.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => client.write(bytes));
    client.on('close', () => upstream.destroy());
    // A dead connection is not told of the other side's end.
    upstream.on('close', () => upstream.listenerCount('data') > 0 && client.destroy());
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.on('error', () => undefined); // the side that is cut off notices
    socket.on('close', () => this.sockets.delete(socket));
    return socket;
  }
}
