import type { Airport } from '#catalog';
import { type BaseUrls, isLoopback } from '#http';
import type { Instant, Scope } from '#kernel';
import { AT_MOST_SCRIPT, formTarget, html, type Html, page, type Page } from '#site';
import type { StoredClient } from '../clients/clients.js';
import { UNVERIFIED } from '../clients/client-name.js';
import { amountNumber } from './amount-number.js';
import { modeChoice, modeWords } from './approval-mode.js';
import { approveText, type AtMost, atMostText, shownField, totalText } from './at-most.js';
import type { MandateDetail } from './authorization-details.js';
import { capChoice, type CapField, capNotes, capProblem, describedBy } from './cap-field.js';
import { askedAmounts, line } from './consent-lines.js';
import type { MandateEntry } from './mandate-fields.js';
import { maySpend, onlyReads, powersList } from './scope-words.js';

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
  readonly entries: readonly MandateEntry[];
  /** The airports of the flights on sale: the mandates may be narrowed to a city of them. */
  readonly onSale: readonly Airport[];
  readonly problem: Html | null;
  /** Whether it comes back since the button said something else than the form. */
  readonly isChanged: boolean;
  readonly now: Instant;
  readonly urls: BaseUrls;
}

/** Who asks, one number and its conditions, and a button that says what it grants; all else is folded below it. */
export const consentPage = (content: ConsentPageContent): Page => {
  const { hidden, logout, client, redirectUri, scopes, cap, problem, isChanged, urls } = content;
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
      content: html`${whoAsks(content)} ${unverifiedNotice(client, redirectUri)} ${problem} ${capProblem(cap)}
        ${isChanged && html`<p class="outcome" role="status">Confira o valor no botão. Nada foi autorizado ainda.</p>`}
        <form class="consent" method="post" action="/oauth/consent">
          ${hidden} ${LOOK_AGAIN} ${spends && shownField(content.atMost)} ${amounts(content)}
          ${spends && atMostText(content.atMost)}
          <div class="choices">
            <button type="submit" name="decision" value="approve">
              ${spends ? approveText(content.atMost) : 'Autorizar'}
            </button>
            <button class="quiet" type="submit" name="decision" value="deny">Recusar</button>
          </div>
          <div class="lines">
            ${furtherPurchases(content)} ${line(html`O que ele pode <strong>ver e fazer</strong>`, powersList(scopes))}
            ${verified(content)}
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

/** Enter in a field presses the first button of a form: this one shows the page again, and grants nothing. */
const LOOK_AGAIN = html`<button
  class="visually-hidden"
  type="submit"
  name="step"
  value="look"
  tabindex="-1"
  aria-hidden="true"
>
  Conferir
</button>`;

/** Whether it asks for no mandate and may open some: its cap is then the number that the page is about. */
export const isAboutCap = ({
  scopes,
  details,
  atMost: { mayOpen },
}: Pick<ConsentPageContent, 'scopes' | 'details'> & { readonly atMost: Pick<AtMost, 'mayOpen'> }): boolean =>
  details.length === 0 && mayOpen && !onlyReads(scopes);

const isAboutMoney = (content: ConsentPageContent): boolean =>
  maySpend(content.scopes) || content.details.length > 0 || isAboutCap(content);

const destination = (redirectUri: string): string => {
  const { host, protocol } = new URL(redirectUri);
  return host || `o aplicativo ${protocol}`;
};

const whoAsks = (content: ConsentPageContent): Html => {
  const { client, redirectUri } = content;
  const name = html`<span class="name">${client.name}</span>`;
  const question = isAboutMoney(content) ? html`Permitir que ${name} compre voos para você?` : html`Autorizar ${name}?`;
  return html`<div class="asker">
    <span class="face" aria-hidden="true"
      >${String.fromCodePoint(client.name.codePointAt(0) ?? 0x20).toUpperCase()}</span
    >
    <h1>${question}</h1>
    <p class="small">
      ${hostsOf(client, redirectUri).join(', ')}${client.pilot && html` <span class="badge">cliente piloto de testes</span>`}
    </p>
  </div>`;
};

/** Where it says it comes from, and where the answer goes. */
const hostsOf = ({ metadataUrl }: ConsentPageContent['client'], redirectUri: string): readonly string[] => {
  const to = isLoopback(new URL(redirectUri).host) ? 'um programa neste computador' : destination(redirectUri);
  return [...new Set([...(metadataUrl === undefined ? [] : [new URL(metadataUrl).host]), to])];
};

/** Whose agent it is, where that is certain. It does not say that they can be trusted. */
const verified = ({ signedBy }: ConsentPageContent): Html | false =>
  signedBy !== null &&
  line(
    html`<strong>Identidade verificada:</strong> assinado por <strong>${signedBy}</strong>`,
    html`<p class="small">
      Este pedido foi assinado com uma chave que esse site publica. Isso mostra quem pede, não se merece confiança.
    </p>`,
  );

/** What it may spend: in the mandates that it asks for, or in all. */
const amounts = (content: ConsentPageContent): Html | false => {
  const { details, problem, atMost } = content;
  if (details.length > 0) return askedAmounts({ ...content, total: totalText(atMost), isWrong: problem !== null });
  return isAboutCap(content) && capNumber(content);
};

/** The cap as the one number, and how the agent gets to spend it. */
const capNumber = (content: ConsentPageContent): Html => {
  const { cap } = content;
  const isNone = cap.entry === '' && cap.problem === null;
  return html`${amountNumber({
      name: 'cap',
      label: html`Pode gastar até<span class="visually-hidden">, em reais, ao todo</span>`,
      entry: cap.entry,
      currency: 'BRL',
      attributes: html`placeholder="sem limite" ${describedBy(cap)}`,
    })}
    <input
      name="cap-choice"
      value="typed"
      aria-label="Limite escrito"
      autocomplete="off"
      readonly
      hidden
      ${isNone && html`disabled`}
    />
    <div class="lines">
      ${line(
        html`<span data-cap="some" ${isNone && html`hidden`}>ao todo, em <strong>quantas compras quiser</strong></span
          ><span data-cap="none" ${!isNone && html`hidden`}>ao todo, <strong>sem limite</strong></span>`,
        html`${capNotes(cap)} <button class="quiet" type="submit" name="step" value="cap x">Sem limite total</button>`,
      )}
      ${line(modeWords(content.atMost.asksFirst), mode(content, 'Novas compras'))}
      ${line(
        html`até <strong>você revogar</strong>, em <strong>qualquer voo</strong>`,
        html`<p class="small">
          Você revoga quando quiser, em Sua conta. Cada permissão que ele abre para comprar vale no máximo 7 dias.
        </p>`,
      )}
    </div>`;
};

/** Whether it asks before further purchases, of an agent that may open mandates. */
const mode = ({ atMost: { asksFirst, isStranger }, present }: ConsentPageContent, legend: string): Html => {
  const notes = [...(present === null ? [] : [present]), ...(isStranger ? [STRANGERS_ASK] : [])];
  return modeChoice(asksFirst, legend, notes.length > 0 ? notes.join(' ') : null);
};

const STRANGERS_ASK = 'Sem limite total, ele sempre pergunta a você: ninguém conferiu quem ele é.';

/** What it may do beside what the page is about: buy more, within a cap. */
const furtherPurchases = (content: ConsentPageContent): Html | false => {
  const { cap, details, scopes, atMost } = content;
  // An agent that only reads has no use for a limit; one it has stays as it is.
  if (isAboutCap(content) || (details.length === 0 && onlyReads(scopes))) return false;
  const limit = html`${capChoice(cap, 'Limite total de gastos')} ${capNotes(cap)}`;
  return atMost.mayOpen
    ? line(
        html`Outras compras: ${modeWords(atMost.asksFirst)}${cap.entry !== '' && `, limite total ${capText(cap)}`}`,
        html`${mode(content, 'Outras compras, além desta')} ${limit}`,
        cap.problem !== null,
      )
    : line(html`Limite total deste agente: ${capText(cap)}`, limit, cap.problem !== null);
};

const capText = ({ entry, problem }: CapField): string =>
  problem !== null ? 'o que você escreveu' : entry === '' ? 'sem limite' : `R$\u00a0${entry}`;

/** What the consent page says of a client that nobody registered: who it claims to be, and where that comes from. */
const unverifiedNotice = (
  { registration, metadataUrl }: Pick<StoredClient, 'registration' | 'metadataUrl'>,
  redirectUri: string,
): Html | false =>
  registration !== undefined &&
  html`<details class="unverified">
    <summary>
      <span><span class="badge">${UNVERIFIED}</span> Só autorize se foi você quem começou este pedido.</span>
    </summary>
    ${origin(metadataUrl)}
    <p>A resposta vai para ${receiver(redirectUri)}. Só autorize se você confia nele.</p>
  </details>`;

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
