import { type AgentListItem, capOf } from '#mandate';
import { baseUrlsAt } from '#http';
import { type Money, money } from '#kernel';
import { agentEndPage } from '../agents/agent-end.page.js';
import { revokedRow } from '../agents/agents.page.js';
import { agentLimit, type AgentLimit } from './agent-limit.js';

const AT = '2026-01-31T12:00:00.000Z';
const session = {
  id: 's'.repeat(43),
  traveller: { holder: 'h', email: 'ana@example.com', loggedInAt: AT },
};
const delegation = (cap: Money | null): AgentListItem['delegation'] => ({
  status: 'authorized',
  openMandates: { m: { limit: money(200_00, 'BRL'), expiresAt: AT } },
  ending: [],
  closed: [],
  refunds: [],
  asksFirst: false,
  cap,
  spent: cap && { BRL: 50_00 },
});
const agent = (cap: Money | null = null): AgentListItem => ({
  holder: 'h',
  clientId: 'agente 1',
  scopes: ['booking:write', 'payment:execute'],
  authorizedAt: AT,
  revokedAt: null,
  delegation: delegation(cap),
});

const SPENDING = { spent: money(70_00, 'BRL'), committed: money(180_00, 'BRL') };
const markup = (cap: Money | null, change: Partial<AgentLimit> = {}, wrong: string | null = null): string => {
  const item = agent(cap);
  const use = { use: capOf(item.delegation), spending: SPENDING, wrong, fieldId: 'limite-1' };
  return agentLimit({
    agent: item,
    name: { name: 'Agente', pilot: false },
    cap: use,
    session,
    changed: null,
    ...change,
  }).text;
};
const textOf = (text: string): string => text.replace(/<[^>]*>/g, ' ').replace(/[ \n]+/g, ' ');

describe("an agent's card", () => {
  it('says who may do what, and whether anybody knows them', () => {
    const text = textOf(markup(null));
    for (const part of [
      'Agente verificado',
      'Criar e alterar reservas de voo',
      'Cobrar dentro do teto de um mandato válido',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('piloto');
    const stranger = { name: 'Bia (bia.example, não verificado)', pilot: false, title: 'Bia', hosts: ['bia.example'] };
    expect(textOf(markup(null, { name: stranger }))).toContain('Bia não verificado');
  });

  it.each([
    [false, 'ask', 'Exigir minha permissão'],
    [true, 'agent', 'Deixar decidir sozinho'],
  ])('offers the other way to buy: to one that asks first (%s), %s', (asksFirst, mode, does) => {
    const item = agent();
    const shown = markup(null, { agent: { ...item, delegation: { ...item.delegation, asksFirst } } });
    expect(/name="mode" value="([^"]*)">\s*([^<]*?)\s*</.exec(shown)?.slice(1)).toEqual([mode, does]);
  });

  it('has the cap in its field, with what is spent and what is committed of it, apart (rule 19)', () => {
    expect(markup(money(1500_00, 'BRL'))).toMatch(/name="cap"\s+value="1.500,00"/);
    expect(textOf(markup(money(1500_00, 'BRL')))).toContain(
      'Limite total de R$\u00a01.500,00 : R$\u00a070,00 gastos, R$\u00a0180,00 comprometidos, R$\u00a01.250,00 disponíveis.',
    );
    expect(markup(null)).toMatch(/name="cap"\s+value=""/);
  });

  it('keeps what was written where it cannot be read', () => {
    const text = markup(null, {}, '"1,500');
    expect(text).toMatch(/value="&quot;1,500"/);
    expect(text).toContain('aria-invalid="true"');
    expect(text).toContain('aria-describedby="limite-1-problema limite-1-ajuda limite-1-uso"');
  });

  it('shows names as text, whatever is in them', () => {
    expect(markup(null, { name: { name: '<b>x</b>', pilot: true } })).toContain('&lt;b&gt;x&lt;/b&gt;');
  });
});

describe('an agent that was revoked', () => {
  const revoked = (ending: readonly string[]): AgentListItem => ({
    ...agent(),
    revokedAt: AT,
    delegation: { ...delegation(null), status: 'revoked', ending },
  });
  const name = { name: 'Agente', pilot: false };
  const endPage = ({ delegation: state }: AgentListItem) =>
    agentEndPage({ clientId: 'a', name, delegation: state, session, urls: baseUrlsAt('https://alcada.example') }).html;

  it('is listed with its state, and has no form left once its mandates are at their end', () => {
    expect(textOf(revokedRow(revoked([]), name).text)).toContain('revogado Desde 31 jan. 2026');
    expect(endPage(revoked([]))).not.toContain('class="danger"');
  });

  it('leads back to a revocation that broke off, so that it can be finished', () => {
    expect(revokedRow(revoked(['m']), name).text).toContain('href="/conta/agentes/agente%201/revogar"');
    expect(endPage(revoked(['m']))).toContain('class="danger"');
  });

  it('was asked about with all that a revocation does', () => {
    const text = textOf(endPage(agent()));
    for (const part of ['param de valer na hora', 'O mandato aberto dele é revogado.', 'O que já foi pago continua'])
      expect(text).toContain(part);
  });
});
