import { fact, type Html, html, type Page } from '#site';
import type { StoredEvent } from '#event-store';
import { type Audience, auditorPage, linkTo } from '../layout/auditor-page.js';
import { exactTime, sealFacts, verdict } from './event-facts.js';
import type { Story, ShownEvent } from './stories.js';
import { part, wordsFor } from '../../page-parts.js';
import { reasonText } from '../replay/step-words.js';

/** The events of an order or a booking one below the other, each with what vouches for it. `self`: an order's own id. */
export const storyPart = ({ cards, count, breaches }: Story, self: string): Html =>
  part(
    'eventos',
    'O que aconteceu',
    html`${verdict(breaches, 'Cadeia de hashes conferida', (revision) => html`evento ${revision + 1}`)}
    ${count > cards.length && html`<p class="small">Os últimos ${cards.length} eventos de ${count}.</p>`}
    ${cards.map((one) => eventCard(one, self))}`,
  );

const eventCard = ({ event, previousHash, place }: ShownEvent, self: string): Html => {
  const { revision, metadata } = event;
  const { holder, clientId } = metadata.actor;
  const orderId = textIn(event, 'orderId');
  return html`<article class="card" id="evento-${revision + 1}">
    <h3>${revision + 1}. ${storyText(event)}</h3>
    <dl class="facts">
      ${[
        fact('Quando', exactTime(metadata.occurredAt)),
        fact('Por quem', actorText(holder, clientId)),
        ...(orderId === '' || orderId === self ? [] : [fact('Pedido', linkTo({ kind: 'order', id: orderId }))]),
        ...sealFacts(metadata.hash, previousHash, place),
      ]}
    </dl>
  </article>`;
};

/** Who an event was written for: an agent, a traveller without one, or the service itself. */
export const actorText = (holder: string | null, clientId: string | null): Html => {
  if (clientId !== null) return html`o agente ${linkTo({ kind: 'agent', id: clientId })}`;
  return holder === null ? html`o próprio serviço` : html`o viajante ${linkTo({ kind: 'traveller', id: holder })}`;
};

/** What a member of an event says, which nobody has checked yet; '' where it is no text. */
export const textIn = ({ data }: Pick<StoredEvent, 'data'>, name: string): string => {
  const value = data[name];
  return typeof value === 'string' ? value : '';
};

/** A member of what may be anything. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

/** What happened in an order or a booking, in a few words. */
const storyText = (event: StoredEvent): string =>
  wordsFor(event.type, {
    OrderPlaced: 'Pedido feito',
    PaymentChallenged: 'Pagamento aguardando a confirmação do viajante',
    PaymentApproved: 'Pagamento aprovado pelo viajante',
    PaymentDeclined: 'Pagamento recusado pelo viajante',
    OrderPaid: 'Pedido pago',
    OrderCancellationStarted: 'Cancelamento iniciado',
    OrderCancelled: 'Pedido cancelado',
    OrderRefundFailed: 'Devolução recusada pela operadora do cartão; o pedido continua pago',
    OrderFailed: `Pedido não concluído. ${reasonText(textIn(event, 'failure'))}`,
    BookingCreated: 'Reserva criada',
    BookingChanged: 'Reserva alterada',
    BookingCheckoutStarted: 'Reserva tomada por um pedido',
    BookingCheckoutAbandoned: 'Pedido encerrado sem bilhete; a reserva está livre de novo',
    BookingTicketed: 'Bilhete emitido',
  });

interface BookingContent extends Audience {
  readonly bookingId: string;
  readonly story: Story;
}

/** A booking: its owner, and what happened to it, with the orders that took it. */
export const auditedBookingPage = ({ bookingId, story, ...audience }: BookingContent): Page => {
  const created = story.cards.map(({ event }) => event).find(({ type }) => type === 'BookingCreated');
  return auditorPage({
    ...audience,
    title: 'Reserva',
    content: html`<h1>Reserva</h1>
      <dl class="facts">
        ${[
          fact('Número', html`<code>${bookingId}</code>`),
          ...(created
            ? [
                fact('Viajante', linkTo({ kind: 'traveller', id: textIn(created, 'holder') })),
                fact('Agente', linkTo({ kind: 'agent', id: textIn(created, 'clientId') })),
              ]
            : []),
        ]}
      </dl>
      ${storyPart(story, '')}`,
  });
};
