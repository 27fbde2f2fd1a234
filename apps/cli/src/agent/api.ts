/** An answer of the API: status, headers, and the JSON body as it came. */
export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** The API as an agent calls it: JSON in, JSON out, a bearer token where there is one. */
export class Api {
  constructor(
    readonly base: string,
    private readonly token: string | null = null,
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
    const response = await fetch(this.base + path, {
      method,
      headers: {
        ...(this.token !== null && { authorization: `Bearer ${this.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : null) as Body };
  }
}
