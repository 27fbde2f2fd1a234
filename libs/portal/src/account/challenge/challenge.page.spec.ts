import { baseUrlsAt } from '#http';
import { money, plus } from '#kernel';
import type { ChallengeStatus } from '#order';
import { sampleCheckout } from '../../../../booking/src/testing/index.js';
import { challengePage, type ChallengePageContent } from './challenge.page.js';

const NOW = '2026-01-31T12:00:00.000Z';
const ORDER = '3b1f8a52-90cd-4f6e-8a27-5d0c1e9f7b64';

const content: ChallengePageContent = {
  challenge: {
    orderId: ORDER,
    clientId: 'agente',
    mandateId: 'b0c7f1de-2a34-4f0b-9d58-6e1a7c3f9042',
    bookingId: '5c1a9e64-7d20-4b7e-9f35-2a8c6e0d4b19',
    line: {
      ...sampleCheckout().line,
      ...{ description: 'Voo AL4101, REC–FEN (Fernando de Noronha), tarifa Clássica', flightNumber: 'AL4101' },
      ...{ from: 'REC', to: 'FEN', departureTime: '10:30', arrivalTime: '12:45' },
      unitPrice: money(1_139_90, 'BRL'),
      subtotal: money(2_279_80, 'BRL'),
    },
    total: money(2_279_80, 'BRL'),
    brand: 'visa',
    last4: '3220',
    expiresAt: plus(NOW, 590_000),
    status: 'waiting',
  },
  agent: { name: 'Agente de viagens', pilot: false },
  people: { travellers: [{ givenName: 'Conceição', familyName: 'dos Santos' }] },
  mandate: { limit: money(3_000_00, 'BRL'), remaining: money(720_20, 'BRL'), expiresAt: plus(NOW, 3_600_000) },
  session: { id: 's'.repeat(43), traveller: { holder: 'h', email: 'ana@example.com', loggedInAt: NOW } },
  now: NOW,
  urls: baseUrlsAt('https://alcada.example'),
};

const textOf = (change: Partial<ChallengePageContent> = {}): string =>
  challengePage({ ...content, ...change })
    .html.replace(/<head>.*<\/head>|<[^>]*>/gs, ' ')
    .replace(/[ \n]+/g, ' ');
const inState = (status: ChallengeStatus) => ({ challenge: { ...content.challenge, status } });

describe('the page of a challenge', () => {
  it('shows agent, amount, flight, passengers, card, mandate and the time left', () => {
    const text = textOf();
    for (const part of [
      'Aprovar este pagamento? Agente de viagens quer comprar',
      ' R$\u00a02.279,80 ',
      'Agente Agente de viagens',
      'Compra Voo AL4101, REC–FEN (Fernando de Noronha), tarifa Clássica',
      'Passageiros 2 × R$\u00a01.139,90',
      'Cartão Visa final 3220',
      'Mandato Teto de R$\u00a03.000,00; depois desta compra, R$\u00a0720,20 disponíveis',
      'Prazo para decidir 9 min 50 s , até 31 jan. 2026, 09:09',
      'Você entrou como ana@example.com',
      'Você está em alcada.example',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('piloto');
  });

  it('leads nowhere else while it waits for a decision, and on to the order afterwards', () => {
    const linksOf = (status: ChallengeStatus) =>
      [...challengePage({ ...content, ...inState(status) }).html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(
        ([, to]) => to,
      );
    expect(linksOf('waiting')).toEqual([]);
    const order = `/conta/pedidos/${content.challenge.orderId}`;
    for (const status of ['approved', 'paid', 'denied', 'expired', 'not completed', 'failed'] as const)
      expect(linksOf(status)).toEqual(['/', '/conta', '/conta/viagens', order]);
  });

  it('marks the pilot, whose secret everybody knows', () => {
    expect(textOf({ agent: { name: 'Cliente', pilot: true } })).toContain('cliente piloto de testes');
  });

  it('counts the time to the end of the mandate where that comes first', () => {
    const mandate = { ...content.mandate, expiresAt: plus(NOW, 45_000) };
    expect(textOf({ mandate })).toContain('Prazo para decidir 45 s , até 31 jan. 2026, 09:00');
  });

  it('shows names as text, whatever is in them', () => {
    const { html } = challengePage({ ...content, agent: { name: '<b onclick="x()">Agente</b>', pilot: false } });
    expect(html).toContain('&lt;b onclick=&quot;x()&quot;&gt;Agente&lt;/b&gt;');
    expect(html).not.toContain('<b ');
  });

  it.each<[ChallengeStatus, string, RegExp]>([
    ['waiting', 'Aprovar este pagamento?', /Nada é cobrado antes da sua aprovação/],
    ['approved', 'Pagamento aprovado', /Nada foi cobrado ainda.*Prazo do agente 9 min 50 s/],
    ['paid', 'Compra concluída', /R\$\u00a02\.279,80 foram cobrados/],
    ['denied', 'Pagamento recusado', /Você recusou\. Nada foi cobrado/],
    ['expired', 'O prazo acabou', /não foi concluída até 31 de janeiro de 2026, 09:09.*Nada foi cobrado/],
    [
      'not completed',
      'Compra não concluída a tempo',
      /Você aprovou, mas Agente de viagens não concluiu a compra até 31 de janeiro de 2026, 09:09.*Nada foi cobrado/,
    ],
    ['failed', 'Compra não concluída', /foi encerrado.*Nada foi cobrado/],
  ])('says what stands: %s', (status, title, words) => {
    const { html } = challengePage({ ...content, ...inState(status) });
    expect(html).toContain(`<h1>${title}</h1>`);
    expect(html).toContain(`<title>${title} · Alçada</title>`);
    expect(textOf(inState(status))).toMatch(words);
  });

  it('is looked at again, with or without a script, while the agent may still complete what was approved', () => {
    const isFollowed = (status: ChallengeStatus) =>
      challengePage({ ...content, ...inState(status) }).html.includes('http-equiv="refresh"');
    expect(isFollowed('approved')).toBe(true);
    for (const status of ['waiting', 'paid', 'denied', 'expired', 'failed'] as const)
      expect([status, isFollowed(status)]).toEqual([status, false]);
  });

  it('has the two buttons while the challenge waits, and never afterwards', () => {
    const buttonsIn = (status: ChallengeStatus) =>
      [...challengePage({ ...content, ...inState(status) }).html.matchAll(/name="decision" value="(\w+)"/g)].map(
        ([, value]) => value,
      );
    expect(buttonsIn('waiting')).toEqual(['approve', 'deny']);
    for (const status of ['approved', 'paid', 'denied', 'expired', 'not completed', 'failed'] as const)
      expect(buttonsIn(status)).toEqual([]);
  });
});
