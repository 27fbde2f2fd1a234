import { money } from '#kernel';
import { type AtMost, atMostText } from './at-most.js';

const brl = (amount: number) => money(amount, 'BRL');
const NOTHING: AtMost = {
  granted: [],
  open: [],
  spent: brl(0),
  cap: null,
  asksFirst: false,
  mayOpen: false,
  isStranger: false,
  already: undefined,
};

/** What is shown: the one text that is not hidden, as people read it. */
const shown = (content: Partial<AtMost>): string => {
  const { text } = atMostText({ ...NOTHING, ...content });
  const texts = [...text.matchAll(/<span data-when="[^"]+" (hidden)?\s*>([^]*?)<\/span>/g)];
  expect(texts).toHaveLength(6);
  const open = texts.flatMap(([, hidden, inner = '']) => (hidden === undefined ? [inner] : []));
  expect(open).toHaveLength(1);
  return (open[0] ?? '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
};

describe('what an agent could spend at most', () => {
  it.each<[what: string, content: Partial<AtMost>, text: string]>([
    ['nothing, where nothing is granted', {}, 'Não gasta nada.'],
    ['nothing, where it has to ask', { mayOpen: true, asksFirst: true }, 'Não gasta nada sem a sua permissão.'],
    [
      'its cap, for each of which it has to ask',
      { mayOpen: true, asksFirst: true, cap: brl(500_00), spent: brl(20_00) },
      'Pergunta a você antes de cada compra, até R$ 480,00 ao todo.',
    ],
    ['nothing, where nobody knows it', { mayOpen: true, isStranger: true }, 'Não gasta nada sem a sua permissão.'],
    ['anything, without a cap', { mayOpen: true }, 'Pode gastar sem limite, em quantas compras quiser.'],
    [
      'a mandate, and anything beside it',
      { mayOpen: true, granted: [brl(700_00)] },
      'Aqui, só até o teto autorizado; em outras compras, pode gastar sem limite.',
    ],
    [
      'a mandate, and beside it what a cap lets it open already',
      { mayOpen: true, granted: [brl(700_00)], cap: brl(5_000_00), already: brl(5_000_00) },
      'Aqui, só até o teto autorizado. Em outras compras ele decide sozinho: no máximo R$ 5.000,00 ao todo.',
    ],
    [
      'a cap that is raised, with a mandate within it',
      { mayOpen: true, granted: [brl(700_00)], cap: brl(5_000_00), already: brl(500_00) },
      'Pode gastar no máximo R$ 5.000,00 ao todo.',
    ],
    [
      'what is left of its cap',
      { mayOpen: true, cap: brl(500_00), spent: brl(120_00) },
      'Pode gastar no máximo R$ 380,00 ao todo.',
    ],
    [
      'nothing of a cap that is spent',
      { mayOpen: true, cap: brl(100_00), spent: brl(120_00) },
      'Pode gastar no máximo R$ 0,00 ao todo.',
    ],
    [
      'what is typed, while that is no amount',
      { mayOpen: true, cap: 'unreadable' },
      'Pode gastar até o valor que você escrever.',
    ],
    ['what is typed for a mandate', { granted: [null] }, 'Pode gastar até o valor que você escrever.'],
    [
      'the mandates that are granted, and those that are open',
      { granted: [brl(10_00), brl(1)], open: [brl(5_00)] },
      'Pode gastar no máximo R$ 15,01 ao todo, com o que você já autorizou.',
    ],
    [
      'each currency by itself',
      { granted: [brl(10_00), money(7_00, 'USD')], open: [brl(0)] },
      'Pode gastar no máximo R$ 10,00 e US$ 7,00 ao todo.',
    ],
  ])('is %s', (_, content, text) => {
    expect(shown(content)).toBe(text);
  });
});
