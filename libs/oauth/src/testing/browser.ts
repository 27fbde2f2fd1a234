import type { TestServer } from './test-server.js';

/** What a browser got. */
export interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly body: string;
}

/** A form on a page: where it goes and what it holds. */
export interface Form {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The form of a page that goes to `action`. */
export const formTo = ({ body }: Pick<Seen, 'body'>, action: string): Form => {
  const [form] = new RegExp(`<form[^>]*action="${action}"[\\s\\S]*?</form>`).exec(body) ?? [];
  if (form === undefined) throw new Error(`no form to ${action} in:\n${body}`);
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return { action, fields: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])) };
};

/** A browser: keeps cookies, tells its origin, asks for pages. */
export class Browser {
  readonly cookies = new Map<string, string>();

  constructor(
    private readonly server: TestServer,
    private readonly host = '127.0.0.1:3000',
  ) {}

  get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Seen> {
    return this.send('GET', url, undefined, headers);
  }

  post(
    { action, fields }: Form,
    more: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Seen> {
    return this.send('POST', action, new URLSearchParams({ ...fields, ...more }).toString(), headers);
  }

  private async send(
    method: 'GET' | 'POST',
    url: string,
    payload: string | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<Seen> {
    const answer = await this.server.inject({
      method,
      url,
      ...(payload !== undefined && { payload }),
      headers: {
        host: this.host,
        accept: 'text/html,*/*;q=0.8',
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(method === 'POST' && {
          origin: `http://${this.host}`,
          'content-type': 'application/x-www-form-urlencoded',
        }),
        ...headers,
      },
    });
    for (const { name, value } of answer.cookies) this.cookies.set(name, value);
    return { status: answer.statusCode, headers: answer.headers, body: answer.body };
  }
}
