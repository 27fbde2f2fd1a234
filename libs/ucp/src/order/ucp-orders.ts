import { Injectable } from '@nestjs/common';
import { Aggregates } from '#event-store';
import { type Instant, isId } from '#kernel';
import { type ChargedOrder, isCharged, Orders } from '#order';
import { orders as orderStreams } from '#order/pure';
import type { Asking } from '../asking.js';
import { errorAnswer } from '../envelope.js';
import { agentOf } from '../ids.js';
import { UcpError, UcpOutcome } from '../ucp-error.js';
import { ORDER } from '../versions.js';
import { flightAsItIs } from '#catalog';
import { type Beside, ucpOrderView } from './order.view.js';

/** The scope of the protocol that reads orders, and what it is here. */
const READS = { scope: 'dev.ucp.shopping.order:read', own: 'receipt:read' } as const;

/** Orders by UCP: of a token's traveller, or those that the platform itself has placed (UCP, Order, Authorization). */
@Injectable()
export class UcpOrders {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly orders: Orders,
  ) {}

  /** @throws UcpError where nothing proves who asks; UcpOutcome `not_found` for an order that is not paid, or not theirs */
  async get(asking: Asking, id: string): Promise<object> {
    const { proof, caller, platform } = asking;
    if (proof === null)
      throw new UcpError(401, 'identity_required', 'É preciso provar de quem é este pedido.', { challenge: '' });
    if (caller && !caller.scopes.includes(READS.own)) {
      const challenge = `error="insufficient_scope", scope="${READS.scope}"`;
      throw new UcpError(403, 'insufficient_scope', 'O token não permite ler pedidos.', { challenge });
    }
    const order = isId(id) ? (await this.aggregates.load(orderStreams, id)).state : null;
    const { holder, clientId } = order && order.kind !== 'none' ? order.checkout : { holder: null, clientId: null };
    const isTheirs = caller ? holder === caller.holder : clientId === agentOf(platform);
    if (!order || !isCharged(order) || !isTheirs) throw unknownOrder(asking);
    const party = { holder: order.checkout.holder, clientId: agentOf(platform) };
    const { people = {}, locators } = await this.orders.beside(order, party);
    return shownOrder(this.aggregates, order, { locator: locators.of(order.ticketCode), people }, asking);
  }
}

const unknownOrder = (asking: Asking): UcpOutcome => {
  const [code, content] = ['not_found', 'Pedido não encontrado.'] as const;
  return new UcpOutcome(
    code,
    errorAnswer(asking, [ORDER], [{ type: 'error', code, content, severity: 'unrecoverable' }]),
  );
};

/** An order as it is now, for its platform: the same where it reads the order and where messages bring it. */
export const shownOrder = async (
  aggregates: Aggregates,
  order: ChargedOrder,
  beside: Omit<Beside, 'flightCancelledAt'>,
  asking: Pick<Asking, 'active' | 'urls'>,
) => ucpOrderView(order, { ...beside, flightCancelledAt: await flightCancelledAt(aggregates, order) }, asking);

/** null for one that had ended otherwise before. */
const flightCancelledAt = async (aggregates: Aggregates, order: ChargedOrder): Promise<Instant | null> => {
  const { line } = order.checkout;
  if (order.kind === 'cancelled' && order.cancellation.reason !== 'flight_cancelled') return null;
  const state = await flightAsItIs(aggregates, line.flightId ?? line.flightNumber);
  return (state.status === 'scheduled' && state.flight.cancelledAt) || null;
};
