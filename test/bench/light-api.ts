import { Agent, request } from 'node:http';
import { type Answer, Api } from '#agent';

/** Connections at once, fewer than the service holds (LIMIT_CONNECTIONS): beyond it requests wait for one that is free. */
const MOST_CONNECTIONS = 500;

/** An agent that takes a fifth of the machine that `fetch` takes, since it shares the cores with what it measures. */
export class LightApi extends Api {
  private readonly sockets = new Agent({ keepAlive: true, maxSockets: MOST_CONNECTIONS });
  private readonly headers: Readonly<Record<string, string>>;

  constructor(base: string, token: string) {
    super(base, token);
    this.headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  }

  override call<Body>(
    method: string,
    path: string,
    body?: unknown,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answer<Body>> {
    const bytes = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const headers = { ...this.headers, ...more, 'content-length': Buffer.byteLength(bytes) };
    return new Promise((resolve, reject) => {
      const sent = request(this.base + path, { method, headers, agent: this.sockets }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += chunk));
        answer.once('error', reject);
        answer.once('end', () => {
          const parsed = (text ? JSON.parse(text) : null) as Body;
          resolve({ status: answer.statusCode ?? 0, headers: new Headers(), body: parsed });
        });
      });
      sent.once('error', reject);
      sent.end(bytes);
    });
  }

  close(): void {
    this.sockets.destroy();
  }
}
