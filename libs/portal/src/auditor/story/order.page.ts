import type { StoredEvent } from '#event-store';
import type { LedgerRow, RefundRow } from '#checkout';
import type { Checkout } from '#events';
import { fact, type Html, html, moneyText, type Page, ZONE_NOTE } from '#site';
import { cardText, part } from '../../page-parts.js';
import { type Audience, auditorPage, linkTo, timeOf } from '../layout/auditor-page.js';
import { amountText, reasonText } from '../replay/step-words.js';
import { type Condition, mandateConditions, type Moment, orderConditions } from './permission.js';
import { refundPart } from './refund-part.js';
import type { Story } from './stories.js';
import { memberOf, storyPart, textIn } from './story.page.js';

interface OrderContent extends Audience {
  readonly orderId: string;
  readonly story: Story;
  /** What the ledger has of it; null: nothing. */
  readonly charge: LedgerRow | null;
  /** And of what came back of it; null: nothing. */
  readonly refund: RefundRow | null;
  /** The mandate when it decided; null: it did not, or that is unknown. */
  readonly moment: Moment | null;
  /** What the agent is called; null: it is not registered. */
  readonly agent: string | null;
}

/** An order: why it was allowed, what it names, its charge in the ledger and what came back of it, and what happened to it. */
export const auditedOrderPage = ({
  orderId,
  story,
  charge,
  refund,
  moment,
  agent,
  ...audience
}: OrderContent): Page => {
  const events = story.cards.map(({ event }) => event);
  const placed = events.find(({ type }) => type === 'OrderPlaced');
  const paid = events.find(({ type }) => type === 'OrderPaid');
  return auditorPage({
    ...audience,
    title: 'Pedido',
    content: html`<h1>Pedido</h1>
      ${moment && html`<p class="lead">${headline(moment.checkout, events, agent)}</p>`}
      ${permissionPart(moment, events)}
      <h2>O pedido</h2>
      <dl class="facts">
        ${[
          fact('Número', html`<code>${orderId}</code>`),
          ...(placed ? placedFacts(placed, agent) : []),
          ...(paid ? [fact('Bilhete', html`<code>${textIn(paid, 'ticketCode')}</code>`)] : []),
        ]}
      </dl>
      <section class="part" aria-labelledby="cobranca">
        <h2 id="cobranca" tabindex="-1">Cobrança no livro do processador</h2>
        <dl class="facts">${chargeFacts(charge)}</dl>
        ${agreement(charge, events)}
      </section>
      ${refundPart(refund, events)} ${storyPart(story, orderId)}`,
  });
};

/** What a complaint asks first: how much, by whom, for what, and how it came out. */
const headline = (
  { total, line, clientId }: Checkout,
  events: readonly StoredEvent[],
  agent: string | null,
): string => {
  const isPaid = events.some(({ type }) => type === 'OrderPaid');
  const date = line.departureDate === null ? '' : `, em ${line.departureDate.split('-').reverse().join('/')}`;
  const bought = `${line.description.replace(/^Voo /, 'o voo ')}${date}`;
  return isPaid
    ? `${moneyText(total)} cobrados: ${agent ?? clientId} comprou ${bought}.`
    : `${moneyText(total)} não foram cobrados: ${agent ?? clientId} quis comprar ${bought}.`;
};

const placedFacts = (placed: StoredEvent, agent: string | null): readonly Html[] => [
  fact('Viajante', linkTo({ kind: 'traveller', id: textIn(placed, 'holder') })),
  fact('Agente', html`${agent} ${linkTo({ kind: 'agent', id: textIn(placed, 'clientId') })}`),
  fact('Mandato', linkTo({ kind: 'mandate', id: textIn(placed, 'mandateId') })),
  fact('Reserva', linkTo({ kind: 'booking', id: textIn(placed, 'bookingId') })),
  fact('Compra', textOf(memberOf(placed.data['line'], 'description'))),
];

/** What the processor knows, which alone knows whether money moved. */
const chargeFacts = (charge: LedgerRow | null): readonly Html[] => {
  if (charge === null) return [fact('Situação', 'sem linha no livro: nada foi cobrado')];
  switch (charge.status) {
    case 'captured':
      return [
        fact('Situação', 'cobrada'),
        fact('Valor', amountText(charge.amount)),
        fact('Cobrada em', timeOf(charge.capturedAt)),
        fact('Número', html`<code>${charge.id}</code>`),
        fact('Cartão', cardText(charge)),
      ];
    case 'refused':
      return [fact('Situação', 'recusada'), fact('Motivo', reasonText(charge.reason))];
    case 'closed':
      return [fact('Situação', 'fechada: nada foi cobrado, e nada mais pode ser')];
    case 'challenged':
    case 'approved':
      return [
        fact('Situação', charge.status === 'approved' ? 'confirmada, ainda não cobrada' : 'aguardando o viajante'),
        fact('Valor', amountText(charge.amount)),
        fact('Espera até', timeOf(charge.expiresAt)),
      ];
  }
};

/** Whether the ledger says the same as the order. An order under way says nothing yet: the ledger is ahead of it. */
const agreement = (charge: LedgerRow | null, events: readonly StoredEvent[]): Html | false => {
  const isCaptured = charge?.status === 'captured';
  if (events.some(({ type }) => type === 'OrderFailed'))
    return isCaptured && html`<p class="alert">O pedido não foi concluído, e o livro tem a cobrança.</p>`;
  const paid = events.find(({ type }) => type === 'OrderPaid');
  if (!paid)
    return (
      isCaptured &&
      html`<p class="outcome none">
        Pedido em andamento: o livro já tem a cobrança, e o pedido ainda não diz que está pago. Abra de novo daqui a
        pouco.
      </p>`
    );
  return isCaptured && isSamePayment(paid.data['payment'], charge)
    ? html`<p class="outcome">Número e valor são os mesmos no pedido e no livro.</p>`
    : html`<p class="alert">O pedido está pago, e o livro não diz o mesmo.</p>`;
};

const isSamePayment = (said: unknown, { id, amount }: Extract<LedgerRow, { readonly status: 'captured' }>): boolean => {
  const sum = memberOf(said, 'amount');
  const isSameSum = memberOf(sum, 'amount') === amount.amount && memberOf(sum, 'currency') === amount.currency;
  return isSameSum && memberOf(said, 'id') === id;
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Why a purchase was allowed, or was not: each condition of its moment with a mark, leading to the event that says so. */
const permissionPart = (moment: Moment | null, events: readonly StoredEvent[]): Html => {
  const conditions = [...(moment ? mandateConditions(moment) : []), ...orderConditions(events)];
  const broken = conditions.filter(({ holds }) => !holds);
  return part(
    'permissao',
    headingOf(events),
    html`${!moment && html`<p class="outcome none">O mandato não chegou a decidir sobre este pedido.</p>`}
      <ul class="checks" role="list">
        ${conditions.map(conditionLine)}
      </ul>
      <p class="small">
        Recalculado agora, do registro, com o mandato como estava naquele momento. ${ZONE_NOTE}
        ${broken.length > 0 && html`Não valeu: ${broken.map(({ name }) => name.toLocaleLowerCase('pt-BR')).join(', ')}.`}
      </p>`,
  );
};

const headingOf = (events: readonly StoredEvent[]): string => {
  if (events.some(({ type }) => type === 'OrderPaid')) return 'Por que a cobrança foi permitida';
  return events.some(({ type }) => type === 'OrderFailed')
    ? 'Por que a cobrança foi recusada'
    : 'O que já foi conferido';
};

const conditionLine = ({ name, holds, text, path }: Condition): Html =>
  html`<li class="${holds ? 'held' : 'broken'}">
    <p>
      <a href="${path}">${name}</a><span class="visually-hidden"> (${holds ? 'valia' : 'não valia'})</span>
      <span class="small">${text}</span>
    </p>
  </li>`;
