import { flightOnDate } from '#catalog';
import { type Context, newCause, SYSTEM } from '#kernel';
import { cancelFlight, type EndOfOrder } from '#order';
import { checkoutsOf, type Dependencies } from '../dependencies.js';

/** Where an operator's command is run. */
export interface Desk {
  readonly dependencies: () => Promise<Dependencies>;
  /** Where who waits is shown how far a long one is: a share of 1. */
  readonly progress: (label: string) => (done: number) => void;
}

/** What came of a flight that an operator cancelled. */
export interface CancelledFlight {
  readonly flightNumber: string;
  readonly date: string;
  readonly reason: string;
  /** How many orders came to each end. */
  readonly orders: Record<EndOfOrder, number>;
  /** Orders with a card that takes no refund: somebody has to give the money back otherwise. */
  readonly openCases: {
    readonly orderId: string;
    readonly amount: { readonly amount: number; readonly currency: string };
  }[];
  /** Orders that another run has to bring to an end, and why this one could not. */
  readonly unfinished: { readonly orderId: string; readonly why: string }[];
}

/** Cancels a flight that is on sale and brings its orders to an end; safe to repeat. @throws Error: there is no such flight */
export const cancelFlightOnSale = async (
  { dependencies: building, progress }: Desk,
  named: Pick<CancelledFlight, 'flightNumber' | 'date' | 'reason'>,
): Promise<CancelledFlight> => {
  const dependencies = await building();
  const { ids } = dependencies;
  const flight = await flightOnDate(dependencies.aggregates, named);
  if (!flight) throw new Error(`no flight ${named.flightNumber} leaves on ${named.date}`);
  const checkouts = checkoutsOf(dependencies);
  const context: Context = { actor: SYSTEM, ...newCause(ids) };
  const show = progress('Orders brought to an end');
  const done: CancelledFlight = {
    ...named,
    flightNumber: flight.flightNumber,
    orders: { refunded: 0, cancelled: 0, failed: 0, refund_failed: 0 },
    openCases: [],
    unfinished: [],
  };
  let count = 0;
  for await (const { orderId, total, found } of cancelFlight({ checkouts, ids }, flight, named.reason, context)) {
    if (found instanceof Error) done.unfinished.push({ orderId, why: found.message });
    else {
      done.orders[found.end] += 1;
      if (found.end === 'refund_failed') done.openCases.push({ orderId, amount: found.order.checkout.total });
    }
    show((count += 1) / total);
  }
  return done;
};
