import { flightIdOf, idOf, type Line } from '#events';
import type { Books } from '../../support/books.js';
import type { End, Shopped } from '../end.js';

/** A session as it is kept. */
interface Kept {
  readonly line: {
    readonly flightId: string;
    readonly fareCode: string;
    readonly quantity: number;
    readonly price: number;
  };
  readonly canceledAt?: string;
}

interface Paid {
  readonly orderId: string;
  readonly total: number;
  readonly line: Line;
}

/** What is wrong with checkout sessions: one order of each or none, of what it shows, whatever was shown before (rule 43). */
export const sessionFindings = ({ documents, answers }: End, { events }: Books): readonly string[] => {
  const sessions = (documents.get('ucp-sessions') ?? new Map()) as ReadonlyMap<string, Kept>;
  const started = new Map<string, Paid & { readonly sessionId: string }>();
  const paid = new Map<string, readonly Paid[]>();
  for (const { type, data, stored } of events) {
    const id = idOf(stored.stream);
    if (type === 'BookingCheckoutStarted' && sessions.has(id))
      started.set(data.orderId, { sessionId: id, orderId: data.orderId, total: data.total.amount, line: data.line });
    const order = type === 'OrderPaid' ? started.get(id) : undefined;
    if (order) paid.set(order.sessionId, [...(paid.get(order.sessionId) ?? []), order]);
  }
  return [
    ...[...paid].flatMap(([id, orders]) => ofSession(id, sessions.get(id), orders)),
    ...answers.flatMap((answer) => (answer.did === 'shop' ? ofAnswer(answer, paid.get(answer.sessionId) ?? []) : [])),
  ];
};

const ofSession = (id: string, kept: Kept | undefined, orders: readonly Paid[]): readonly string[] => {
  if (orders.length > 1) return [`session ${id} was bought ${orders.length} times`];
  return orders.flatMap(({ orderId, line, total }) => {
    if (kept?.canceledAt !== undefined) return [`session ${id} was canceled, and order ${orderId} of it is paid`];
    const shown = kept && [
      kept.line.flightId,
      kept.line.fareCode,
      kept.line.quantity,
      kept.line.price * kept.line.quantity,
    ];
    const bought = [flightIdOf(line), line.fareCode, line.passengers, total];
    return shown?.join() === bought.join()
      ? []
      : [`order ${orderId} bought ${bought.join()}, and session ${id} shows ${shown?.join()}`];
  });
};

/** Who is told that it was bought is told the order, and what it charged; who is told that it was canceled, that nothing did. */
const ofAnswer = ({ sessionId, shown }: Shopped, orders: readonly Paid[]): readonly string[] => {
  if (shown?.status === 'canceled')
    return orders.map(
      ({ orderId }) => `session ${sessionId} was shown as canceled, and order ${orderId} of it is paid`,
    );
  if (shown?.status !== 'completed') return [];
  const isSo = orders.some(
    ({ orderId, total, line: { passengers } }) =>
      orderId === shown.orderId && (shown.total ?? total) === total && (shown.seats ?? passengers) === passengers,
  );
  return isSo ? [] : [`session ${sessionId} was shown as order ${shown.orderId} of ${shown.total}, and it is not`];
};
