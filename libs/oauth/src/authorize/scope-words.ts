import type { Scope } from '#kernel';
import { html, type Html } from '#site';

type Power = 'see' | 'book' | 'spend';

interface ScopeWords {
  readonly text: string;
  readonly en: string;
  readonly power: Power;
}

/** What a scope allows an agent to do, in a traveller's words. */
export const SCOPE_WORDS: Readonly<Record<Scope, ScopeWords>> = {
  'catalog:read': {
    text: 'Consultar voos, tarifas, horários e disponibilidade',
    en: 'Read flights, fares, times and availability',
    power: 'see',
  },
  'booking:write': { text: 'Criar e alterar reservas de voo', en: 'Create and change bookings', power: 'book' },
  'order:write': {
    text: 'Confirmar reservas, emitir bilhetes e cancelar o que comprou',
    en: 'Confirm bookings, issue tickets and cancel what it bought',
    power: 'spend',
  },
  'mandate:create': {
    text: 'Criar e encerrar mandatos, com teto de valor e prazo',
    en: 'Create and revoke payment mandates, with a ceiling and a validity',
    power: 'spend',
  },
  'payment:execute': {
    text: 'Cobrar dentro do teto de um mandato válido',
    en: 'Charge within the ceiling of a valid mandate',
    power: 'spend',
  },
  'receipt:read': {
    text: 'Ler seus recibos, itinerários e histórico de bilhetes',
    en: 'Read receipts, itineraries and past tickets',
    power: 'see',
  },
  'webhook:manage': {
    text: 'Receber avisos, no endereço dele na internet, do que acontece com suas compras e mandatos',
    en: 'Be notified, at its own internet address, of what happens to your orders and mandates',
    power: 'see',
  },
};

const POWERS: readonly (readonly [power: Power, term: string])[] = [
  ['see', 'Pode ver'],
  ['book', 'Pode reservar'],
  ['spend', 'Pode gastar'],
];

const textsOf = (scopes: readonly Scope[], power: Power): readonly string[] =>
  scopes.filter((scope) => SCOPE_WORDS[scope].power === power).map((scope) => SCOPE_WORDS[scope].text);

export const maySpend = (scopes: readonly Scope[]): boolean => textsOf(scopes, 'spend').length > 0;

/** Whether all that they allow is to look. */
export const onlyReads = (scopes: readonly Scope[]): boolean =>
  scopes.every((scope) => SCOPE_WORDS[scope].power === 'see');

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
