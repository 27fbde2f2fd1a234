import { LEDGER } from '#checkout';
import { Browser } from '../../apps/cli/src/agent/index.js';
import { ANA, BRUNO, tokensFor } from '../support/agent.js';
import { type Challenged, CHALLENGED_CARD, challengeIn, loggedIn } from '../support/challenge.js';
import { book, grant, order, TRIP_PRICE } from '../support/purchase.js';
import { Setting } from '../support/setting.js';

type Page = Awaited<ReturnType<Browser['open']>>;

const setting = new Setting({ LIMIT_OPEN_CHALLENGES: '0' });
let challenge: Challenged['challenge'];
let bearer: string;
let ana: Browser;
let page: Page;
beforeAll(async () => {
  const every = ['catalog:read', 'booking:write', 'mandate:create', 'order:write', 'payment:execute', 'receipt:read'];
  bearer = `Bearer ${(await tokensFor(setting.origin, { scopes: every })).access_token}`;
});
beforeEach(async () => {
  challenge = await newChallenge();
  ({ browser: ana, page } = await loggedIn(challenge.url, ANA));
});

const newChallenge = async (): Promise<Challenged['challenge']> => {
  const mandate = await grant(setting.ana, TRIP_PRICE);
  return challengeIn(await order(setting.ana, await book(setting.ana), mandate, CHALLENGED_CARD));
};

const stillWaits = async (): Promise<boolean> =>
  (await setting.service.dependencies.documents.get<{ readonly status: string }>(LEDGER.name, challenge.id))?.body
    .status === 'challenged';

/** The CSRF token of a page. */
const csrfOf = ({ html }: Page): string => /name="csrf" value="([^"]*)"/.exec(html)?.[1] ?? 'none';

const post = (browser: Browser, fields: Readonly<Record<string, string>>, headers = {}): Promise<Page> =>
  browser.open(challenge.url, { method: 'POST', body: new URLSearchParams(fields), headers });

describe('an approval that the holder did not give (rule 10)', () => {
  it.each([
    ['without a CSRF token', async () => post(ana, { decision: 'approve' })],
    ['with a made-up CSRF token', async () => post(ana, { decision: 'approve', csrf: 'x'.repeat(43) })],
    [
      'with the CSRF token of another challenge',
      async () => {
        const other = await ana.open((await newChallenge()).url);
        return post(ana, { decision: 'approve', csrf: csrfOf(other) });
      },
    ],
    [
      'with the CSRF token of another session of the same holder',
      async () => {
        const elsewhere = await loggedIn(challenge.url, ANA);
        return post(ana, { decision: 'approve', csrf: csrfOf(elsewhere.page) });
      },
    ],
    [
      'with the CSRF token of the session from before the login',
      async () => {
        const browser = new Browser(setting.origin);
        const login = await browser.open(challenge.url);
        await browser.submit(login, { username: ANA.email, password: ANA.password });
        return post(browser, { decision: 'approve', csrf: csrfOf(login) });
      },
    ],
    ['from another origin', async () => ana.submit(page, { decision: 'approve' }, { origin: 'https://evil.example' })],
    ['from an opaque origin', async () => ana.submit(page, { decision: 'approve' }, { origin: 'null' })],
    [
      'from another browser',
      async () => (await loggedIn(challenge.url, BRUNO)).browser.submit(page, { decision: 'approve' }),
    ],
    [
      'by a bearer token with all scopes',
      async () => post(new Browser(setting.origin), { decision: 'approve' }, { authorization: bearer }),
    ],
    [
      'by a bearer token with the CSRF token of the page',
      async () =>
        post(new Browser(setting.origin), { decision: 'approve', csrf: csrfOf(page) }, { authorization: bearer }),
    ],
    [
      'with the decision twice',
      async () =>
        ana.open(challenge.url, {
          method: 'POST',
          body: new URLSearchParams(`csrf=${csrfOf(page)}&decision=deny&decision=approve`),
        }),
    ],
  ])('is refused %s', async (_, attempt) => {
    const { status } = await attempt();
    expect([400, 403]).toContain(status);
    expect(await stillWaits()).toBe(true);
    expect((await ana.submit(page, { decision: 'approve' })).html).toContain('Pagamento aprovado');
  });

  it('is answered to another holder who makes up a token of their own session as if nobody knew the id', async () => {
    const { browser } = await loggedIn(challenge.url, BRUNO);
    const known = await browser.open(challenge.url);
    const unknown = await browser.open(`/desafios/${crypto.randomUUID()}`);
    expect(known.html).toBe(unknown.html);
    expect((await post(browser, { decision: 'approve', csrf: csrfOf(known) })).status).toBe(403);
    expect(await stillWaits()).toBe(true);
  });
});

describe('a bearer token on the page', () => {
  it('logs nobody in', async () => {
    const shown = await new Browser(setting.origin).open(challenge.url, { headers: { authorization: bearer } });
    expect(shown.html).toContain('name="password"');
    expect(shown.html).not.toContain('AL1201');
  });

  it('is not looked at where a session is there', async () => {
    const other = await tokensFor(setting.origin, { traveller: BRUNO });
    for (const authorization of [`Bearer ${other.access_token}`, 'Bearer x', 'Basic YTpi']) {
      expect((await ana.open(challenge.url, { headers: { authorization } })).html).toContain('Aprovar este pagamento?');
    }
  });
});

describe('the login on the way to the page', () => {
  it.each([
    ['next', 'https://evil.example'],
    ['challenge', 'https://evil.example'],
    ['challenge', '//evil.example/x'],
    ['redirect_uri', 'https://evil.example'],
  ])('leads nowhere else by %s=%s', async (name, value) => {
    const browser = new Browser(setting.origin);
    const login = await browser.open(`${challenge.url}?${name}=${encodeURIComponent(value)}`);
    const fields = { csrf: csrfOf(login), username: ANA.email, password: ANA.password };
    const body = new URLSearchParams({ challenge: challenge.id, ...fields, [name]: value });
    const after = await browser.open('/oauth/login', { method: 'POST', body });
    expect(after.url.origin).toBe(setting.origin);
    expect([challenge.url, `${setting.origin}/oauth/login`]).toContain(after.url.href);
  });
});
