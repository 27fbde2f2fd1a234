import { mock } from 'node:test';
import { openForAll, until } from '#testing';
import { StoreUnavailable } from '#event-store';
import { authorizeUrl } from '../testing/agent.js';
import { Browser, formTo } from '../testing/browser.js';
import type { Received } from '../testing/send.js';
import { startTestServer } from '../testing/test-server.js';
import { PASSWORD } from '../testing/test-settings.js';

const server = openForAll(() => startTestServer({ loginFailures: 5 }, { logIns: 30 }));

/** A browser on the login page, at an address; returns a function that tries a password. */
const before = async (address: string) => {
  const browser = new Browser(server);
  const form = formTo(await browser.get(authorizeUrl()), '/oauth/login');
  return (username: string, password: string): Promise<Received> =>
    browser.post(form, { username, password }, { 'x-forwarded-for': address });
};

const inTurn = async (times: number, work: () => Promise<Received>): Promise<readonly number[]> => {
  const statuses: number[] = [];
  for (let done = 0; done < times; done += 1) statuses.push((await work()).status);
  return statuses;
};

const throttled = async () => {
  const recorded: object[] = [];
  for await (const { type, data } of server.eventStore.readStream(`security-${server.clock.now().slice(0, 10)}`)) {
    if (type === 'LoginThrottled') recorded.push(data);
  }
  return recorded;
};

describe('a login', () => {
  it('shows the page again and says how long to wait after five failures', async () => {
    const attempt = await before('192.0.2.1');
    expect(await inTurn(5, () => attempt('ana@example.com', 'wrong'))).toEqual([403, 403, 403, 403, 403]);
    const { status, headers, body } = await attempt('ana@example.com', 'wrong');
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 429, retryAfter: '1' });
    expect(body).toContain('Muitas tentativas de entrar. Espere <strong>1 segundo</strong>');
    expect(body).toContain('action="/oauth/login"');
    expect(body).toContain('value="ana@example.com"');
  });

  it('does not even compare the right password before that time, and accepts it afterwards', async () => {
    const attempt = await before('192.0.2.2');
    await inTurn(5, () => attempt('ana@example.com', 'wrong'));
    expect((await attempt('ana@example.com', PASSWORD)).status).toBe(429);
    server.clock.advance(1_000);
    expect((await attempt('ana@example.com', PASSWORD)).status).toBe(303);
    expect(await inTurn(5, () => attempt('ana@example.com', 'wrong'))).not.toContain(429);
  });

  it('is not slowed down from another address', async () => {
    const attacker = await before('192.0.2.3');
    await inTurn(20, () => attacker('ana@example.com', 'wrong'));
    expect((await attacker('ana@example.com', PASSWORD)).status).toBe(429);
    expect((await (await before('192.0.2.4'))('ana@example.com', PASSWORD)).status).toBe(303);
  });

  it('is slowed down as much for an unknown account, with the same words', async () => {
    const attempt = await before('192.0.2.5');
    const seen = async (email: string) => {
      const answers = [await inTurn(5, () => attempt(email, 'wrong')), await attempt(email, 'wrong')] as const;
      const { status, body } = answers[1];
      return { first: answers[0], status, text: body.replaceAll(email, '') };
    };
    expect(await seen('ninguem@example.com')).toEqual(await seen('bruno@example.com'));
  });

  it('is compared five times, however many arrive at the same time', async () => {
    const attempt = await before('192.0.2.6');
    const answers = await Promise.all(Array.from({ length: 25 }, () => attempt('ana@example.com', 'wrong')));
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  it('is limited per minute for an address, whatever the account', async () => {
    const attempt = await before('192.0.2.7');
    let tried = 0;
    const statuses = await inTurn(30, () => attempt(`pessoa-${(tried += 1)}@example.com`, 'wrong'));
    expect(new Set(statuses)).toEqual(new Set([403]));
    const refused = await attempt('ana@example.com', PASSWORD);
    expect({ status: refused.status, wait: refused.headers['retry-after'] }).toEqual({ status: 429, wait: '2' });
    server.clock.advance(2_000);
    expect((await attempt('ana@example.com', PASSWORD)).status).toBe(303);
  });

  it('that cannot be compared now is not counted', async () => {
    const attempt = await before('192.0.2.8');
    server.cutOff(true);
    expect(await inTurn(6, () => attempt('ana@example.com', PASSWORD))).toEqual(Array(6).fill(503));
    server.cutOff(false);
    expect((await attempt('ana@example.com', PASSWORD)).status).toBe(303);
  });

  it('that was compared is answered also where the log does not take its record', async () => {
    const attempt = await before('192.0.2.10');
    const refused = mock.method(server.eventStore, 'append', () => Promise.reject(new StoreUnavailable('it is slow')));
    const answers = await inTurn(5, () => attempt('bruno@example.com', 'wrong'));
    await until(() => server.log().includes('a throttled login was not recorded'));
    refused.mock.restore();
    expect(answers).toEqual([403, 403, 403, 403, 403]);
  });

  it('is recorded once for the auditors when it is slowed down, with the account and without the caller', async () => {
    const earlier = (await throttled()).length;
    const attempt = await before('192.0.2.9');
    for (const email of ['bruno@example.com', 'ninguem-mais@example.com']) {
      await inTurn(8, () => attempt(email, 'wrong'));
    }
    await until(async () => (await throttled()).length >= earlier + 2);
    const [ofBruno, ofNobody, ...more] = (await throttled()).slice(earlier);
    expect(ofBruno).toMatchObject({ holder: expect.any(String), count: 5 });
    expect(ofNobody).toMatchObject({ holder: null, count: 5 });
    expect(more).toEqual([]);
    expect(JSON.stringify([ofBruno, ofNobody])).not.toMatch(/example\.com|192\.0\.2/);
  });

  it('is recorded twenty times an hour for accounts that do not exist, however many are tried', async () => {
    server.clock.advance(3_600_000);
    const earlier = (await throttled()).length;
    for (let tried = 0; tried < 25; tried += 1) {
      const attempt = await before(`198.51.100.${tried}`);
      await inTurn(5, () => attempt(`ninguem-${tried}@example.com`, 'wrong'));
    }
    const attempt = await before('192.0.2.11');
    await inTurn(5, () => attempt('bruno@example.com', 'wrong'));
    const since = async () => (await throttled()).slice(earlier) as { readonly holder: string | null }[];
    await until(async () => (await since()).some(({ holder }) => holder !== null));
    expect((await since()).filter(({ holder }) => holder === null)).toHaveLength(20);
  });
});
