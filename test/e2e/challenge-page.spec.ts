import { Browser } from '#agent';
import { ANA, BRUNO } from '../support/agent.js';
import type { Booking, Mandate } from '../support/answers.js';
import { challengeIn, CHALLENGED_CARD, type Challenged, loggedIn } from '../support/challenge.js';
import { changesOf } from '../support/changes.js';
import { book, buy, grant, mandateNow, order, TRIP_PRICE } from '../support/purchase.js';
import { letPass } from '../support/service.js';
import { Setting } from '../support/setting.js';

const setting = new Setting({ LIMIT_OPEN_CHALLENGES: '0' });
let booking: Booking;
let mandate: Mandate;
let challenge: Challenged['challenge'];
beforeEach(async () => {
  booking = await book(setting.ana);
  mandate = await grant(setting.ana, TRIP_PRICE + 1_000_00);
  challenge = challengeIn(await order(setting.ana, booking, mandate, CHALLENGED_CARD));
});

const standing = async (): Promise<string> => {
  const { page } = await loggedIn(challenge.url, ANA);
  return /<h1>(.*?)<\/h1>/.exec(page.html)?.[1] ?? `status ${page.status}`;
};
const WAITING = 'Aprovar este pagamento?';
const APPROVED = 'Pagamento aprovado';
const DENIED = 'Pagamento recusado';

describe('the page of a challenge (rule 10)', () => {
  it('asks for the login first, and then comes back', async () => {
    const browser = new Browser(setting.origin);
    const login = await browser.open(challenge.url);
    expect([login.status, login.url.href]).toEqual([200, challenge.url]);
    expect(login.html).toContain('name="password"');
    expect(login.html).not.toContain('AL1201');
    const page = await browser.submit(login, { username: ANA.email, password: ANA.password });
    expect([page.status, page.url.href]).toEqual([200, challenge.url]);
  });

  it('shows the holder what they are asked for', async () => {
    const { page } = await loggedIn(challenge.url, ANA);
    for (const text of [
      'Cliente piloto',
      'cliente piloto de testes',
      'Voo AL1201',
      '1 × R$\u00a0279,90',
      'Visa final 3220',
      'Teto de R$\u00a01.279,90; depois desta compra, R$\u00a01.000,00 disponíveis',
      'Datas e horas no horário de Brasília.',
      'ana@example.com',
    ]) {
      expect(page.html).toContain(text);
    }
    expect(page.html).toMatch(/9 min \d\d? s<\/span\s*>, até/);
  });

  it('has no script but a file of ours that calls nobody, and cannot be framed, cached, or led astray', async () => {
    const { page } = await loggedIn(challenge.url, ANA);
    const [script = ''] = /<script.*?<\/script>/.exec(page.html) ?? [];
    expect(script).toMatch(/^<script type="module" src="\/assets\/page\.js\?v=[0-9a-zA-Z_-]+"><\/script>$/);
    expect(page.html.replace(script, '')).not.toMatch(
      /<script|<style| style=| on[a-z]+=|javascript:|https?:\/\/(?!www\.w3\.org)/i,
    );
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect([page.headers.get('x-frame-options'), page.headers.get('cache-control')]).toEqual(['DENY', 'no-store']);
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is to another holder what it is for an id that nobody knows', async () => {
    const { browser, page } = await loggedIn(challenge.url, BRUNO);
    expect(page.status).toBe(404);
    expect(page.html).toContain('Página não encontrada');
    const unchallenged = await buy(setting.bruno, await book(setting.bruno), await grant(setting.bruno, TRIP_PRICE));
    for (const id of [crypto.randomUUID(), unchallenged.id, 'x', challenge.id.toUpperCase()]) {
      const unknown = await browser.open(`/desafios/${id}`);
      expect([unknown.status, unknown.html]).toEqual([404, page.html]);
    }
  });

  it('lets who is there under the wrong account out', async () => {
    const { browser, page } = await loggedIn(challenge.url, BRUNO);
    const left = await browser.submit(page, {});
    expect([left.status, left.url.pathname]).toEqual([200, '/oauth/logout']);
    expect((await browser.open(challenge.url)).html).toContain('name="password"');
  });
});

describe('the decision (rule 10)', () => {
  it('to approve is written in the name of the holder and of no agent, and led back to the page', async () => {
    const { browser, page } = await loggedIn(challenge.url, ANA);
    const { events } = await changesOf(setting.service, async () => {
      const after = await browser.submit(page, { decision: 'approve' });
      expect([after.status, after.url.href]).toEqual([200, challenge.url]);
      expect(after.html).not.toContain('name="decision"');
    });
    expect(events).toMatchObject([
      {
        stream: `order-${challenge.id}`,
        type: 'PaymentApproved',
        metadata: { actor: { holder: expect.any(String), clientId: null } },
      },
    ]);
    expect(await standing()).toBe(APPROVED);
  });

  it('to deny settles at once, in the name of the holder and of no agent', async () => {
    const { browser, page } = await loggedIn(challenge.url, ANA);
    const { events } = await changesOf(setting.service, () => browser.submit(page, { decision: 'deny' }));
    const types = events.map(({ type }) => type);
    expect(types[0]).toBe('PaymentDeclined');
    expect(types.slice(1, 4).sort()).toEqual(['MandateReleased', 'OrderFailed', 'SeatsReleased']);
    expect(types.slice(4)).toEqual(['BookingCheckoutAbandoned']);
    for (const { metadata } of events) {
      expect(metadata).toMatchObject({
        actor: { holder: expect.any(String), clientId: null },
        $correlationId: events[0]?.metadata.$correlationId,
        $causationId: expect.stringMatching(/^[0-9a-f]{16}$/),
      });
    }
    expect((await mandateNow(setting.ana, mandate)).reserved.amount).toBe(0);
  });

  it.each([
    ['approve', 'deny', APPROVED],
    ['approve', 'approve', APPROVED],
    ['deny', 'approve', DENIED],
    ['deny', 'deny', DENIED],
  ])('%s, then %s from a page left open, changes nothing and says what stands', async (first, second, stands) => {
    const { browser, page } = await loggedIn(challenge.url, ANA);
    await browser.submit(page, { decision: first });
    const { events } = await changesOf(setting.service, async () => {
      expect((await browser.submit(page, { decision: second })).html).toContain(`<h1>${stands}</h1>`);
    });
    expect(events).toEqual([]);
  });

  it.each(['', 'Approve', 'yes', 'true', 'allow'])('is none where it reads %j', async (decision) => {
    const { browser, page } = await loggedIn(challenge.url, ANA);
    expect((await browser.submit(page, { decision })).status).toBe(400);
    expect(await standing()).toBe(WAITING);
  });

  it('needs the password again five minutes after the login, and nothing is decided before', async () => {
    const { browser, page } = await loggedIn(challenge.url, ANA);
    letPass(setting.service, 300_000 + 1_000);
    const again = await browser.submit(page, { decision: 'approve' });
    expect(again.status).toBe(403);
    expect(again.html).toContain('name="password"');
    expect(await standing()).toBe(WAITING);
    const wrong = await browser.submit(again, { username: ANA.email, password: 'errada' });
    expect([wrong.status, await standing()]).toEqual([403, WAITING]);
    expect((await browser.open(challenge.url)).status).toBe(200);

    const back = await browser.submit(wrong, { username: ANA.email, password: ANA.password });
    expect([back.status, back.url.href, await standing()]).toEqual([200, challenge.url, WAITING]);
    expect((await browser.submit(back, { decision: 'approve' })).html).toContain(APPROVED);
  });

  // The last one: the agents' tokens have ended too.
  it('is not taken from a session that ended: the login comes first', async () => {
    const { browser, page } = await loggedIn(challenge.url, ANA);
    letPass(setting.service, 12 * 3_600_000);
    const login = await browser.submit(page, { decision: 'approve' });
    expect([login.status, login.url.href]).toEqual([200, challenge.url]);
    expect(login.html).toContain('name="password"');
  });
});
