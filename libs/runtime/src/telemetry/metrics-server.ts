import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Config } from '#config';

export type MetricsSettings = NonNullable<Config['telemetry']['metrics']>;

/** `/metrics` in Prometheus' text format, on a port of its own, so that nothing else of the service can be reached there. */
export class MetricsServer {
  private constructor(private readonly server: Server) {}

  /** @throws Error of the system, `syscall` listen */
  static async open(registry: Registry, { host, port }: MetricsSettings): Promise<MetricsServer> {
    const server = createServer((request, response) => {
      const isMetrics = request.method === 'GET' && request.url === '/metrics';
      if (!isMetrics) {
        response.writeHead(404).end();
        return;
      }
      registry.metrics().then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    });
    server.listen(port, host);
    await once(server, 'listening');
    return new MetricsServer(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}
