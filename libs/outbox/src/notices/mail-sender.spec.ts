import { Accounts, Passwords } from '#identity';
import { RandomIds } from '#kernel';
import type { EventType } from '../event-types.js';
import { openTestDocuments } from '../../../identity/src/testing/index.js';
import { type MailOutcome, MailSender } from './mail-sender.js';
import { isNoticed, type NoticeType } from './notice-types.js';
import { NOTICES, Notices, NOTICES_REACHED } from './notices.js';
import { Smtp } from './smtp.js';
import { CaughtMails } from '../testing/index.js';

const CHALLENGE = 600_000;
const [MINUTE, HOUR] = [60_000, 3_600_000];
const AGENT = 'agente-da-loja';
const SITE = 'https://voos.example';

const caught = new CaughtMails();
const ids = new RandomIds();
let { documents, clock } = openTestDocuments();
let accounts: Accounts;
let notices: Notices;
let sender: MailSender;
let holder: string;
let errors: unknown[];
let outcomes: MailOutcome[];
let position = 0;

beforeEach(async () => {
  ({ documents, clock } = openTestDocuments());
  accounts = new Accounts(documents, ids, new Passwords({ accounts: [], passwordCost: CHEAP, loginFailures: 0 }));
  notices = new Notices(documents);
  await accounts.prepare();
  for (const spec of [NOTICES, NOTICES_REACHED]) await documents.prepare(spec);
  holder = (await accounts.add({ email: 'ana.souza@example.com', password: 'alcada-demo' })) ?? '';
  [errors, outcomes] = [[], []];
  await caught.open();
  caught.mails.splice(0);
  caught.refusal = null;
  const smtp = new Smtp({ url: caught.url, from: 'avisos@voos.example' });
  const onError = (error: unknown) => errors.push(error);
  const onOutcome = (outcome: MailOutcome) => outcomes.push(outcome);
  sender = new MailSender({ notices, accounts, clock, smtp, siteUrl: SITE, challenge: CHALLENGE, onOutcome, onError });
});
afterEach(() => caught.close());

const CHEAP = { N: 1_024, r: 8, p: 1 };

/** Something becomes news about a mandate, an order or an agent, now. */
const happens = async (type: NoticeType, subject: string = ids.next(), clientId = AGENT): Promise<string> => {
  position += 1;
  const stream = `${type === 'challenge.requested' ? 'order' : 'mandate'}-${subject}`;
  const id = `evt_${position}`;
  const key = String(position).padStart(20, '0');
  const place = {
    id,
    key,
    type: type as EventType,
    holder,
    clientId,
    lane: subject,
    stream,
    revision: 0,
    at: clock.now(),
  };
  if (!isNoticed(place)) throw new Error('nobody gets a notice of it');
  await notices.add(place, true);
  return subject;
};

const passes = async (milliseconds: number): Promise<readonly string[]> => {
  clock.advance(milliseconds);
  const before = caught.mails.length;
  await sender.send(new AbortController().signal);
  return caught.mails.slice(before).map(({ subject }) => subject);
};

const onlyOf = <One>([one, ...more]: readonly One[]): One => {
  if (one === undefined || more.length > 0) throw new Error('there is not one');
  return one;
};

const ASKED = 'Um agente pede um mandato';
const WAITS = 'Um pagamento espera a sua confirmação';

describe('a mail', () => {
  it('says in Portuguese that there is something, leads to it, and names no person, agent, amount or id', async () => {
    const order = await happens('challenge.requested');
    expect(await passes(0)).toEqual([WAITS]);
    const [notice] = await notices.of(holder, 1);
    const { to, text, html, parsed, raw } = onlyOf(caught.mails);
    expect([to, parsed.from?.text]).toEqual(['ana.souza@example.com', '"Alçada" <avisos@voos.example>']);
    expect([parsed.headers.get('auto-submitted'), parsed.headers.has('x-mailer')]).toEqual(['auto-generated', false]);
    for (const form of [text, html]) {
      expect(form).toContain('Nada é cobrado sem a sua aprovação');
      expect(form).toContain(`${SITE}/conta/avisos/${notice?.id ?? ''}`);
    }
    expect(html).not.toMatch(/<img|<script|<link|url\(|R\$/);
    const [, body = ''] = raw.split(/\r\n\r\n([\s\S]*)/);
    for (const secret of [order, holder, AGENT, 'ana.souza', 'segredo', 'R$']) {
      expect(`${text}${html}${body}`).not.toContain(secret);
    }
  });

  it('goes out once a matter and ten minutes: what comes up meanwhile is in the next, and nothing is left out', async () => {
    await happens('mandate.requested');
    expect(await passes(0)).toEqual([ASKED]);
    await happens('mandate.requested');
    await happens('mandate.requested');
    await happens('mandate.requested', undefined, 'outro-agente');
    clock.advance(30_000);
    expect(await sender.figures()).toEqual({ waiting: 3, oldestSeconds: 30 });
    expect(await passes(MINUTE)).toEqual([ASKED]); // of the other agent
    expect(await sender.figures()).toEqual({ waiting: 2, oldestSeconds: 0 });
    expect(await passes(8 * MINUTE)).toEqual([]);
    expect(await passes(MINUTE)).toEqual([ASKED]);
    expect(caught.mails.at(-1)?.text).toContain('São 2 avisos sobre isto');
    expect(await passes(HOUR)).toEqual([]);
  });

  it('about a payment goes out three times in ten minutes, so that an agent that asks without end fills no mailbox', async () => {
    for (let minute = 0; minute < 3; minute += 1) {
      await happens('challenge.requested');
      expect(await passes(MINUTE)).toEqual([WAITS]);
    }
    for (let minute = 3; minute < 10; minute += 1) {
      await happens('challenge.requested');
      expect(await passes(MINUTE)).toEqual([]);
    }
    expect(await passes(MINUTE)).toEqual([WAITS]);
    expect(caught.mails.at(-1)?.text).toContain('São 7 avisos'); // of those that still wait
  });

  it('of which a crash left nothing written goes out once more, as the same mail', async () => {
    await happens('mandate.requested');
    const settle = notices.settle.bind(notices);
    notices.settle = async (_ids, sentAt) => {
      if (sentAt === null) return;
      notices.settle = settle;
      await Promise.reject(new Error('killed'));
    };
    await expect(passes(0)).rejects.toThrow('killed');
    expect(await passes(0)).toEqual([ASKED]);
    expect(await passes(HOUR)).toEqual([]);
    expect(new Set(caught.mails.map(({ parsed }) => parsed.messageId)).size).toBe(1);
  });

  it('is not about what was read meanwhile', async () => {
    await happens('mandate.requested');
    await passes(0);
    await happens('mandate.requested');
    await notices.readAll(holder);
    expect(await passes(11 * MINUTE)).toEqual([]);
  });

  it('waits some seconds for what ends together, and is about the agent if that is among it', async () => {
    await happens('mandate.revoked');
    await happens('agent.revoked', AGENT);
    await happens('mandate.expired');
    expect(await passes(9_000)).toEqual([]);
    expect(await passes(1_000)).toEqual(['Um agente não age mais em seu nome']);
    expect(await passes(HOUR)).toEqual([]);
  });

  it('goes out once the server is back, unless it comes too late to help', async () => {
    await caught.close();
    await happens('mandate.requested');
    await happens('challenge.requested');
    await expect(passes(0)).rejects.toMatchObject({ name: 'MailFailure', extent: 'server' });
    await caught.open();
    expect(await passes(30 * MINUTE)).toEqual([ASKED]); // the payment is over
    await happens('mandate.refunded');
    await caught.close();
    await expect(passes(MINUTE)).rejects.toThrow('SMTP_URL');
    await caught.open();
    expect(await passes(HOUR)).toEqual([]);
    expect(outcomes).toEqual(['failed', 'too_late', 'sent', 'failed', 'too_late']);
  });

  it('that is refused for now waits, one that is refused for good is given up, and no error says whom it was for', async () => {
    caught.refusal = 450;
    await happens('mandate.requested');
    expect(await passes(0)).toEqual([]);
    caught.refusal = null;
    expect(await passes(59_000)).toEqual([]);
    expect(await passes(1_000)).toEqual([ASKED]);
    caught.refusal = 550;
    await happens('challenge.requested');
    expect(await passes(0)).toEqual([]);
    caught.refusal = null;
    expect(await passes(5 * MINUTE)).toEqual([]);
    expect(outcomes).toEqual(['failed', 'sent', 'refused']);
    expect(errors).toMatchObject([{ extent: 'later' }, { extent: 'final' }]);
    expect(errors.map(String).join()).not.toMatch(/ana|@|segredo/);
    expect(errors.map((error) => (error as Error).cause)).toEqual([undefined, undefined]);
  });

  it('goes to nobody who does not want any, nor to who was erased', async () => {
    await accounts.setMails(holder, false);
    await happens('mandate.requested');
    expect(await passes(0)).toEqual([]);
    await accounts.setMails(holder, true);
    expect(await passes(0)).toEqual([]); // what was not wanted does not come later
    await happens('challenge.requested');
    await accounts.remove(holder);
    expect(await passes(0)).toEqual([]);
    expect(await notices.forget(holder)).toBe(2);
  });
});
