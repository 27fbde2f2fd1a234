import { type Received, send } from './send.js';
import type { TestServer } from './test-server.js';
import { HOST } from './test-settings.js';

export interface Form {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

type Texts = Readonly<Record<string, string>>;

export const formTo = ({ body }: Pick<Received, 'body'>, action: string): Form => {
  const [form] = new RegExp(`<form[^>]*action="${action}"[\\s\\S]*?</form>`).exec(body) ?? [];
  if (form === undefined) throw new Error(`no form to ${action} in:\n${body}`);
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return { action, fields: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])) };
};

/** A browser that keeps cookies, sends its origin, asks for pages, and follows no redirect. */
export class Browser {
  readonly cookies = new Map<string, string>();

  constructor(
    private readonly server: TestServer,
    private readonly host = HOST,
  ) {}

  get(path: string, headers: Texts = {}): Promise<Received> {
    return this.send('GET', path, headers);
  }

  post({ action, fields }: Form, more: Texts = {}, headers: Texts = {}): Promise<Received> {
    const own = { origin: `http://${this.host}`, 'content-type': 'application/x-www-form-urlencoded' };
    return this.send('POST', action, { ...own, ...headers }, new URLSearchParams({ ...fields, ...more }).toString());
  }

  private async send(method: 'GET' | 'POST', path: string, more: Texts, body?: string): Promise<Received> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { host: this.host, accept: 'text/html,*/*;q=0.8', cookie, ...more };
    const received = await send(this.server.port, { method, path, headers, body });
    for (const one of received.cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      this.cookies.set(name, value);
    }
    return received;
  }
}
