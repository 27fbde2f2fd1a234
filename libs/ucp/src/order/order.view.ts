import type { Instant } from '#kernel';
import type { ChargedOrder } from '#order';
import { ticketCodesOf } from '#order/pure';
import type { People } from '#booking';
import type { Asking } from '../asking.js';
import { hasFlights } from '../capabilities.js';
import { itemId } from '../ids.js';
import { envelopeOf } from '../envelope.js';
import { flightsOfOrderView } from '../flights/flights.view.js';
import { ORDER } from '../versions.js';

/** Where a traveller sees an order. */
export const permalinkOf = (orderId: string, site: string): string => `${site}/conta/pedidos/${orderId}`;

/** The one line of an order: what its session had. */
const LINE = 'li_1';

/** What is known of an order beside its events. `people`: whom its platform named; `flightCancelledAt` null: its flight is not cancelled. */
export interface Beside {
  readonly locator: string;
  readonly people: People;
  readonly flightCancelledAt: Instant | null;
}

/** An order as its platform sees it: its state of now, whole (UCP, `order.json`). */
export const ucpOrderView = (
  order: ChargedOrder,
  { locator, people, flightCancelledAt }: Beside,
  asking: Pick<Asking, 'active' | 'urls'>,
) => {
  const { orderId, bookingId, line, total } = order.checkout;
  const { flightId = line.flightNumber, fareCode, passengers, description, unitPrice } = line;
  const isCancelled = order.kind === 'cancelled';
  const amounts = [
    { type: 'subtotal', display_text: 'Passagens', amount: total.amount },
    { type: 'total', display_text: 'Total', amount: total.amount },
  ];
  const permalink = permalinkOf(orderId, asking.urls.site);
  const present = isCancelled ? 0 : passengers;
  return {
    ucp: envelopeOf(asking, [ORDER]),
    id: orderId,
    label: locator,
    checkout_id: bookingId,
    permalink_url: permalink,
    currency: total.currency,
    line_items: [
      {
        id: LINE,
        item: { id: itemId({ flightId, fareCode }), title: description, price: unitPrice.amount },
        quantity: { original: passengers, total: present, fulfilled: present },
        totals: amounts,
        status: isCancelled ? 'removed' : 'fulfilled',
      },
    ],
    fulfillment: {
      events: [
        {
          id: `${orderId}.ticketed`,
          occurred_at: order.paidAt,
          type: 'ticketed',
          line_items: [{ id: LINE, quantity: passengers }],
          tracking_number: locator,
          tracking_url: permalink,
          description: `Bilhetes emitidos: ${ticketCodesOf(order).join(', ')}`,
        },
        ...(flightCancelledAt === null ? [] : [flightCancelled(order, flightCancelledAt)]),
      ],
    },
    ...(isCancelled && { adjustments: [refundOf(order, passengers)] }),
    totals: amounts,
    ...(hasFlights(asking) && { flights: flightsOfOrderView(order, locator, people) }),
  };
};

const flightCancelled = ({ checkout: { orderId, line } }: ChargedOrder, at: Instant) => ({
  id: `${orderId}.flight_cancelled`,
  occurred_at: at,
  type: 'canceled',
  line_items: [{ id: LINE, quantity: line.passengers }],
  description: 'O voo foi cancelado: o valor pago volta por inteiro.',
});

const refundOf = (order: Extract<ChargedOrder, { kind: 'cancelled' }>, passengers: number) => {
  const { cancellationId, refund } = order.cancellation;
  return {
    id: cancellationId,
    type: refund.amount > 0 ? 'refund' : 'cancellation',
    occurred_at: order.refundedAt,
    status: 'completed',
    line_items: [{ id: LINE, quantity: -passengers }],
    totals: [{ type: 'total', display_text: 'Reembolso', amount: -refund.amount }],
    description: 'Viagem cancelada',
  };
};
