import type { Integrity } from '#audit';
import { partsOf } from '#events';
import type { People } from '#booking';
import { cityNamed } from '#catalog';
import { reasonWords } from '#mandate';
import { isCancelling, type NotCancellable, type PlacedOrder, type ReceiptView } from '#order';
import { fact, type Html, html, moneyText, type Page } from '#site';
import { cardText } from '../../page-parts.js';
import { toChallenge } from '../challenge/challenge.page.js';
import { begunCancellation, cancellationPart, creditNoteOf } from './cancellation.page.js';
import { conditionsFact, fullName, journeyText, peopleFacts, taxFacts } from './order-rows.js';
import { historyPart } from '../history/histories.js';
import { ACCOUNT, accountPage, TRIPS, timeOf, type Viewer } from '../layout/account-page.js';
import { type AgentName, pilotBadge } from '../layout/agent-names.js';
import { pathTo, type ReturnTarget } from '../layout/return-targets.js';

interface OrderContent extends Pick<Viewer, 'session' | 'urls'> {
  readonly order: PlacedOrder;
  /** Of a paid order; of any other null. */
  readonly receipt: ReceiptView | null;
  /** In whose name the agent placed it; null: in nobody's. */
  readonly buyer: string | null;
  readonly people: People;
  readonly integrity: Integrity;
  readonly agent: AgentName;
  readonly isWaiting: boolean;
  /** Why it cannot be cancelled; null: it can. */
  readonly inTheWay: NotCancellable | null;
}

export const toOrder = (id: string): ReturnTarget => ({ kind: 'order', id });

/** An order: once paid its ticket and its receipt, to be printed; before, or where it failed, what became of it. */
export const orderPage = (content: OrderContent): Page => {
  const { order, receipt, integrity, inTheWay, session, urls } = content;
  const { orderId } = order.checkout;
  const isLeaving = isCancelling(order);
  const title = isLeaving ? 'Cancelamento em andamento' : TITLES[order.kind];
  return accountPage({
    title,
    session,
    urls,
    isBroad: true,
    isScripted: receipt !== null,
    isFollowed: order.kind === 'pending' || isLeaving,
    trail: [ACCOUNT, TRIPS],
    content: html`<h1>${title}</h1>
      ${order.kind === 'cancelled' && creditNoteOf(order)} ${begunCancellation(order)}
      ${receipt && order.kind === 'paid' && !isLeaving && ticketOf(receipt, content)}
      ${receipt ? receiptOf(receipt, content) : unpaid(content)} ${cancellationPart(orderId, inTheWay)}
      ${historyPart(integrity, { kind: 'pedido', id: orderId, path: `${pathTo(toOrder(orderId))}/historico.jsonl` })}`,
  });
};

const TITLES: Readonly<Record<PlacedOrder['kind'], string>> = {
  pending: 'Compra em andamento',
  paid: 'Bilhete e recibo',
  cancelled: 'Compra cancelada',
  failed: 'Compra não concluída',
};

const unpaid = ({ order, people, agent, isWaiting }: OrderContent): Html => {
  const { orderId, line, total, mandateId } = order.checkout;
  const mandate = pathTo({ kind: 'mandate', id: mandateId });
  return html`${outcome(order, isWaiting)}
    <p class="sum">${moneyText(total)}</p>
    <dl class="facts">
      ${[
        fact('Compra', html`${line.description}<br /><span class="small">${journeyText(line)}</span>`),
        fact('Passageiros', `${line.passengers} × ${moneyText(line.unitPrice)}`),
        ...taxFacts(partsOf(line.subtotal, line.taxes)),
        conditionsFact(line),
        ...peopleFacts(people),
        fact('Agente', html`${agent.name} ${pilotBadge(agent)}`),
        fact('Mandato', html`<a href="${mandate}">Ver o mandato que paga</a>`),
        fact('Iniciada em', timeOf(order.placedAt)),
        ...decisionFacts(order),
        ...(order.kind === 'failed' ? [fact('Encerrada em', timeOf(order.failedAt))] : []),
        fact('Número', html`<code>${orderId}</code>`),
      ]}
    </dl>`;
};

/** What the traveller was asked about the payment, and said. */
const decisionFacts = ({ challenge }: PlacedOrder): readonly Html[] => {
  if (!challenge?.decided) return [];
  const { decision, at } = challenge.decided;
  return [fact(decision === 'approve' ? 'Aprovado por você em' : 'Recusado por você em', timeOf(at))];
};

/** Why an order failed, to the traveller who had the say on its payment. */
export const failureWords = ({ failure, failedAt, challenge }: Extract<PlacedOrder, { kind: 'failed' }>): string => {
  if (failure === 'payment_not_completed') return 'Você aprovou, mas o agente não concluiu a compra a tempo.';
  if (failure !== 'payment_challenge_failed' || !challenge) return reasonWords(failure);
  const isDenied = challenge.decided !== null || failedAt < challenge.expiresAt;
  return isDenied ? 'Você recusou o pagamento.' : 'O prazo para confirmar o pagamento acabou.';
};

const outcome = (order: PlacedOrder, isWaiting: boolean): Html => {
  if (order.kind === 'failed')
    return html`<p class="outcome none">${failureWords(order)} Não houve cobrança, nem bilhete.</p>`;
  if (!isWaiting)
    return html`<p class="outcome">O pagamento ainda não terminou. Esta página mostra quando terminar.</p>`;
  const challenge = pathTo(toChallenge(order.checkout.orderId));
  return html`<p class="outcome">O pagamento aguarda sua decisão. <a href="${challenge}">Aprovar ou recusar</a></p>`;
};

/** The code of an airport, and below it its city where that is known. */
const airport = (code: string): Html => {
  const city = cityNamed(code);
  return html`<span>${code} ${city !== code && html`<small>${city}</small>`}</span>`;
};

const ticketOf = ({ line, locator, ticketId }: ReceiptView, { buyer, people }: OrderContent): Html => {
  const { travellers = [] } = people;
  return html`<section class="ticket" aria-labelledby="bilhete">
    <h2 id="bilhete">Voo ${line.flightNumber}</h2>
    <p class="route">
      ${airport(line.from)}<span aria-hidden="true">→</span><span class="visually-hidden">para</span>${airport(line.to)}
    </p>
    <p>${journeyText(line)}</p>
    <dl class="stubs">
      ${
        buyer !== null &&
        html`<div>
          <dt>Em nome de</dt>
          <dd>${buyer}</dd>
        </div>`
      }
      <div>
        <dt>Localizador</dt>
        <dd>${locator}</dd>
      </div>
      ${line.ticketCodes.map((code, place) => {
        const traveller = travellers[place];
        return html`<div>
          <dt>${traveller ? `Bilhete de ${fullName(traveller)}` : 'Bilhete'}</dt>
          <dd>${code}</dd>
        </div>`;
      })}
      <div>
        <dt>Tarifa</dt>
        <dd>${line.fareName}</dd>
      </div>
      <div>
        <dt>Passageiros</dt>
        <dd>${line.passengers}</dd>
      </div>
    </dl>
    <p class="actions on-screen">
      <a class="button" href="${pathTo(toOrder(ticketId))}/bilhete.pdf">Bilhete em PDF</a>
      ${
        line.departureDate !== null &&
        html`<a class="button quiet" href="${pathTo(toOrder(ticketId))}/voo.ics">Pôr no calendário</a>`
      }
    </p>
  </section>`;
};

/** The receipt, with what every programme reads of it too. */
const receiptOf = (receipt: ReceiptView, { order, people, agent }: OrderContent): Html => {
  const { receiptId, ticketId, issuedAt, line, total, payment, note } = receipt;
  const mandate = pathTo({ kind: 'mandate', id: payment.mandateId });
  const chosen = payment.mandateSelection === 'explicit' ? 'indicado pelo agente' : 'o único que servia';
  return html`<section class="part" aria-labelledby="recibo">
    <h2 id="recibo">Recibo ${receiptId}</h2>
    <p class="sum">${moneyText(total)}</p>
    <dl class="facts">
      ${[
        fact('Compra', line.description),
        ...peopleFacts(people),
        fact('Valor', `${line.passengers} × ${moneyText(line.unitPrice)} = ${moneyText(line.subtotal)}`),
        ...taxFacts(line),
        conditionsFact(order.checkout.line),
        fact('Pago com', cardText(payment)),
        ...decisionFacts(order),
        fact('Cobrado em', timeOf(payment.capturedAt)),
        fact('Emitido em', timeOf(issuedAt)),
        fact('Agente', html`${agent.name} ${pilotBadge(agent)}`),
        fact('Mandato', html`<a href="${mandate}">Ver o mandato que pagou</a> <span class="small">${chosen}</span>`),
        fact('Número', html`<code>${ticketId}</code>`),
      ]}
    </dl>
    <p class="small note">${note}</p>
    <p class="small note on-screen" data-without-script>Para guardar ou imprimir, use a impressão do seu navegador.</p>
    <p class="actions"><button class="quiet" type="button" data-prints hidden>Imprimir ou salvar PDF</button></p>
  </section>`;
};
