import type { BaseUrls } from '#http';
import type { Scope } from '#kernel';
import { html, type Html, type Page } from '#site';
import { type CapField, capField } from './cap-field.js';
import { oauthPage } from './oauth-page.js';
import { SCOPE_WORDS } from './scope-words.js';

/** What the consent page needs to know. */
export interface ConsentPageContent {
  readonly hidden: Html;
  /** Who is logged in, with a way out. */
  readonly leave: Html | null;
  readonly client: { readonly name: string; readonly pilot: boolean };
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  readonly cap: CapField;
  readonly urls: BaseUrls;
}

const power = (scope: Scope) => {
  const { text, isMoney } = SCOPE_WORDS[scope];
  return html`<li>${text}${isMoney && html`<span class="tag">Envolve dinheiro</span>`}</li>`;
};

/** Where the browser goes next, as a person reads it. */
const destination = (redirectUri: string): string => {
  const { host, protocol } = new URL(redirectUri);
  return host || `o aplicativo ${protocol}`;
};

/**
 * "Autorizar?": who asks, for what, in whose name, how much it may spend, and where the answer goes. The first button is
 * what Enter in the cap's field presses: nobody writes a cap in order to refuse.
 */
export const consentPage = (content: ConsentPageContent): Page => {
  const { hidden, leave, client, redirectUri, scopes, cap, urls } = content;
  return oauthPage({
    status: cap.isUnreadable ? 422 : 200,
    title: cap.isUnreadable ? 'Limite inválido' : `Autorizar ${client.name}`,
    urls,
    redirectUri,
    content: html`<h1>Autorizar <span class="name">${client.name}</span>?</h1>
      ${client.pilot && html`<p class="badge">cliente piloto de testes</p>`}
      <h2 id="poderes">Este agente poderá, em seu nome:</h2>
      <ul class="powers" role="list" aria-labelledby="poderes">
        ${scopes.map(power)}
      </ul>
      <p class="small note">
        Autorizar não gasta nada: cada cobrança ainda precisa de um mandato, com teto de valor e prazo, que você pode
        revogar.
      </p>
      ${leave}
      <form method="post" action="/oauth/consent">
        ${hidden} ${capField(cap)}
        <div class="choices">
          <button type="submit" name="decision" value="approve">Autorizar</button>
          <button class="quiet" type="submit" name="decision" value="deny">Recusar</button>
        </div>
      </form>
      <p class="small note">Depois de decidir, você volta para <strong>${destination(redirectUri)}</strong>.</p>`,
  });
};
