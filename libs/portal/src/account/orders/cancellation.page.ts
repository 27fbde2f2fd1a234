import type { People } from '#booking';
import { type CancellationReason, type Line, NO_CONDITIONS, partsOf } from '#events';
import {
  type CancelledOrder,
  creditNoteView,
  isCancelling,
  type NotCancellable,
  type PlacedOrder,
  type QuotedCancellation,
} from '#order';
import { conditionsText, fact, html, type Html, moneyText, type Page } from '#site';
import { cardText, part } from '../../page-parts.js';
import { ACCOUNT, accountPage, countdown, TRIPS, questionForm, timeOf, type Viewer } from '../layout/account-page.js';
import { pathTo, type ReturnTarget } from '../layout/return-targets.js';
import { dayText, journeyText, passengersText, taxFacts } from './order-rows.js';

/** The cancellation of an order as what a form is about and a login leads to. */
export const toCancellation = (id: string): ReturnTarget => ({ kind: 'order_cancel', id });

interface QuoteContent extends Viewer {
  readonly quote: QuotedCancellation;
  /** Who flies, as the agent said. */
  readonly people: People;
  /** Whether what was confirmed no longer holds, and this is quoted instead. */
  readonly isAnother: boolean;
}

/** "Cancelar esta compra?": what comes back and what does not, before anything is decided. */
export const cancellationPage = ({ quote, people, isAnother, session, now, urls }: QuoteContent): Page => {
  const { order, id, refund, fee, reason, expiresAt } = quote;
  const { orderId, line, total } = order.checkout;
  const { flightNumber, from, to, departureDate } = line;
  const title = 'Cancelar esta compra?';
  const path = pathTo({ kind: 'order', id: orderId });
  const left = countdown('faltam ', now, expiresAt, 'prazo encerrado');
  return accountPage({
    status: isAnother ? 409 : 200,
    title,
    session,
    urls,
    isScripted: true,
    trail: [ACCOUNT, TRIPS, { path, name: `Voo ${flightNumber}` }],
    content: html`<h1>${title}</h1>
      ${isAnother && ANOTHER}
      <p class="lead">
        Voo <strong>${flightNumber}</strong>,
        ${from}–${to}${departureDate !== null && `, em ${dayText(departureDate)}`}, para ${passengersText(line, people)}
      </p>
      <p class="sum">${moneyText(refund)} <span class="small">de volta</span></p>
      ${lossOf(quote)}
      <dl class="facts">
        ${[
          fact('Compra', html`${line.description}<br /><span class="small">${journeyText(line)}</span>`),
          fact('Pago', moneyText(total)),
          ...taxFacts(partsOf(line.subtotal, line.taxes)),
          fact('Não volta', moneyText(fee)),
          fact('Volta', moneyText(refund)),
          ...(refund.amount > 0 ? [fact('Para', `${cardText(order.payment)}, como estorno`)] : []),
          fact('Por quê', reasonText(reason, line)),
          fact('Vale até', html`${timeOf(expiresAt)}<br /><span class="small">${left}</span>`),
        ]}
      </dl>
      <ul class="effects">
        ${effectsOf(quote).map((effect) => html`<li>${effect}</li>`)}
      </ul>
      ${questionForm({
        session,
        to: toCancellation(orderId),
        fields: html`<input type="hidden" name="cancellation" value="${id}" />`,
        does: refund.amount > 0 ? 'Cancelar a compra' : 'Cancelar sem reembolso',
        back: { path, text: 'Voltar sem cancelar' },
      })}`,
  });
};

const ANOTHER = html`<p class="alert" role="alert">
  O que você viu antes não vale mais. Nada foi cancelado: confira os valores de agora.
</p>`;

/** What a fare takes that gives little or nothing back, before the button. */
const lossOf = ({ order, refund, fee }: QuotedCancellation): Html | false => {
  if (refund.amount === 0)
    return html`<p class="alert">Nada volta: ao cancelar agora, você perde o bilhete e tudo o que foi pago.</p>`;
  const { base } = partsOf(order.checkout.line.subtotal, order.checkout.line.taxes);
  return fee.amount === base.amount && html`<p class="alert">A tarifa não é devolvida: voltam só as taxas.</p>`;
};

const effectsOf = ({ order, refund }: QuotedCancellation): readonly Html[] => {
  const { mandateId, line } = order.checkout;
  const mandate = pathTo({ kind: 'mandate', id: mandateId });
  return [
    line.passengers === 1
      ? html`O bilhete deixa de valer, e o assento volta à venda.`
      : html`Os bilhetes deixam de valer, e os assentos voltam à venda.`,
    ...(refund.amount > 0
      ? [html`O valor volta também ao <a href="${mandate}">mandato</a>: enquanto ele valer, o agente pode gastá-lo.`]
      : []),
    html`A compra é cancelada por inteiro, e isso não pode ser desfeito.`,
  ];
};

/** Why so much comes back and no more. */
const reasonText = (reason: CancellationReason, { fareName, conditions = NO_CONDITIONS }: Line): string => {
  if (reason === 'withdrawal')
    return 'Desistência em até 24 horas da compra, feita 7 dias ou mais antes do voo (ANAC, Resolução 400, art. 11).';
  if (reason === 'flight_cancelled') return 'O voo foi cancelado pela companhia.';
  return `Regra da tarifa ${fareName}. ${conditionsText(conditions)}`;
};

/** What came back of a cancelled order, whose ticket is worth nothing any more: its credit note. */
export const creditNoteOf = (order: CancelledOrder): Html => {
  const { creditNoteId, line, fee, refund, issuedAt } = creditNoteView(order);
  const { checkout, cancellation, payment, refundedAt } = order;
  return html`<p class="outcome">Esta compra foi cancelada: o bilhete não vale mais.</p>
    ${part(
      'nota',
      html`Nota de crédito <span class="whole">${creditNoteId}</span>`,
      html`<p class="sum">${moneyText(refund)} <span class="small">de volta</span></p>
        <dl class="facts">
          ${[
            fact('Pago', moneyText(checkout.total)),
            ...taxFacts(line),
            fact('Não devolvido', moneyText(fee)),
            fact('Devolvido', moneyText(refund)),
            fact('Por quê', reasonText(cancellation.reason, checkout.line)),
            ...(refund.amount > 0
              ? [fact('Para', `${cardText(payment)}, como estorno`), fact('Devolvido em', timeOf(refundedAt))]
              : []),
            fact('Emitida em', timeOf(issuedAt)),
          ]}
        </dl>`,
    )}`;
};

/** A cancellation that has begun and is not over, or that the card refused; nothing of any other order. */
export const begunCancellation = (order: PlacedOrder): Html | false => {
  if (order.kind !== 'paid' || !order.cancellation) return false;
  if (isCancelling(order))
    return html`<p class="outcome">
      Esta compra está sendo cancelada: ${moneyText(order.cancellation.refund)} voltam para ${cardText(order.payment)}.
      Esta página mostra quando terminar.
    </p>`;
  return order.cancellation.reason === 'flight_cancelled'
    ? html`<p class="outcome none">
        O voo foi cancelado, mas o cartão não aceitou a devolução. Fale com quem opera este serviço.
      </p>`
    : html`<p class="outcome none">
        A compra não foi cancelada: o cartão não aceitou a devolução. O bilhete continua valendo.
      </p>`;
};

/** The way to cancel an order, or why there is none. */
export const cancellationPart = (orderId: string, inTheWay: NotCancellable | null): Html | false => {
  const why = inTheWay === null ? linkTo(orderId) : WHY_NOT[inTheWay];
  return why !== undefined && html`<div class="on-screen">${part('cancelamento', 'Cancelamento', why)}</div>`;
};

const linkTo = (orderId: string): Html =>
  html`<p>Antes de confirmar, você vê quanto volta e para onde.</p>
    <p class="actions">
      <a class="button quiet warn" href="${pathTo(toCancellation(orderId))}">Cancelar esta compra…</a>
    </p>`;

/** What the page does not say elsewhere. */
const WHY_NOT: Readonly<Partial<Record<NotCancellable, Html>>> = {
  departed: html`<p>O voo já partiu: esta compra não pode mais ser cancelada.</p>`,
  undated: html`<p>O voo não tem data marcada: esta compra não pode ser cancelada.</p>`,
};
