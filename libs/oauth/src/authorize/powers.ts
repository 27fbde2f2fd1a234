import type { Scope } from '#kernel';
import { html, type Html } from '#site';

/** What a scope is about, as the pages group them. */
type Power = 'see' | 'book' | 'spend';

/** What a scope allows an agent to do, in a traveller's words. */
export const SCOPE_WORDS: Readonly<Record<Scope, { readonly text: string; readonly power: Power }>> = {
  'catalog:read': { text: 'Consultar voos, tarifas, horários e disponibilidade', power: 'see' },
  'booking:write': { text: 'Criar e alterar reservas de voo', power: 'book' },
  'order:write': { text: 'Confirmar reservas e emitir bilhetes', power: 'spend' },
  'mandate:create': { text: 'Criar e revogar mandatos de pagamento, com teto de valor e prazo', power: 'spend' },
  'payment:execute': { text: 'Cobrar dentro do teto de um mandato válido', power: 'spend' },
  'receipt:read': { text: 'Ler seus recibos, itinerários e histórico de bilhetes', power: 'see' },
};

const POWERS: readonly (readonly [power: Power, term: string])[] = [
  ['see', 'Pode ver'],
  ['book', 'Pode reservar'],
  ['spend', 'Pode gastar'],
];

const textsOf = (scopes: readonly Scope[], power: Power): readonly string[] =>
  scopes.filter((scope) => SCOPE_WORDS[scope].power === power).map((scope) => SCOPE_WORDS[scope].text);

/** Whether these scopes let an agent spend a traveller's money. */
export const maySpend = (scopes: readonly Scope[]): boolean => textsOf(scopes, 'spend').length > 0;

/** What these scopes allow, grouped: to see, to book, to spend. */
export const powersList = (scopes: readonly Scope[]): Html => {
  const groups = POWERS.map(([power, term]) => ({ term, texts: textsOf(scopes, power) }));
  return html`<dl class="facts powers">
    ${groups
      .filter(({ texts }) => texts.length > 0)
      .map(
        ({ term, texts }) =>
          html`<div>
            <dt>${term}</dt>
            <dd>${texts.join('. ')}.</dd>
          </div>`,
      )}
  </dl>`;
};
