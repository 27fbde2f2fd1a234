import {
  type Browser,
  formTo,
  HOST,
  ISSUER,
  locationOf,
  PASSWORD,
  type Received,
  send,
  type TestServer,
} from '../../../oauth/src/testing/index.js';

/** The address of the authorization request that the playground composed for a browser. */
export const playgroundRequest = async (browser: Browser, scope = 'booking:write'): Promise<URL> => {
  const { body } = await browser.get(`/oauth/playground/pedido?${new URLSearchParams({ scope }).toString()}`);
  const [, href = ''] = /href="([^"]*\/oauth\/authorize[^"]*)"/.exec(body) ?? [];
  return new URL(href.replaceAll('&amp;', '&'));
};

/** Ana follows the link of the playground and decides; returns the address that her browser is sent back to. */
export const decideInPlayground = async (browser: Browser, decision: 'approve' | 'deny'): Promise<URL> => {
  const { pathname, search } = await playgroundRequest(browser);
  const login = formTo(await browser.get(pathname + search), '/oauth/login');
  const entered = await browser.post(login, { username: 'ana@example.com', password: PASSWORD });
  const consent = await browser.get(locationOf(entered).pathname);
  return locationOf(await browser.post(formTo(consent, '/oauth/consent'), { decision }));
};

export interface ScriptData {
  readonly csrf: string;
  readonly code: string;
  readonly state: string;
}

export const scriptDataIn = ({ body }: Received): ScriptData => {
  const dataOf = (name: string): string => new RegExp(`data-${name}="([^"]*)"`).exec(body)?.[1] ?? '';
  return { csrf: dataOf('csrf'), code: dataOf('code'), state: dataOf('state') };
};

/** Brings Ana's browser to the exchange; returns the data of its script. */
export const returnToPlayground = async (browser: Browser): Promise<ScriptData> => {
  const { pathname, search } = await decideInPlayground(browser, 'approve');
  return scriptDataIn(await browser.get(pathname + search));
};

export const askPlayground = async (
  server: TestServer,
  { cookies }: Browser,
  step: string,
  fields: object,
  origin = ISSUER,
) => {
  const answer = await send(server.port, {
    method: 'POST',
    path: `/oauth/playground/${step}`,
    body: JSON.stringify(fields),
    headers: {
      host: HOST,
      origin,
      'content-type': 'application/json',
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
  });
  return { ...answer, body: JSON.parse(answer.body) as Record<string, unknown> };
};
