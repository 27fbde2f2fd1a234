import type { ProofKey } from './proof-key.js';
import type { Send } from './send.js';

/** An answer of the API: status, headers, and the JSON body as it came. */
export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** The API as an agent calls it: JSON in, JSON out, a token where there is one. `key`: what the token is bound to; null: nothing. */
export class Api {
  constructor(
    readonly base: string,
    private readonly token: string | null = null,
    private readonly key: ProofKey | null = null,
    private readonly send: Send = fetch,
  ) {}

  get<Body>(path: string): Promise<Answer<Body>> {
    return this.call<Body>('GET', path);
  }

  post<Body>(path: string, body?: unknown): Promise<Answer<Body>> {
    return this.call<Body>('POST', path, body);
  }

  /** One call. `body` undefined sends none. */
  async call<Body>(
    method: string,
    path: string,
    body?: unknown,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answer<Body>> {
    const request = {
      method,
      headers: {
        ...(this.token !== null && { authorization: `Bearer ${this.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    };
    const url = this.base + path;
    const response = await (this.key ? this.key.fetch(url, request, this.token) : this.send(url, request));
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : null) as Body };
  }
}
