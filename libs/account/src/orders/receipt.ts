import type { ReceiptView } from '#order';
import { html, type Html, moneyText } from '#site';
import { cardText } from '../challenge/challenge-words.js';
import { type AgentName, pilotBadge } from '../layout/agent-names.js';
import { fact, timeOf } from '../layout/facts.js';
import { pathTo } from '../layout/return-targets.js';

/** The receipt, with what every programme reads of it too. */
export const receiptOf = (receipt: ReceiptView, agent: AgentName): Html => {
  const { receiptId, ticketId, issuedAt, line, total, payment, note } = receipt;
  const mandate = pathTo({ kind: 'mandate', id: payment.mandateId });
  const chosen = payment.mandateSelection === 'explicit' ? 'indicado pelo agente' : 'o único que servia';
  return html`<section class="part" aria-labelledby="recibo">
    <h2 id="recibo">Recibo ${receiptId}</h2>
    <p class="sum">${moneyText(total)}</p>
    <dl class="facts">
      ${[
        fact('Compra', line.description),
        fact('Valor', `${line.passengers} × ${moneyText(line.unitPrice)} = ${moneyText(line.subtotal)}`),
        fact('Pago com', cardText(payment)),
        fact('Cobrado em', timeOf(payment.capturedAt)),
        fact('Emitido em', timeOf(issuedAt)),
        fact('Agente', html`${agent.name} ${pilotBadge(agent)}`),
        fact(
          'Mandato',
          html`<a href="${mandate}"><code>${payment.mandateId}</code></a> <span class="small">${chosen}</span>`,
        ),
        fact('Pedido', html`<code>${ticketId}</code>`),
      ]}
    </dl>
    <p class="small note">${note}</p>
    <p class="small note on-screen">Para guardar ou imprimir, use a impressão do seu navegador.</p>
  </section>`;
};
