import type { BaseUrls } from '#http';
import type { Scope } from '#kernel';
import { formTarget, html, type Html, page, type Page } from '#site';
import type { MandateDetail } from './authorization-details.js';
import { type CapField, capField } from './cap-field.js';
import { type MandateEntry, mandateFields } from './mandate-fields.js';

/** What a scope allows an agent to do, in a traveller's words. `isMoney`: whether it can lead to a charge. */
export const SCOPE_WORDS: Readonly<Record<Scope, { readonly text: string; readonly isMoney: boolean }>> = {
  'catalog:read': { text: 'Consultar voos, tarifas, horários e disponibilidade', isMoney: false },
  'booking:write': { text: 'Criar e alterar reservas de voo', isMoney: false },
  'order:write': { text: 'Confirmar reservas e emitir bilhetes', isMoney: true },
  'mandate:create': { text: 'Criar e revogar mandatos de pagamento, com teto de valor e prazo', isMoney: true },
  'payment:execute': { text: 'Cobrar dentro do teto de um mandato válido', isMoney: true },
  'receipt:read': { text: 'Ler seus recibos, itinerários e histórico de bilhetes', isMoney: false },
};

/** The content of the consent page. */
export interface ConsentPageContent {
  readonly hidden: Html;
  /** Who is logged in, with a button to log out. */
  readonly logout: Html | null;
  readonly client: { readonly name: string; readonly pilot: boolean };
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  readonly cap: CapField;
  /** The mandates it asks for, with what the traveller wrote instead, and why that cannot be; null: nothing is wrong. */
  readonly details: readonly MandateDetail[];
  readonly entries: readonly MandateEntry[] | null;
  readonly problem: Html | null;
  readonly urls: BaseUrls;
}

const power = (scope: Scope) => {
  const { text, isMoney } = SCOPE_WORDS[scope];
  return html`<li>${text}${isMoney && html`<span class="tag">Envolve dinheiro</span>`}</li>`;
};

const NO_MANDATE =
  'Autorizar não gasta nada: cada cobrança ainda precisa de um mandato, com teto de valor e prazo, que você pode revogar.';

/** Where the browser goes next, for a person to read. */
const destination = (redirectUri: string): string => {
  const { host, protocol } = new URL(redirectUri);
  return host || `o aplicativo ${protocol}`;
};

/**
 * "Autorizar?": who asks, for what, in whose name, how much it may spend, and where the answer goes. The first button
 * approves, because Enter in the cap's field presses it, and nobody enters a cap in order to refuse.
 */
export const consentPage = (content: ConsentPageContent): Page => {
  const { hidden, logout, client, redirectUri, scopes, cap, details, entries, problem, urls } = content;
  const isWrong = cap.isUnreadable || problem !== null;
  return {
    status: isWrong ? 422 : 200,
    // Chromium counts the redirect after a form's POST as the form's target too.
    formTargets: [formTarget(redirectUri)],
    html: page({
      title: isWrong ? 'Limite inválido' : `Autorizar ${client.name}`,
      host: new URL(urls.auth).host,
      content: html`<h1>Autorizar <span class="name">${client.name}</span>?</h1>
        ${client.pilot && html`<p class="badge">cliente piloto de testes</p>`} ${problem}
        <h2 id="poderes">Este agente poderá, em seu nome:</h2>
        <ul class="powers" role="list" aria-labelledby="poderes">
          ${scopes.map(power)}
        </ul>
        <p class="small note">
          ${details.length === 0 ? NO_MANDATE : 'Autorizar ainda não gasta nada: o agente só cobra até o limite que você definir, e você pode revogá-lo.'}
        </p>
        ${logout}
        <form method="post" action="/oauth/consent">
          ${hidden} ${mandateFields(details, entries)} ${capField(cap)}
          <div class="choices">
            <button type="submit" name="decision" value="approve">Autorizar</button>
            <button class="quiet" type="submit" name="decision" value="deny">Recusar</button>
          </div>
        </form>
        <p class="small note">Depois de decidir, você volta para <strong>${destination(redirectUri)}</strong>.</p>`,
    }),
  };
};
