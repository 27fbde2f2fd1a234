import { type BaseUrls, isLoopback } from '#http';
import type { Scope } from '#kernel';
import { AT_MOST_SCRIPT, formTarget, html, type Html, page, type Page } from '#site';
import type { StoredClient } from '../clients/clients.js';
import type { MandateDetail } from './authorization-details.js';
import { modeChoice } from './approval-mode.js';
import { type AtMost, atMostText } from './at-most.js';
import { capChoice, type CapField, capNotes } from './cap-field.js';
import { type MandateEntry, mandateFields } from './mandate-fields.js';
import { UNVERIFIED } from '../clients/client-name.js';

export interface ConsentPageContent {
  readonly hidden: Html;
  readonly logout: Html | null;
  readonly client: Pick<StoredClient, 'name' | 'pilot' | 'registration' | 'metadataUrl'>;
  readonly redirectUri: string;
  /** The host that is known to ask, since it signed the request; null: none is. */
  readonly signedBy: string | null;
  readonly scopes: readonly Scope[];
  readonly cap: CapField;
  /** What it could spend at most, as the form stands. */
  readonly atMost: AtMost;
  /** Whether it is let in already, and how; null: it is not. */
  readonly present: string | null;
  /** The mandates it asks for, with what the traveller wrote instead, and why that cannot be; null: nothing is wrong. */
  readonly details: readonly MandateDetail[];
  readonly entries: readonly MandateEntry[] | null;
  readonly problem: Html | null;
  readonly urls: BaseUrls;
}

const destination = (redirectUri: string): string => {
  const { host, protocol } = new URL(redirectUri);
  return host || `o aplicativo ${protocol}`;
};

/** Who asks, for how much, until when, and what else. The first button approves, because Enter in a field presses it. */
export const consentPage = (content: ConsentPageContent): Page => {
  const { hidden, logout, client, redirectUri, scopes, cap, problem, urls } = content;
  const isWrong = cap.problem !== null || problem !== null;
  const spends = isAboutMoney(content);
  return {
    status: isWrong ? 422 : 200,
    // Chromium counts the redirect after a form's POST as the form's target too.
    formTargets: [formTarget(redirectUri)],
    ...(spends && { scriptTargets: 'none' }),
    html: page({
      title: isWrong ? 'Limite inválido' : `Autorizar ${client.name}`,
      host: new URL(urls.auth).host,
      isDecision: true,
      ...(spends && { script: AT_MOST_SCRIPT }),
      content: html`${question(content)} ${client.pilot && html`<p class="badge">cliente piloto de testes</p>`}
        ${unverifiedNotice(client, redirectUri)} ${verified(content)} ${problem}
        <form class="consent" method="post" action="/oauth/consent">
          ${hidden} ${limits(content)} ${powersList(scopes)} ${restOfCap(content)}
          <div class="choices">
            ${spends && atMostText(content.atMost)}
            <button type="submit" name="decision" value="approve">Autorizar</button>
            <button class="quiet" type="submit" name="decision" value="deny">Recusar</button>
          </div>
        </form>
        ${logout}
        <p class="small note">
          ${spends && 'Autorizar ainda não cobra nada. '}Você pode voltar atrás em Sua conta. Depois de decidir, você
          volta para
          <strong>${destination(redirectUri)}</strong>.
        </p>`,
    }),
  };
};

const isAboutMoney = ({ scopes, details }: ConsentPageContent): boolean => maySpend(scopes) || details.length > 0;

const question = (content: ConsentPageContent): Html => {
  const name = html`<span class="name">${content.client.name}</span>`;
  return isAboutMoney(content)
    ? html`<h1>Permitir que ${name} compre voos para você?</h1>`
    : html`<h1>Autorizar ${name}?</h1>`;
};

/** Whose agent it is, where that is certain. It does not say that they can be trusted. */
const verified = ({ signedBy }: ConsentPageContent): Html | false =>
  signedBy !== null &&
  html`<p class="note">
    <strong>Identidade verificada:</strong> este pedido foi assinado por <strong>${signedBy}</strong>, com uma chave que
    esse site publica. Isso mostra quem pede, não se merece confiança.
  </p>`;

/** Whether it asks for no mandate and may open some itself: its cap is then the limit that the page is about. */
const isAboutCap = ({ scopes, details }: ConsentPageContent): boolean => details.length === 0 && maySpend(scopes);

/** Up to how much, until when, for which flights. */
const limits = (content: ConsentPageContent): Html =>
  isAboutCap(content)
    ? html`${capChoice(content.cap, 'Limite total de gastos')}
        <dl class="facts">
          <div>
            <dt>Até quando</dt>
            <dd>Até você revogar. Cada mandato que ele abre vale no máximo 7 dias.</dd>
          </div>
          <div>
            <dt>Quais voos</dt>
            <dd>Qualquer voo</dd>
          </div>
        </dl>
        ${mode(content)}`
    : html`${mandateFields(content.details, content.entries)} ${mode(content)}`;

/** Whether it asks for each mandate that the page does not name, of an agent that may open some. */
const mode = (content: ConsentPageContent): Html | false => {
  const { details, atMost, present } = content;
  const { asksFirst, isStranger, mayOpen } = atMost;
  if (!mayOpen || !isAboutMoney(content)) return false;
  const notes = [...(present === null ? [] : [present]), ...(isStranger ? [STRANGERS_ASK] : [])];
  const legend = details.length > 0 ? 'Outros mandatos, além deste pedido' : 'Novos mandatos de pagamento';
  return modeChoice(asksFirst, legend, notes.length > 0 ? notes.join(' ') : null);
};

const STRANGERS_ASK = 'Sem limite total, ele sempre pede a sua permissão: ninguém conferiu quem ele é.';

/** What else there is to a cap; one that the page is not about stays folded. */
const restOfCap = (content: ConsentPageContent): Html | false => {
  const { cap } = content;
  // An agent that only reads has no use for a limit; one it has stays as it is.
  if (content.details.length === 0 && content.scopes.every((scope) => SCOPE_WORDS[scope].power === 'see')) return false;
  if (isAboutCap(content)) return capNotes(cap);
  return html`<details ${cap.problem !== null && html`open`}>
    <summary>Limite total deste agente${cap.problem === null && `: ${capText(cap.entry)}`}</summary>
    ${capChoice(cap, 'Limite total de gastos')} ${capNotes(cap)}
  </details>`;
};

const capText = (entry: string): string => (entry === '' ? 'sem limite' : `R$\u00a0${entry}`);

/** What the consent page says of a client that nobody registered: who it claims to be, and where that comes from. */
export const unverifiedNotice = (
  { registration, metadataUrl }: Pick<StoredClient, 'registration' | 'metadataUrl'>,
  redirectUri: string,
): Html | false =>
  registration !== undefined &&
  html`<div class="unverified">
    <p><span class="badge">${UNVERIFIED}</span></p>
    ${origin(metadataUrl)}
    <p>
      A resposta vai para ${receiver(redirectUri)}. Só autorize se foi você quem começou este pedido e se confia nele.
    </p>
  </div>`;

const origin = (metadataUrl: string | undefined): Html =>
  metadataUrl === undefined
    ? html`<p>Este aplicativo se registrou sozinho: ninguém conferiu quem ele é, e o nome é o que ele diz de si.</p>`
    : html`<p>
        Ninguém conferiu quem é este aplicativo. Ele se apresenta pelo endereço de
        <strong>${new URL(metadataUrl).host}</strong>, e o nome é o que esse endereço diz:
        <span class="address">${metadataUrl}</span>
      </p>`;

const receiver = (redirectUri: string): Html => {
  const { host } = new URL(redirectUri);
  return isLoopback(host) ? html`um programa neste computador` : html`<strong>${host}</strong>`;
};

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
    text: 'Criar e revogar mandatos de pagamento, com teto de valor e prazo',
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
    text: 'Receber avisos, no endereço dele na internet, do que acontece com seus pedidos e mandatos',
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
