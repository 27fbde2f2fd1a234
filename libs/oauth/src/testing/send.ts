import { request } from 'node:http';

/** A request. Its `host` may be any name, which `fetch` does not allow. */
export interface Sent {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: string;
}

/** One HTTP request to a server on this machine; no redirect is followed. */
export const send = (port: number, { method, path, headers, body }: Sent): Promise<Received> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const { 'set-cookie': cookies = [], ...others } = incoming.headers;
        resolve({
          status: incoming.statusCode ?? 0,
          headers: Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)])),
          cookies,
          body: Buffer.concat(chunks).toString(),
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
