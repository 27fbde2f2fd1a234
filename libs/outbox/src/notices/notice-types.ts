import { idOf } from '#events';
import type { EventType } from '../event-types.js';
import type { Place } from '../places.js';

/** The public events that a traveller gets a notice of. Of several in one mail it is about the first of this list. */
export const NOTICE_TYPES = [
  'challenge.requested',
  'mandate.requested',
  'flight.cancelled',
  'agent.revoked',
  'mandate.revoked',
  'mandate.exhausted',
  'mandate.expired',
  'mandate.nearly_exhausted',
  'mandate.refunded',
] as const satisfies readonly EventType[];

export type NoticeType = (typeof NOTICE_TYPES)[number];

/** Where a public event stands that a traveller gets a notice of. */
export type NoticePlace = Place & { readonly type: NoticeType };

const TYPES: ReadonlySet<EventType> = new Set(NOTICE_TYPES);

export const isNoticed = (place: Place): place is NoticePlace => TYPES.has(place.type);

interface NoticeWords {
  readonly title: string;
  /** The text of its mail, which does not identify the mandate, order or agent. */
  readonly text: string;
  /** The text of the link that leads there. */
  readonly action: string;
}

export const NOTICE_WORDS: Readonly<Record<NoticeType, NoticeWords>> = {
  'challenge.requested': {
    title: 'Um pagamento espera a sua confirmação',
    text: 'Um agente quer comprar em seu nome. Nada é cobrado sem a sua aprovação, e o prazo é de poucos minutos.',
    action: 'Revisar o pagamento',
  },
  'mandate.requested': {
    title: 'Um agente pede um mandato',
    text: 'Ele pede a sua permissão para gastar em seu nome. Nada pode ser cobrado antes da sua decisão.',
    action: 'Ver a compra',
  },
  'flight.cancelled': {
    title: 'Um voo comprado em seu nome foi cancelado',
    text: 'Na sua conta você vê de qual compra se trata e o que é devolvido.',
    action: 'Ver a compra',
  },
  'agent.revoked': {
    title: 'Um agente não age mais em seu nome',
    text: 'O acesso dele foi encerrado, e nada mais pode ser cobrado por ele. Só volta a agir se você autorizar de novo.',
    action: 'Ver o agente',
  },
  'mandate.revoked': {
    title: 'Um mandato foi encerrado',
    text: 'Ele terminou antes do prazo, e nada mais pode ser cobrado por ele.',
    action: 'Ver o mandato',
  },
  'mandate.exhausted': {
    title: 'Um mandato chegou ao teto',
    text: 'Tudo o que ele permitia gastar foi gasto, e nada mais pode ser cobrado por ele.',
    action: 'Ver o mandato',
  },
  'mandate.expired': {
    title: 'Um mandato foi encerrado por prazo',
    text: 'O prazo dele acabou, e nada mais pode ser cobrado por ele.',
    action: 'Ver o mandato',
  },
  'mandate.nearly_exhausted': {
    title: 'Um mandato está perto do teto',
    text: 'Pelo menos 80% do que ele permite gastar já foi gasto.',
    action: 'Ver o mandato',
  },
  'mandate.refunded': {
    title: 'O dinheiro de uma compra cancelada foi devolvido',
    text: 'O que se devolve de uma compra feita em seu nome voltou para o cartão.',
    action: 'Ver o mandato',
  },
};

/** What a notice is about: a mandate, an order, an agent; '' where that is several orders. */
export const subjectOf = ({ type, stream, lane, clientId, orderIds = [] }: NoticePlace): string => {
  switch (type) {
    case 'challenge.requested':
      return idOf(stream);
    case 'flight.cancelled':
      return orderIds.length === 1 ? (orderIds[0] ?? '') : '';
    case 'agent.revoked':
      return clientId;
    default:
      return lane;
  }
};

/** What one mail is about, with all of it that comes up before it goes out. An agent's matters are few, so that none floods anybody. */
export const matterOf = ({ type, holder, lane, clientId }: NoticePlace): string => {
  switch (type) {
    case 'challenge.requested':
      return `${holder} payments ${clientId}`;
    case 'mandate.requested':
      return `${holder} requests ${clientId}`;
    case 'flight.cancelled':
      return `${holder} flight ${lane}`;
    case 'mandate.nearly_exhausted':
      return `${holder} nearly ${clientId}`;
    case 'mandate.refunded':
      return `${holder} refunds ${clientId}`;
    case 'agent.revoked':
    case 'mandate.revoked':
    case 'mandate.exhausted':
    case 'mandate.expired':
      return `${holder} endings ${clientId}`;
  }
};

/** How many mails about a matter go out in ten minutes: a payment is over by then, and an agent may have three wait. */
export const mailsOf = (type: NoticeType): number => (type === 'challenge.requested' ? 3 : 1);

/** How long (ms) a mail waits for others of its matter; 0 where a decision waits for the traveller. */
export const gatheringOf = (type: NoticeType): number =>
  type === 'challenge.requested' || type === 'mandate.requested' ? 0 : 10_000;
