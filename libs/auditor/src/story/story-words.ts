import type { StoredEvent } from '#event-store';
import { reasonText } from '../replay/step-words.js';

/** What a member of an event says, which nobody has checked yet; '' where it is no text. */
export const textIn = ({ data }: Pick<StoredEvent, 'data'>, name: string): string => {
  const value = data[name];
  return typeof value === 'string' ? value : '';
};

/** What happened in an order or a booking, in a few words. */
export const storyText = (event: StoredEvent): string => {
  switch (event.type) {
    case 'OrderPlaced':
      return 'Pedido feito';
    case 'PaymentChallenged':
      return 'Pagamento aguardando a confirmação do viajante';
    case 'PaymentApproved':
      return 'Pagamento aprovado pelo viajante';
    case 'PaymentDeclined':
      return 'Pagamento recusado pelo viajante';
    case 'OrderPaid':
      return 'Pedido pago';
    case 'OrderFailed':
      return `Pedido não concluído. ${reasonText(textIn(event, 'failure'))}`;
    case 'BookingCreated':
      return 'Reserva criada';
    case 'BookingChanged':
      return 'Reserva alterada';
    case 'BookingCheckoutStarted':
      return 'Reserva tomada por um pedido';
    case 'BookingCheckoutAbandoned':
      return 'Pedido encerrado sem bilhete; a reserva está livre de novo';
    case 'BookingTicketed':
      return 'Bilhete emitido';
    default:
      return event.type;
  }
};
