import { hiddenFields, type Session } from '#identity';
import { type GrantedMandate, remainingOf } from '#mandate';
import { html, type Html, moneyText, type Page, shortInstantText } from '#site';
import { ACCOUNT, accountPage, AGENTS, timeOf, type Viewer } from '../layout/account-page.js';
import type { AgentName } from '../layout/agent-names.js';
import { pathTo, type ReturnTarget } from '../layout/return-targets.js';
import { cardFields } from '../purchase/card-fields.js';
import type { ShownToken, TokensOfAgent } from './agent-tokens.js';

export interface TokensContent extends Viewer {
  readonly clientId: string;
  readonly name: AgentName;
  readonly found: TokensOfAgent;
  /** The token that was made just now. */
  readonly made?: string;
  /** Why none was made. */
  readonly problem?: string;
}

/** The tokens for an agent as what a form is about and a login leads to. */
export const toPaymentTokens = (clientId: string): ReturnTarget => ({ kind: 'agent_payment', id: clientId });

/** "Meio de pagamento": which tokens of a platform there are, and one more for a mandate and a card. */
export const paymentTokensPage = (content: TokensContent): Page => {
  const { clientId, name, found, made, problem, session, urls } = content;
  const title = `Meio de pagamento para ${name.title ?? name.name}`;
  return accountPage({
    title,
    status: problem === undefined ? 200 : 422,
    session,
    urls,
    trail: [ACCOUNT, AGENTS, { path: pathTo({ kind: 'agent', id: clientId }), name: name.title ?? name.name }],
    content: html`<h1>${title}</h1>
      <p class="lead">
        Com um token, o agente paga com o seu cartão dentro de um mandato, sem ver o cartão. O token só vale para ele, e
        termina com o mandato, com o agente ou quando você o remover.
      </p>
      ${made !== undefined && madePart(made)}
      ${
        problem !== undefined &&
        html`<div class="alert" role="alert" id="compra-problema">
          <p>Nenhum token foi criado. ${problem} <a href="#cartao">Confira o cartão</a> e o mandato.</p>
        </div>`
      }
      ${found.tokens.length > 0 && tokenRows(found, clientId, session)}
      ${found.mandates.length > 0 ? newToken(found.mandates, content) : NO_MANDATE}`,
  });
};

const NO_MANDATE = html`<p class="outcome none">
  Este agente não tem mandato em vigor: um token precisa de um, que diz até quanto ele pode gastar.
</p>`;

const madePart = (token: string): Html =>
  html`<div class="outcome" role="status">
    <p>Entregue este token ao agente agora: ele não é mostrado de novo.</p>
    <p><code class="address">${token}</code></p>
  </div>`;

const tokenRows = ({ tokens, mandates }: TokensOfAgent, clientId: string, session: Session): Html =>
  html`<h2>Tokens em vigor</h2>
    <ul class="rows" role="list">
      ${tokens.map((token) => tokenRow(token, mandates, clientId, session))}
    </ul>`;

const tokenRow = (token: ShownToken, mandates: readonly GrantedMandate[], clientId: string, session: Session): Html => {
  const { id, mandateId, last4, createdAt, lastUsedAt } = token;
  const mandate = mandates.find((one) => one.mandateId === mandateId);
  const to = toPaymentTokens(clientId);
  return html`<li>
    <p class="row-head">Cartão final ${last4}</p>
    <p class="small">
      ${mandate !== undefined && html`<a href="${pathTo({ kind: 'mandate', id: mandateId })}">Mandato de até ${moneyText(mandate.limit)}</a>, `}
      desde ${timeOf(createdAt)};
      ${lastUsedAt === undefined ? 'ainda não foi usado.' : html`usado pela última vez em ${timeOf(lastUsedAt)}.`}
    </p>
    <form method="post" action="${pathTo(to)}">
      ${hiddenFields(session.id, to)}
      <button class="quiet warn" type="submit" name="remove" value="${id}">
        Remover<span class="visually-hidden"> o token do cartão final ${last4}</span>
      </button>
    </form>
  </li>`;
};

const newToken = (mandates: readonly GrantedMandate[], { clientId, session, problem }: TokensContent): Html => {
  const to = toPaymentTokens(clientId);
  return html`<h2>Novo token</h2>
    <form method="post" action="${pathTo(to)}">
      ${hiddenFields(session.id, to)}
      <div class="field">
        <label for="mandato">Mandato</label>
        <select id="mandato" name="mandate">
          ${mandates.map((mandate) => html`<option value="${mandate.mandateId}">${mandateText(mandate)}</option>`)}
        </select>
      </div>
      ${cardFields(problem !== undefined, 'Fica guardado só para este token, e sai com ele.')}
      <div class="choices"><button type="submit">Criar token</button></div>
    </form>`;
};

const mandateText = (mandate: GrantedMandate): string =>
  `${moneyText(remainingOf(mandate))} disponíveis, até ${shortInstantText(mandate.expiresAt)}`;
