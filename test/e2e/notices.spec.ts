import { Accounts, Passwords } from '#identity';
import { Notices } from '#outbox';
import { until } from '#testing';
import { type CaughtMail, CaughtMails } from '../../libs/outbox/src/testing/index.js';
import { eraseHolder, openErasure } from '../../apps/cli/src/erase/erase-holder.js';
import type { RunningApi } from '../../apps/api/src/start.js';
import { agentAt } from '../support/agent.js';
import { CHALLENGED_CARD, challengeIn, loggedIn } from '../support/challenge.js';
import type { Traveller } from '../support/consent.js';
import { bodyOf, book, buy, giveBack, grant, laterTrip, order } from '../support/purchase.js';
import { letPass, ownFolder, startService, startServiceInMemory } from '../support/service.js';

const [CLARA, DORA, EVA] = ['clara', 'dora', 'eva'].map((name) => ({
  email: `${name}@example.com`,
  password: 'alcada-demo',
})) as [Traveller, Traveller, Traveller];
const DEMO_TRAVELLERS = [CLARA, DORA, EVA].map(({ email }) => email).join();
/** What gathers before a mail goes out has gathered, and the time between two mails is over. */
const [GATHERED, QUIET] = [10_000, 600_000];

const caught = new CaughtMails();
beforeAll(() => caught.open());
afterAll(() => caught.close());

const mailTo = async ({ email }: Traveller, subject: string): Promise<CaughtMail> => {
  const isIt = (mail: CaughtMail) => mail.to === email && mail.subject.startsWith(subject);
  await until(() => caught.mails.some(isIt));
  return caught.mails.find(isIt) as CaughtMail; // it has just been seen
};
const subjectsTo = ({ email }: Traveller) => caught.mails.filter(({ to }) => to === email).map((mail) => mail.subject);
const pathIn = ({ text }: CaughtMail): string => /\/conta\/avisos\/[\w-]+/.exec(text)?.[0] ?? '';
const textOf = ({ html }: { readonly html: string }): string =>
  html.replace(/<head>[\s\S]*<\/head>|<[^>]*>/g, ' ').replace(/[ \n]+/g, ' ');

const holderOf = async ({ dependencies }: RunningApi, { email }: Traveller): Promise<string> => {
  const { documents, ids, oauthSettings } = dependencies;
  return (await new Accounts(documents, ids, new Passwords(oauthSettings)).holderOf(email)) ?? '';
};

describe('a traveller', () => {
  let service: RunningApi;
  beforeAll(async () => {
    service = await startServiceInMemory({ DEMO_TRAVELLERS, MANDATES: 'ask', SMTP_URL: caught.url });
  });
  afterAll(() => service.stop());

  it('hears by mail and on the page of what agents ask and of what becomes of it, and not of what they did themselves', async () => {
    const agent = await agentAt(service.origin, { traveller: CLARA });
    const mandate = await grant(agent, 1000_00);
    const asked = await mailTo(CLARA, 'Um agente pede');

    const { browser, page } = await loggedIn(service.origin + pathIn(asked), CLARA);
    expect(page.url.pathname).toBe(`/conta/mandatos/${mandate.id}/decidir`);
    await browser.submit(page, { decision: 'approve', 'limit-1': '349', 'duration-1': '60', 'unit-1': 'minutes' });

    const booking = await book(agent, laterTrip());
    challengeIn(await order(agent, booking, mandate, CHALLENGED_CARD));
    const payment = await mailTo(CLARA, 'Um pagamento espera');
    await browser.submit(await browser.open(pathIn(payment)), { decision: 'approve' });
    const paid = bodyOf(await order(agent, booking, mandate, CHALLENGED_CARD), 201);
    letPass(service, GATHERED);
    expect(pathIn(await mailTo(CLARA, 'Um mandato está perto do teto'))).toMatch(/avisos\/[\w-]{43}$/);

    await giveBack(agent, paid);
    bodyOf(await agent.call('DELETE', `/mandates/${mandate.id}`), 200);
    letPass(service, GATHERED);
    await mailTo(CLARA, 'O dinheiro de uma compra cancelada foi devolvido');
    const ended = await mailTo(CLARA, 'Um mandato foi encerrado');

    expect(textOf(await browser.open('/conta'))).toContain('Avisos 3 novos');
    expect(textOf(await browser.open('/conta/avisos'))).toMatch(
      /Avisos .*encerrado novo Cliente piloto · .*devolvido novo .*teto novo .*confirmação Cliente piloto · .*pede um mandato/,
    );
    expect((await browser.open(pathIn(ended))).url.pathname).toBe(`/conta/mandatos/${mandate.id}`);
    const list = await browser.open('/conta/avisos');
    expect(textOf(list)).toMatch(/devolvido novo .*teto novo .*encerrado Cliente piloto/);
    expect(list.html).toContain('<noscript><meta http-equiv="refresh" content="10" /></noscript>');
    expect(list.headers.get('content-security-policy')).toContain("script-src 'self'; connect-src 'self'; ");

    const end = await browser.open('/conta/agentes/alcada-pilot/revogar');
    await browser.submit(end, {});
    letPass(service, QUIET);
    const other = await agentAt(service.origin, { traveller: DORA });
    await grant(other, 100_00); // what is told of her comes later in the log
    await mailTo(DORA, 'Um agente pede');
    expect(subjectsTo(CLARA)).toHaveLength(5);
    for (const { raw } of caught.mails) expect(raw).not.toMatch(/piloto|R\$|alcada-demo/);
    // What is random in a mail, its boundaries and its address of 43 characters, may have any figures.
    for (const { subject, text, html } of caught.mails)
      expect([subject, text, html].join().replaceAll(/avisos\/[\w-]{43}/g, '')).not.toMatch(/279|349/);
    for (const { text } of caught.mails) expect(text).not.toContain(mandate.id);
  });

  it('finds no notice of another, and marks theirs as read without a login of the last minutes', async () => {
    const { browser, page } = await loggedIn(`${service.origin}/conta/avisos`, DORA);
    const [own = ''] = /\/conta\/avisos\/[\w-]{43}/.exec(page.html) ?? [];
    const stranger = await loggedIn(service.origin + own, EVA);
    expect([stranger.page.status, textOf(stranger.page)]).toEqual([404, expect.stringContaining('não encontrada')]);
    expect(textOf(page)).toContain('pede um mandato novo');
    letPass(service, QUIET);
    expect(textOf(await browser.submit(page, { read: 'all' }))).not.toContain(' novo ');
  });

  it('turns mails off and on on the page, after a recent login', async () => {
    const { browser, page } = await loggedIn(`${service.origin}/conta/avisos`, DORA);
    expect(textOf(page)).toContain(`Os avisos também chegam em ${DORA.email}`);
    letPass(service, QUIET);
    const again = await browser.submit(page, { mails: 'off' });
    expect(textOf(again)).toContain('Para mudar o que você recebe por e-mail, informe sua senha de novo');
    const back = await browser.submit(again, { username: DORA.email, password: DORA.password });
    expect(textOf(await browser.submit(back, { mails: 'off' }))).toContain('Os avisos não são enviados por e-mail');
    const dora = await agentAt(service.origin, { traveller: DORA });
    await grant(dora, 100_00);
    const eva = await agentAt(service.origin, { traveller: EVA });
    await grant(eva, 100_00);
    await mailTo(EVA, 'Um agente pede');
    expect(subjectsTo(DORA)).toHaveLength(1);
    expect(textOf(await browser.open('/conta'))).toContain('Avisos 1 novo');
  });

  it('who is erased gets nothing, though their agents and mandates end with it', async () => {
    const holder = await holderOf(service, EVA);
    const erased = await eraseHolder(holder, await openErasure(service.dependencies), () => undefined);
    expect(erased).toMatchObject({ account: true, notices: 1, agents: 1 });
    letPass(service, QUIET);
    const clara = await agentAt(service.origin, { traveller: CLARA });
    await grant(clara, 100_00);
    await until(() => subjectsTo(CLARA).length === 6);
    expect(subjectsTo(EVA)).toHaveLength(1);
    expect(await new Notices(service.dependencies.documents).of(holder, 9)).toEqual([]);
  });
});

describe('a mail that could not be sent', () => {
  const folder = ownFolder();

  it('goes out after a restart, once; without a server the page alone has the notice', async () => {
    let service = await startService(folder, { DEMO_TRAVELLERS, SMTP_URL: caught.url });
    const agent = await agentAt(service.origin, { traveller: CLARA });
    await caught.close();
    const before = caught.mails.length;
    const mandate = await grant(agent, 279_90);
    await buy(agent, await book(agent, laterTrip()), mandate);
    const notices = new Notices(service.dependencies.documents);
    const holder = await holderOf(service, CLARA);
    await until(async () => (await notices.of(holder, 9)).length === 1);
    await service.stop();

    await caught.open();
    service = await startService(folder, { DEMO_TRAVELLERS, SMTP_URL: caught.url });
    letPass(service, GATHERED);
    await until(() => caught.mails.length === before + 1);
    await service.stop();
    service = await startService(folder, { DEMO_TRAVELLERS });
    const { page } = await loggedIn(`${service.origin}/conta/avisos`, CLARA);
    expect(textOf(page)).toMatch(
      /Sua conta Avisos .*chegou ao teto novo Cliente piloto · [^·]*Este serviço não envia e-mails/,
    );
    expect(caught.mails).toHaveLength(before + 1);
    await service.stop();
  });
});
