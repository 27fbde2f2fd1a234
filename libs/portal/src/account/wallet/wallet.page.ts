import { hiddenFields, type Session } from '#identity';
import { html, type Html, type Page } from '#site';
import { ACCOUNT, accountPage, AGENTS, timeOf, type Viewer } from '../layout/account-page.js';
import { pathTo, type ReturnTarget } from '../layout/return-targets.js';
import { cardFields } from '../purchase/card-fields.js';
import type { WalletCard } from './traveller-wallet.js';

interface WalletContent extends Viewer {
  readonly cards: readonly WalletCard[];
  /** Why no card was added. */
  readonly problem?: string | undefined;
}

export const TO_WALLET: ReturnTarget = { kind: 'wallet', id: 'all' };

/** "Carteira": the cards that mandates of AP2 name, and one more. */
export const walletPage = ({ cards, problem, session, urls }: WalletContent): Page =>
  accountPage({
    title: 'Carteira',
    status: problem === undefined ? 200 : 422,
    session,
    urls,
    trail: [ACCOUNT, AGENTS],
    content: html`<h1>Carteira</h1>
      <p class="lead">
        Cartões para agentes que compram com mandatos AP2. Com uma chave sua, vale o que você assina com ela; sem chave,
        o cartão serve aos agentes que você conectou, dentro do limite de cada um.
      </p>
      ${
        problem !== undefined &&
        html`<div class="alert" role="alert" id="compra-problema">
          <p>Nenhum cartão foi guardado. ${problem} <a href="#cartao">Confira o que digitou</a>.</p>
        </div>`
      }
      ${
        cards.length > 0 &&
        html`<h2>Cartões guardados</h2>
          <ul class="rows" role="list">
            ${cards.map((card) => row(card, session))}
          </ul>`
      }
      <h2>Guardar um cartão</h2>
      <form method="post" action="${pathTo(TO_WALLET)}">
        ${hiddenFields(session.id, TO_WALLET)}
        <div class="field">
          <label for="chave">Chave pública que assina seus mandatos, em JWK (opcional)</label>
          <textarea id="chave" name="key" rows="4" maxlength="1000" spellcheck="false" autocomplete="off"></textarea>
        </div>
        ${cardFields(problem !== undefined, 'Fica guardado até você removê-lo.')}
        <div class="choices"><button type="submit">Guardar cartão</button></div>
      </form>`,
  });

const row = ({ id, last4, signs, createdAt, lastUsedAt }: WalletCard, session: Session): Html =>
  html`<li>
    <p class="row-head">Cartão final ${last4}</p>
    <p class="small">
      ${signs ? 'Com a chave que assina seus mandatos, ' : 'Para os agentes que você conectou, '}desde
      ${timeOf(createdAt)};
      ${lastUsedAt === undefined ? 'ainda não foi usado.' : html`usado pela última vez em ${timeOf(lastUsedAt)}.`}
    </p>
    <p class="small">
      ${signs ? 'Código do cartão e da chave (kid)' : 'Código do cartão'}: <code class="address">${id}</code>
    </p>
    <form method="post" action="${pathTo(TO_WALLET)}">
      ${hiddenFields(session.id, TO_WALLET)}
      <button class="quiet warn" type="submit" name="remove" value="${id}">
        Remover<span class="visually-hidden"> o cartão final ${last4}</span>
      </button>
    </form>
  </li>`;
