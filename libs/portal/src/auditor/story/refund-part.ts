import type { RefundRow } from '#checkout';
import type { StoredEvent } from '#event-store';
import { fact, type Html, html } from '#site';
import { part, wordsFor } from '../../page-parts.js';
import { timeOf } from '../layout/auditor-page.js';
import { amountText } from '../replay/step-words.js';
import { memberOf, textIn } from './story.page.js';

/** What was to come back of an order, what the processor's book has of it, and whether they agree; false: nothing was begun. */
export const refundPart = (refund: RefundRow | null, events: readonly StoredEvent[]): Html | false => {
  const begun = events.find(({ type }) => type === 'OrderCancellationStarted');
  if (!begun && refund === null) return false;
  return part(
    'devolucao',
    'Devolução no livro do processador',
    html`<dl class="facts">${[...(begun ? frozenFacts(begun) : []), ...rowFacts(refund)]}</dl>
      ${agreement(refund, begun, events)}`,
  );
};

const frozenFacts = (begun: StoredEvent): readonly Html[] => [
  fact('Motivo', wordsFor(textIn(begun, 'reason'), REASONS)),
  fact('A devolver', sumText(begun.data['refund'])),
  fact('Não volta', sumText(begun.data['fee'])),
];

const REASONS = {
  withdrawal: 'desistência em até 24 horas da compra',
  fare_rule: 'regra da tarifa',
  flight_cancelled: 'voo cancelado pela companhia',
};

const rowFacts = (refund: RefundRow | null): readonly Html[] => {
  if (refund === null) return [fact('Situação', 'sem linha no livro: nada foi devolvido')];
  const sum = fact('Valor', amountText(refund.amount));
  return refund.status === 'refunded'
    ? [
        fact('Situação', 'devolvida'),
        sum,
        fact('Devolvida em', timeOf(refund.refundedAt)),
        fact('Número', html`<code>${refund.id}</code>`),
      ]
    : [fact('Situação', 'recusada pela operadora do cartão'), sum, fact('Recusada em', timeOf(refund.failedAt))];
};

/** Whether the book says the same as the order. A way back that is under way says nothing yet: the book is ahead of it. */
const agreement = (refund: RefundRow | null, begun: StoredEvent | undefined, events: readonly StoredEvent[]): Html => {
  const cancelled = events.find(({ type }) => type === 'OrderCancelled');
  if (cancelled) return isSame(cancelled, refund) ? AGREED : disagreed('O pedido está cancelado');
  if (events.some(({ type }) => type === 'OrderRefundFailed'))
    return refund?.status === 'refund_failed' ? AGREED : disagreed('A devolução do pedido foi recusada');
  if (!begun) return disagreed('O livro tem uma devolução');
  return html`<p class="outcome none">
    Cancelamento em andamento: o pedido ainda não diz como acabou. Abra de novo daqui a pouco.
  </p>`;
};

const AGREED = html`<p class="outcome">O pedido e o livro dizem o mesmo da devolução.</p>`;

const disagreed = (what: string): Html =>
  html`<p class="alert">${what}, e ${what.startsWith('O livro') ? 'o pedido' : 'o livro'} não diz o mesmo.</p>`;

/** A cancellation that gives nothing back has no row. */
const isSame = ({ data }: StoredEvent, row: RefundRow | null): boolean => {
  const { refund, refundId } = data;
  if (memberOf(refund, 'amount') === 0) return row === null && refundId === null;
  const isSum =
    memberOf(refund, 'amount') === row?.amount.amount && memberOf(refund, 'currency') === row?.amount.currency;
  return row?.status === 'refunded' && isSum && refundId === row.id;
};

const sumText = (value: unknown): string => {
  const [amount, currency] = [memberOf(value, 'amount'), memberOf(value, 'currency')];
  return typeof amount === 'number' && typeof currency === 'string' ? amountText({ amount, currency }) : '—';
};
