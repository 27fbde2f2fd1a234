import {
  capOf,
  type GrantedMandate,
  type KnownDelegation,
  remainingOf,
  reservedOf,
  type Spending,
  statusOf,
} from '#mandate';
import { type Instant, type Money, money } from '#kernel';
import { constraintWords } from '#oauth';
import type { PlacedOrder } from '#order';
import { fact, type Html, html, moneyText, nextLink, type Page } from '#site';
import { ACCOUNT, accountPage, AGENTS, LIMITS, timeOf, type Viewer } from '../layout/account-page.js';
import { type AgentName, pilotBadge } from '../layout/agent-names.js';
import { pathTo, type ReturnTarget } from '../layout/return-targets.js';
import { isByTraveller, mandateMark, titleOf } from '../mandates/mandate-rows.js';
import { restName, validityText } from '../mandates/standing.js';
import { orderRows } from '../orders/order-rows.js';
import { anchorOf, capText, modeWords, toAgentEnd } from '../limits/agent-limit.js';
import { part } from '../../page-parts.js';
import type { DisabledReason } from '#outbox';

/** A mandate of an agent, with the newest orders that were charged on it. */
export interface UsedMandate {
  readonly mandate: GrantedMandate;
  /** What the agent said it is for; null: nothing. */
  readonly purpose: string | null;
  readonly orders: readonly PlacedOrder[];
}

/** An address to which an agent's events are sent. */
export interface AgentWebhook {
  readonly url: string;
  readonly createdAt: Instant;
  /** Why nothing is sent there. */
  readonly disabled?: DisabledReason | undefined;
  /** Since when nothing has arrived there that was tried. */
  readonly failingSince?: Instant | undefined;
}

export interface AgentContent extends Viewer {
  readonly clientId: string;
  readonly name: AgentName;
  readonly delegation: KnownDelegation;
  readonly spending: Spending;
  readonly uses: readonly UsedMandate[];
  readonly webhooks: readonly AgentWebhook[];
  /** Whether it is a platform that pays by tokens. */
  readonly takesTokens: boolean;
  readonly isFirst: boolean;
  readonly nextCursor: string | null;
}

export const toAgent = (clientId: string): ReturnTarget => ({ kind: 'agent', id: clientId });

/** What an agent was granted, by whom, when and on which conditions; and what it did with it. */
export const agentPage = (content: AgentContent): Page => {
  const { clientId, name, delegation, spending, uses, webhooks, isFirst, nextCursor, session, now, urls } = content;
  const isRevoked = delegation.status === 'revoked';
  return accountPage({
    title: name.name,
    session,
    urls,
    isBroad: true,
    trail: [ACCOUNT, AGENTS],
    content: html`<h1><span class="name">${name.name}</span></h1>
      <p class="lead">
        ${pilotBadge(name)} ${isRevoked && html`<span class="mark-off">revogado</span>`} Todos os mandatos que este
        agente recebeu, do mais novo ao mais antigo, e o que ele fez com cada um.
      </p>
      ${
        !isRevoked &&
        html`<p class="outcome">${capText(capOf(delegation), spending)} ${modeWords(delegation)}</p>
          <p class="actions">
            <a class="button quiet" href="${LIMITS.path}#${anchorOf(clientId)}">Alterar limite</a>
            ${
              content.takesTokens &&
              html`<a class="button quiet" href="${pathTo({ kind: 'agent_payment', id: clientId })}"
                >Meio de pagamento</a
              >`
            }
            <a class="button quiet warn" href="${pathTo(toAgentEnd(clientId))}"
              >Revogar<span class="visually-hidden"> o agente ${name.name}</span>…</a
            >
          </p>`
      }
      ${uses.length === 0 && html`<p>${isFirst ? 'Nenhum mandato ainda.' : 'Nenhum mandato mais antigo aqui.'}</p>`}
      ${uses.map((use) => usedMandate(use, name, now))}
      ${nextLink(pathTo(toAgent(clientId)), nextCursor, 'Ver mandatos mais antigos')}
      ${webhooks.length > 0 && webhooksPart(webhooks)}`,
  });
};

/** The addresses to which the agent's events are sent, and whether they arrive. */
const webhooksPart = (webhooks: readonly AgentWebhook[]): Html =>
  part(
    'avisos',
    'Onde este agente recebe avisos',
    html`<ul class="rows" role="list">
      ${byHost(webhooks).map(
        ({ host, createdAt, disabled, failingSince }) =>
          html`<li>
            <p class="row-head">
              <span class="address">${host}</span>
              ${disabled !== undefined && html`<span class="mark-off">desativado</span>`}
            </p>
            <p class="small">
              Desde ${timeOf(createdAt)}.
              ${disabled ? DISABLED[disabled] : failingSince !== undefined && html`Os avisos não chegam desde ${timeOf(failingSince)}.`}
            </p>
          </li>`,
      )}
    </ul>`,
  );

/** One line for those of a host that fare alike: an agent may subscribe to each type of event by itself. */
const byHost = (webhooks: readonly AgentWebhook[]): readonly (AgentWebhook & { readonly host: string })[] => {
  const lines = new Map<string, AgentWebhook & { readonly host: string }>();
  for (const one of webhooks) {
    const { host } = new URL(one.url);
    const line = `${host} ${one.disabled} ${one.failingSince === undefined}`;
    if (!lines.has(line)) lines.set(line, { ...one, host });
  }
  return [...lines.values()];
};

const DISABLED: Readonly<Record<DisabledReason, string>> = {
  failing: 'Os avisos não chegaram por três dias, e nada mais é enviado.',
  gone: 'O endereço respondeu que não existe mais, e nada mais é enviado.',
  agent: 'O agente pediu para parar, e nada é enviado.',
  operator: 'O operador do serviço parou o envio.',
};

const usedMandate = ({ mandate, purpose, orders }: UsedMandate, name: AgentName, now: Instant): Html => {
  const { mandateId, constraints, paidOrders } = mandate;
  const path = pathTo({ kind: 'mandate', id: mandateId });
  const reserved = reservedOf(mandate);
  const more = paidOrders - orders.filter(({ kind }) => kind === 'paid').length;
  return html`<article class="card" aria-labelledby="m-${mandateId}">
    <h2 id="m-${mandateId}"><a href="${path}">${titleOf(mandate, purpose)}</a> ${mandateMark(mandate, now)}</h2>
    <p>${sentenceOf(mandate, now)}${purpose !== null && ' O agente deu este título.'}</p>
    <dl class="facts">
      ${fact('Condições', conditionsOf(constraints))} ${fact('Gasto', chargedText(mandate))}
      ${reserved.amount > 0 && fact('Separado', html`${moneyText(reserved)} para compras em andamento`)}
      ${!mandate.pending && fact(restName(mandate, now), moneyText(remainingOf(mandate)))}
    </dl>
    ${orders.length > 0 && orderRows(orders, () => name)}
    ${
      more > 0 &&
      html`<p class="more">
        <a href="${path}">${more === 1 ? 'Ver mais uma compra no extrato' : `Ver mais ${more} compras no extrato`}</a>
      </p>`
    }
  </article>`;
};

/** What it lets the agent do, or what the agent asked for, until when, and who said so. */
const sentenceOf = (mandate: GrantedMandate, now: Instant): Html => {
  const { limit, minutes, startsAt, expiresAt, pending } = mandate;
  const sum = moneyText(limit);
  if (pending)
    return statusOf(mandate, now) === 'pending'
      ? html`Quer gastar até ${sum}, por ${validityText(minutes)}. Pediu em ${timeOf(startsAt)}; você decide até
        ${timeOf(expiresAt)}.`
      : html`Pediu, em ${timeOf(startsAt)}, para gastar até ${sum}.`;
  const can = restName(mandate, now) === 'Disponível' && statusOf(mandate, now) !== 'exhausted' ? 'Pode' : 'Podia';
  return html`${can} gastar no máximo ${sum}, até ${timeOf(expiresAt)}.
  ${isByTraveller(mandate) ? 'Você permitiu em' : 'Ele o abriu, dentro do que você permite, em'} ${timeOf(startsAt)}.`;
};

const conditionsOf = (constraints: GrantedMandate['constraints']): string => {
  const words = constraintWords(constraints);
  return words.length === 0 ? 'Qualquer voo' : words.join('. ');
};

const chargedText = ({ consumed, paidOrders, limit }: GrantedMandate): string => {
  if (paidOrders + consumed === 0) return 'Nada';
  const sum: Money = money(consumed, limit.currency);
  if (paidOrders === 0) return `${moneyText(sum)} que não voltaram de compras canceladas`;
  return `${moneyText(sum)} em ${paidOrders === 1 ? 'uma compra' : `${paidOrders} compras`}`;
};
