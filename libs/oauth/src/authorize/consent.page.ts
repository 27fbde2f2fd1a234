import { Injectable } from '@nestjs/common';
import { capOf, delegations } from '#delegation';
import { Aggregates } from '#event-store';
import type { BaseUrls } from '#http';
import {
  CONFIRM_IDENTITY,
  hiddenFields,
  logoutForm,
  type ReturnTargetKind,
  type Session,
  type Traveller,
} from '#identity';
import type { Money, Scope } from '#kernel';
import { endedUnder, spendingOf } from '#mandate';
import { formTarget, html, type Html, page, type Page } from '#site';
import { Clients } from '../clients/clients.js';
import { AuthorizationRequests } from './authorization-requests.js';
import { capEntry, type CapField, capField } from './cap-field.js';
import { consentPath, endingPage } from './consent-ending.page.js';

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
  readonly urls: BaseUrls;
}

const power = (scope: Scope) => {
  const { text, isMoney } = SCOPE_WORDS[scope];
  return html`<li>${text}${isMoney && html`<span class="tag">Envolve dinheiro</span>`}</li>`;
};

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
  const { hidden, logout, client, redirectUri, scopes, cap, urls } = content;
  return {
    status: cap.isUnreadable ? 422 : 200,
    // Chromium counts the redirect after a form's POST as the form's target too.
    formTargets: [formTarget(redirectUri)],
    html: page({
      title: cap.isUnreadable ? 'Limite inválido' : `Autorizar ${client.name}`,
      host: new URL(urls.auth).host,
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
        ${logout}
        <form method="post" action="/oauth/consent">
          ${hidden} ${capField(cap)}
          <div class="choices">
            <button type="submit" name="decision" value="approve">Autorizar</button>
            <button class="quiet" type="submit" name="decision" value="deny">Recusar</button>
          </div>
        </form>
        <p class="small note">Depois de decidir, você volta para <strong>${destination(redirectUri)}</strong>.</p>`,
    }),
  };
};

/** The return target of the consent page. Its login page names the client. @throws OAuthError `authorization_request_gone`, `client_unknown` */
export const consentTarget = (requests: AuthorizationRequests, clients: Clients): ReturnTargetKind => ({
  path: consentPath,
  at: 'auth',
  loginText: async (requestId, isLoggedIn) => {
    const { clientId, redirectUri } = await requests.find(requestId);
    const { name } = await clients.get(clientId);
    const next = isLoggedIn
      ? 'Para decidir, informe sua senha de novo; nada foi decidido ainda.'
      : 'Depois de entrar, você vê o que ele pede.';
    return {
      heading: isLoggedIn ? CONFIRM_IDENTITY : 'Entre para decidir',
      lead: html`<strong>${name}</strong> quer agir em seu nome. ${next}`,
      isAgain: false,
      redirectUri,
    };
  },
});

/** The consent page, with the cap that is in force. */
@Injectable()
export class ConsentPages {
  constructor(
    private readonly clients: Clients,
    private readonly requests: AuthorizationRequests,
    private readonly aggregates: Aggregates,
  ) {}

  /** The page of a stored request. `unreadable`: the entry for the cap, where it is no amount. @throws OAuthError `authorization_request_gone` */
  async page(
    requestId: string,
    session: Session & { readonly traveller: Traveller },
    urls: BaseUrls,
    unreadable?: string,
  ): Promise<Page> {
    const to = { kind: 'request', id: requestId } as const;
    const { id, traveller } = session;
    const { clientId, redirectUri, scopes } = await this.requests.find(requestId);
    const client = await this.clients.get(clientId);
    const cap = await this.capField(traveller.holder, clientId, unreadable);
    const forms = { hidden: hiddenFields(id, to), logout: logoutForm(session, to) };
    return consentPage({ ...forms, client, redirectUri, scopes, cap, urls });
  }

  /**
   * The page to confirm a cap that ends open mandates of the agent; null where it ends none.
   *
   * @throws OAuthError `authorization_request_gone`
   */
  async ending(
    requestId: string,
    session: Session & { readonly traveller: Traveller },
    urls: BaseUrls,
    cap: Money | null,
  ): Promise<Page | null> {
    const { clientId, redirectUri } = await this.requests.find(requestId);
    const { state } = await this.aggregates.load(delegations, { holder: session.traveller.holder, clientId });
    const ended = await endedUnder(this.aggregates, state, cap);
    if (cap === null || ended.length === 0) return null;
    const consequences = { cap, ended };
    const hidden = hiddenFields(session.id, { kind: 'request', id: requestId });
    return endingPage({ requestId, hidden, client: await this.clients.get(clientId), redirectUri, consequences, urls });
  }

  /** Whether `cap` allows the agent of a stored request to spend more than the cap in force. @throws OAuthError `authorization_request_gone` */
  async isLooser(requestId: string, holder: string, cap: Money | null): Promise<boolean> {
    const { clientId } = await this.requests.find(requestId);
    const { state } = await this.aggregates.load(delegations, { holder, clientId });
    const inForce = capOf(state);
    return inForce !== null && (cap === null || cap.amount > inForce.limit.amount);
  }

  /** The cap that this traveller set for this agent, or their unreadable entry, and the amount used. */
  private async capField(holder: string, clientId: string, unreadable: string | undefined): Promise<CapField> {
    const { state } = await this.aggregates.load(delegations, { holder, clientId });
    const entry = unreadable ?? capEntry(capOf(state)?.limit ?? null);
    return {
      id: 'cap',
      entry,
      isUnreadable: unreadable !== undefined,
      spending: await spendingOf(this.aggregates, state, 'BRL'),
    };
  }
}
