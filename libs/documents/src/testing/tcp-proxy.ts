import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a server on this machine which breaks at will, as networks do. */
export class TcpProxy {
  private readonly open = new Set<Socket>();
  private isUp = true;
  private isStalled = false;
  private doomed: string | null = null;
  private allowed = Infinity;
  private passed = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: { readonly host: string; readonly port: number },
  ) {
    server.on('connection', (client: Socket) => this.join(client));
  }

  static async to(host: string, port: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(createServer(), { host, port });
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Ends every connection, whatever is on its way. */
  cut(): void {
    for (const socket of this.open) socket.destroy();
  }

  /** Ends every connection and refuses new ones. */
  down(): void {
    this.isUp = false;
    this.cut();
  }

  /** Keeps connections open and carries nothing any more. */
  stall(): void {
    this.isStalled = true;
  }

  /** Ends every connection whenever so many requests have passed since the last time. */
  cutEvery(requests: number): void {
    this.allowed = requests;
    this.passed = 0;
  }

  /** Carries everything from now on, on new connections. */
  heal(): void {
    this.isUp = true;
    this.isStalled = false;
    this.allowed = Infinity;
    this.cut();
  }

  /** Carries the next request that has these bytes in it to the server, and ends its connection instead of the answer. */
  loseAnswerTo(request: string): void {
    this.doomed = request;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.cut();
    await closed;
  }

  private join(client: Socket): void {
    if (!this.isUp) {
      client.destroy();
      return;
    }
    const server = connect(this.target);
    let isDoomed = false;
    client.on('data', (bytes) => {
      if (this.doomed !== null && bytes.includes(this.doomed)) {
        isDoomed = true;
        this.doomed = null;
      }
      if (!this.isStalled) server.write(bytes);
      this.passed += 1;
      if (this.passed < this.allowed) return;
      this.passed = 0;
      this.cut();
    });
    server.on('data', (bytes) => {
      if (isDoomed) client.destroy();
      else if (!this.isStalled) client.write(bytes);
    });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.open.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.open.delete(socket);
        other.destroy();
      });
    }
  }
}
