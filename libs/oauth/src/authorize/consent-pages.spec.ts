import { baseUrlsAt } from '#http';
import { type Constraints } from '#events';
import { money } from '#kernel';
import { html } from '#site';
import { capNotes } from './cap-field.js';
import { consentPath } from './consent-ending.page.js';
import { consentPage, type ConsentPageContent } from './consent.page.js';
import { constraintWords } from './mandate-fields.js';

describe('the consent page of a request', () => {
  it.each(['//evil.example', 'https://evil.example', '../x', 'a?b#c', '\\evil.example'])(
    'is never at an address that the request names: %s',
    (id) => {
      const url = new URL(consentPath(id), 'https://entrar.example');
      expect([url.origin, url.pathname.split('/').length, url.search, url.hash]).toEqual([
        'https://entrar.example',
        4,
        '',
        '',
      ]);
    },
  );
});

const NOTHING = money(0, 'BRL');
const spending = { spent: NOTHING, committed: NOTHING };
const cap = { id: 'limite', entry: '', problem: null, spending };
const atMost = { granted: [], open: [], spent: NOTHING, cap: null, asksFirst: false, mayOpen: true, isStranger: false };
const asked = {
  mandateId: 'm1',
  scope: ['order:write', 'payment:execute'],
  limit: money(500_00, 'BRL'),
  minutes: 60,
} as const;

/** The page of an agent that may open mandates, as text with its markup. */
const shown = (change: Partial<ConsentPageContent>): string => {
  const content: ConsentPageContent = {
    hidden: html``,
    logout: null,
    client: { name: 'Agente', pilot: false },
    redirectUri: 'https://agente.example/volta',
    signedBy: null,
    scopes: ['mandate:create', 'payment:execute'],
    cap,
    atMost,
    present: null,
    details: [],
    entries: null,
    problem: null,
    urls: baseUrlsAt('https://alcada.example'),
    ...change,
  };
  return consentPage(content).html;
};

/** What is asked about mandates that the page does not name. */
const mode = (change: Partial<ConsentPageContent>): string =>
  /<fieldset class="mode">[^]*?<\/fieldset>/.exec(shown(change))?.[0] ?? '';

describe('the consent page', () => {
  it('asks who opens mandates: of an agent that asks for some, beside those', () => {
    expect(mode({})).toContain('<legend>Novos mandatos de pagamento</legend>');
    expect(mode({ details: [asked] })).toContain('<legend>Outros mandatos, além deste pedido</legend>');
    expect(mode({ atMost: { ...atMost, mayOpen: false } })).toBe('');
  });

  it('says beside that how the agent is let in, and what is so of one that nobody knows', () => {
    const stranger = { atMost: { ...atMost, isStranger: true } };
    const present = 'Hoje ele abre mandatos sozinho.';
    expect(mode({})).not.toContain('<p');
    expect(mode({ present })).toContain(`<p class="small note">${present}</p>`);
    expect(mode(stranger)).toContain('<p class="small note">Sem limite total, ele sempre pede a sua permissão');
    expect(mode({ ...stranger, present })).toContain(`${present} Sem limite total`);
  });

  it('counts the mandates that are asked for, where there are several, and says what for', () => {
    expect(shown({ details: [asked] })).toContain('aria-label="Mandato pedido"');
    expect(shown({ details: [asked] })).not.toContain('Para quê');
    const several = shown({ details: [asked, { ...asked, mandateId: 'm2', purpose: 'Férias' }] });
    for (const title of ['Mandato 1 de 2', 'Mandato 2 de 2']) expect(several).toContain(`<h2>${title}</h2>`);
    expect(several.match(/Para quê, diz o agente: <q>Férias<\/q>/g)).toHaveLength(1);
  });

  it('says of a mandate that it pays for any flight, unless one end of the trip is named', () => {
    const anyFlight = (constraints: Constraints) =>
      shown({ details: [{ ...asked, constraints }] }).includes('Em qualquer voo');
    expect(anyFlight({ maxOrders: 1 })).toBe(true);
    for (const constraints of [{ from: ['GRU'] }, { to: ['REC'] }]) expect(anyFlight(constraints)).toBe(false);
  });

  it('offers round caps, says the present one where it is folded, and what is wrong with one where there is that', () => {
    expect(shown({})).toContain('value="1.000,00"');
    expect(shown({})).not.toContain('limite-problema');
    expect(shown({ cap: { ...cap, problem: 'unreadable' } })).toContain('limite-problema');
    expect(shown({ details: [asked] })).toContain('Limite total deste agente: sem limite');
    const folded = shown({ details: [asked], cap: { ...cap, entry: '500,00' } });
    expect(folded).toContain('Limite total deste agente: R$\u00a0500,00');
  });
});

describe('what a cap does', () => {
  it('says what counts against it from the first cent on, and else nothing', () => {
    const cent = money(1, 'BRL');
    const notes = (one: Partial<typeof spending>) => capNotes({ ...cap, spending: { ...spending, ...one } }).text;
    expect(notes({})).not.toContain('0,01');
    for (const one of [{ spent: cent }, { committed: cent }]) expect(notes(one)).toContain('0,01');
  });
});

describe('what a mandate demands beside its ceiling', () => {
  it.each<[Constraints, readonly string[]]>([
    [{}, []],
    [{ from: ['GRU', 'ZZZ'] }, ['Só voos que saem de São Paulo (GRU) ou ZZZ']],
    [{ to: ['REC'] }, ['Só voos para Recife (REC)']],
    [{ maxPricePerSeat: money(500_00, 'BRL') }, ['Até R$\u00a0500,00 por assento']],
    [{ maxOrders: 1 }, ['Um pedido só']],
    [{ maxOrders: 2 }, ['No máximo 2 pedidos']],
  ])('of %j is said in words', (constraints, words) => {
    expect(constraintWords(constraints)).toEqual(words);
  });
});
