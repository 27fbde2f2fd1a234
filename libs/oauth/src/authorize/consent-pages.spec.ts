import { baseUrlsAt } from '#http';
import { type Constraints } from '#events';
import type { Airport, FlightDocuments } from '#catalog';
import { money, Unavailable } from '#kernel';
import { html } from '#site';
import { capNotes } from './cap-field.js';
import { airportsOnSale } from './city-choice.js';
import { consentPage, type ConsentPageContent } from './consent.page.js';
import { consentPath } from './consent-target.js';
import { constraintWords, entryOf } from './mandate-fields.js';

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

const NOW = '2026-11-27T19:05:00.000Z';
const NOTHING = money(0, 'BRL');
const spending = { spent: NOTHING, committed: NOTHING };
const cap = { id: 'limite', entry: '', problem: null, spending };
const atMost = {
  granted: [],
  open: [],
  spent: NOTHING,
  cap: null,
  asksFirst: false,
  mayOpen: true,
  isStranger: false,
  already: undefined,
};
const asked = {
  mandateId: 'm1',
  scope: ['order:write', 'payment:execute'],
  limit: money(500_00, 'BRL'),
  minutes: 60,
} as const;

const airport = (code: string, city: string, isOrigin = true) => {
  return { code, city, name: null, isOrigin, isDestination: true };
};
const ON_SALE = [
  airport('REC', 'Recife'),
  airport('CGH', 'São Paulo'),
  airport('GRU', 'São Paulo'),
  airport('FEN', 'Noronha', false),
];

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
    entries: (change.details ?? []).map(entryOf),
    onSale: ON_SALE,
    problem: null,
    isChanged: false,
    now: NOW,
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
    expect(mode({})).toContain('<legend>Novas compras</legend>');
    expect(mode({ details: [asked] })).toContain('<legend>Outras compras, além desta</legend>');
    expect(mode({ atMost: { ...atMost, mayOpen: false } })).toBe('');
  });

  it('says beside that how the agent is let in, and what is so of one that nobody knows', () => {
    const stranger = { atMost: { ...atMost, isStranger: true } };
    const present = 'Hoje ele abre mandatos sozinho.';
    expect(mode({})).not.toContain('<p');
    expect(mode({ present })).toContain(`<p class="small note">${present}</p>`);
    expect(mode(stranger)).toContain('<p class="small note">Sem limite total, ele sempre pergunta a você');
    expect(mode({ ...stranger, present })).toContain(`${present} Sem limite total`);
  });

  it('counts the mandates that are asked for, where there are several, and says what for', () => {
    expect(shown({ details: [asked] })).toContain('aria-label="Compra pedida"');
    expect(shown({ details: [asked] })).not.toContain('Para quê');
    const several = shown({ details: [asked, { ...asked, mandateId: 'm2', purpose: 'Férias' }] });
    for (const title of ['Compra 1 de 2', 'Compra 2 de 2']) expect(several).toContain(`aria-label="${title}"`);
    expect(several.match(/Para quê, diz o agente: <q>Férias<\/q>/g)).toHaveLength(1);
  });

  it('says as one sentence in how many purchases, until when and for which flights', () => {
    const lines = (constraints: Constraints, minutes = 60) => {
      const page = shown({ details: [{ ...asked, constraints, minutes }] });
      const summaries = [...page.matchAll(/<summary>([^]*?)<\/summary>/g)].slice(0, 3);
      return summaries.map(([, words = '']) => words.replace(/<[^>]*>/g, '').trim());
    };
    expect(lines({})).toEqual(['em quantas compras quiser', 'até hoje, 17:05', 'em qualquer voo']);
    expect(lines({ maxOrders: 1, to: ['REC'] }, 1_440)).toEqual([
      'em uma compra',
      'até amanhã, 16:05',
      'voos para Recife',
    ]);
    expect(lines({ maxOrders: 2, from: ['GRU'], to: ['REC', 'ZZZ'] }, 10_080)).toEqual([
      'em até 2 compras',
      'até 4 de dez., 16:05',
      'voos de São Paulo para Recife ou ZZZ',
    ]);
  });

  it('folds each of several to a line, unless it is changed, below what they come to', () => {
    const details = [asked, { ...asked, mandateId: 'm2', constraints: { to: ['REC'] } }];
    const granted = [money(500_00, 'BRL'), money(300_00, 'BRL')];
    const entries = [entryOf(asked), { ...entryOf(asked), limit: '300,00' }];
    const page = shown({ details, entries, atMost: { ...atMost, granted } });
    expect(page).toContain('Para 2 compras, até <strong data-total>R$\u00a0800,00</strong>');
    const lines = [...page.matchAll(/<details class="line" (open)?\s*>\s*<summary>([^]*?)<\/summary>/g)];
    const folded = lines.map(([, open, words = '']) => [
      open,
      words
        .replace(/<[^>]*>/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    ]);
    expect(folded.filter(([, words]) => words?.startsWith('Compra '))).toEqual([
      [undefined, 'Compra 1 de 2: até R$ 500,00 em qualquer voo, até hoje, 17:05'],
      ['open', 'Compra 2 de 2: até R$ 300,00 voos para Recife, até hoje, 17:05'],
    ]);
  });

  it('offers a city of those that are asked for, or else of all on sale, at either end', () => {
    const offered = (constraints: Constraints) =>
      [...shown({ details: [{ ...asked, constraints }] }).matchAll(/<select id="(from|to)-1"[^]*?<\/select>/g)].map(
        ([options, end]) => [end, ...[...options.matchAll(/<option[^>]*>([^<]*)</g)].map(([, text]) => text)],
      );
    const anywhere = ['Qualquer cidade', 'Recife (REC)', 'São Paulo (CGH, GRU)'];
    expect(offered({})).toEqual([
      ['from', ...anywhere],
      ['to', ...anywhere, 'Noronha (FEN)'],
    ]);
    expect(offered({ from: ['GRU', 'CGH'], to: ['GRU', 'REC', 'CGH'] })).toEqual([
      ['to', 'São Paulo ou Recife, como pediu', 'São Paulo (GRU, CGH)', 'Recife (REC)'],
    ]);
    expect(offered({ from: ['GRU'], to: ['ZZZ'] })).toEqual([]);
  });

  it('reads what is on sale where a city can be chosen, and does without where nobody can tell', async () => {
    class Down extends Unavailable {}
    const selling = (airports: () => Promise<readonly Airport[]>) =>
      airportsOnSale({ airports } as unknown as FlightDocuments, [{ constraints: { from: ['GRU'] } }]);
    expect(await selling(() => Promise.resolve(ON_SALE))).toEqual(ON_SALE);
    expect(await selling(() => Promise.reject(new Down()))).toEqual([]);
    await expect(selling(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('begins its form with a button that grants nothing: Enter in a field presses it', () => {
    const [, first] = /<button[^>]*name="([^"]*)"/.exec(shown({})) ?? [];
    expect(first).toBe('step');
  });

  it('says the present cap where it is folded, and what is wrong with one where there is that', () => {
    expect(shown({})).not.toContain('limite-problema');
    expect(shown({ cap: { ...cap, problem: 'unreadable' } })).toContain('limite-problema');
    const folded = shown({ details: [asked], cap: { ...cap, entry: '500,00' } });
    expect(folded).toContain('limite total R$\u00a0500,00');
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
    [{ maxOrders: 1 }, ['Uma única compra']],
    [{ maxOrders: 2 }, ['No máximo 2 compras']],
  ])('of %j is said in words', (constraints, words) => {
    expect(constraintWords(constraints)).toEqual(words);
  });
});
