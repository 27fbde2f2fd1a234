import type { EventType } from './event-types.js';

interface Words {
  readonly text: string;
  readonly en: string;
}

/** What each type of event says, in a sentence. */
export const EVENT_WORDS: Readonly<Record<EventType, Words>> = {
  'order.paid': { text: 'Um pedido foi pago.', en: 'An order was paid.' },
  'order.failed': { text: 'Um pedido falhou; nada foi cobrado.', en: 'An order failed; nothing was charged.' },
  'order.cancelled': { text: 'Um pedido foi cancelado.', en: 'An order was cancelled.' },
  'challenge.requested': {
    text: 'Um pagamento espera a confirmação do viajante.',
    en: 'A payment waits for the traveller’s confirmation.',
  },
  'challenge.decided': {
    text: 'O viajante aprovou ou recusou um pagamento.',
    en: 'The traveller approved or denied a payment.',
  },
  'flight.cancelled': {
    text: 'Um voo com pedidos deste agente foi cancelado.',
    en: 'A flight with orders of this agent was cancelled.',
  },
  'mandate.requested': {
    text: 'Um mandato espera a decisão do viajante.',
    en: 'A mandate waits for the traveller’s decision.',
  },
  'mandate.granted': { text: 'Um mandato entrou em vigor.', en: 'A mandate is in force.' },
  'mandate.refused': { text: 'O viajante recusou um mandato.', en: 'The traveller refused a mandate.' },
  'mandate.narrowed': {
    text: 'O viajante baixou o teto ou a validade de um mandato.',
    en: 'The traveller lowered the ceiling of a mandate, or its validity.',
  },
  'mandate.paused': { text: 'Um mandato foi pausado.', en: 'A mandate was paused.' },
  'mandate.resumed': { text: 'Um mandato foi retomado.', en: 'A mandate was resumed.' },
  'mandate.nearly_exhausted': {
    text: 'Foram gastos 80% do teto de um mandato.',
    en: '80% of the ceiling of a mandate are spent.',
  },
  'mandate.exhausted': { text: 'Todo o teto de um mandato foi gasto.', en: 'All of a mandate’s ceiling is spent.' },
  'mandate.refunded': { text: 'Um valor voltou a um mandato.', en: 'An amount came back to a mandate.' },
  'mandate.revoked': { text: 'Um mandato foi revogado.', en: 'A mandate was revoked.' },
  'mandate.expired': { text: 'Um mandato expirou.', en: 'A mandate expired.' },
  'agent.revoked': { text: 'O agente não age mais pelo viajante.', en: 'The agent no longer acts for the traveller.' },
};
