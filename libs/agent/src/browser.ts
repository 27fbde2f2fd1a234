import type { Send, Sent } from './send.js';

export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
}

type Texts = Readonly<Record<string, string>>;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** What a traveller's browser does: redirects, cookies, forms. It stops before an address that is not the service's own, or is `callback`. */
export class Browser {
  private readonly cookies = new Map<string, string>();

  constructor(
    private readonly origin: string,
    private readonly send: Send = fetch,
    private readonly callback: string | null = null,
  ) {}

  /** Its cookies as it sends them; '' where it has none. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Opens an address; a redirect that leads away from the service is not followed. */
  async open(address: string | URL, sent: Sent = {}): Promise<Page> {
    const url = new URL(address, this.origin);
    if (url.origin !== this.origin || url.origin + url.pathname === this.callback)
      return { url, status: 0, headers: new Headers(), html: '' };
    const { cookie } = this;
    const headers = { accept: 'text/html', origin: this.origin, ...(cookie && { cookie }), ...sent.headers };
    const response = await this.send(url, { ...sent, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    const location = response.headers.get('location');
    if (REDIRECTS.has(response.status) && location !== null) return this.open(new URL(location, url));
    return { url, status: response.status, headers: response.headers, html: await response.text() };
  }

  /** Sends the form of a page that has these fields or buttons, with their values beside its hidden ones. */
  submit(page: Page, values: Texts, headers: Texts = {}): Promise<Page> {
    const hasAll = (form: string): boolean => Object.keys(values).every((name) => form.includes(`name="${name}"`));
    return this.sendForm(page, hasAll, values, headers);
  }

  /** Presses the button of a form that leads to `action` and has nothing to fill in. */
  press(page: Page, action: string): Promise<Page> {
    return this.sendForm(page, (form) => form.includes(`action="${action}"`));
  }

  private sendForm(
    page: Page,
    isMeant: (form: string) => boolean,
    values: Texts = {},
    headers: Texts = {},
  ): Promise<Page> {
    const forms = page.html.matchAll(/<form[^>]*\baction="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g);
    const form = [...forms].find(([whole]) => isMeant(whole));
    if (!form) throw new Error(`no such form on ${page.url.pathname} (status ${page.status})`);
    const [, action = '', inside = ''] = form;
    const hidden = [...inside.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']): [string, string] => [name, value],
    );
    const body = new URLSearchParams([...hidden, ...Object.entries(values)]);
    return this.open(new URL(action, page.url), { method: 'POST', body, headers });
  }

  private keep(line: string): void {
    const [pair = ''] = line.split(';', 1);
    const cut = pair.indexOf('=');
    if (/max-age=0/i.test(line)) this.cookies.delete(pair.slice(0, cut));
    else this.cookies.set(pair.slice(0, cut), pair.slice(cut + 1));
  }
}
