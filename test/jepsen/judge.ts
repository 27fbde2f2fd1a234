import { type Books, capturedOrders } from '../support/books.js';
import { findings } from '../support/findings.js';
import type { Sightings } from './agents.js';
import type { Call, History, Outcome } from './history.js';
import { linearizable } from './linearizable.js';
import { newRegister, stepsOf } from './mandate-register.js';
import type { Span } from './nemesis.js';

/** What came of a run: what is wrong, and what was counted. Durations are in ms. */
export interface Judgement {
  readonly findings: readonly string[];
  /** Mandates whose history was too long to be judged. */
  readonly undecided: number;
  /** The longest that an order was undecided whose answer was lost; without the time in which something was wrong. */
  readonly longest: number;
  readonly longestWell: number;
}

/** What a run left: what callers were told, when something was wrong, and the books. */
export interface Run {
  readonly history: History;
  readonly sightings: Sightings;
  readonly harm: readonly Span[];
  readonly books: Books;
  /** How long agents began new work. */
  readonly seconds: number;
}

/** In so many seconds a platform buys a session, and a traveller one on its page, whatever goes wrong. */
const LONG = 30;

/** Judges a run. `bound`: within how many ms an order is decided whose answer was lost, while nothing is wrong. */
export const judge = ({ history, sightings, harm, books, seconds }: Run, bound: number): Judgement => {
  const verdicts = [...history.limits].map(([mandate, limit]) => verdictOn(history.calls, mandate, limit));
  const longest = Math.max(0, ...sightings.recovered.map(({ from, to }) => to - from));
  const longestWell = Math.max(0, ...sightings.recovered.map((span) => wellTime(span, harm)));
  return {
    findings: [
      ...findings(books),
      ...verdicts.flatMap(({ found }) => found),
      ...answerFindings(history.calls, books),
      ...[...history.limits].flatMap(([mandate, limit]) => sumFindings(history.calls, books, mandate, limit)),
      ...sightings.missing.map((order) => `order ${order} was answered 201 and has no receipt`),
      ...(seconds >= LONG && sightings.sessions === 0 ? ['no checkout session was bought'] : []),
      ...(seconds >= LONG && sightings.pages === 0 ? ['no checkout session was bought on its page meanwhile'] : []),
      ...(longestWell > bound ? [`an order stayed undecided for ${Math.round(longestWell)} ms`] : []),
    ],
    undecided: verdicts.filter(({ isUndecided }) => isUndecided).length,
    longest,
    longestWell,
  };
};

const verdictOn = (calls: readonly Call[], mandate: string, limit: number) => {
  const steps = stepsOf(calls.filter((call) => call.mandate === mandate));
  const verdict = linearizable(steps, newRegister(limit));
  const found =
    verdict.kind === 'broken'
      ? [`no order explains what was seen of mandate ${mandate}: ${verdict.stuck.join('; ')}`]
      : [];
  return { found, isUndecided: verdict.kind === 'undecided' };
};

/** How long a span was without the time in which something was wrong. The harm comes one after the other. */
const wellTime = ({ from, to }: Span, harm: readonly Span[]): number =>
  harm.reduce((time, one) => time - Math.max(0, Math.min(to, one.to) - Math.max(from, one.from)), to - from);

const REFUSALS: readonly Outcome[] = ['declined', 'over the limit', 'revoked', 'refused'];

/** What was answered as paid is captured and paid, what as refunded came back, and of what was refused in the end nothing is captured. */
const answerFindings = (calls: readonly Call[], books: Books): readonly string[] => {
  const paid = new Set(books.events.flatMap(({ type, stored }) => (type === 'OrderPaid' ? [stored.stream] : [])));
  const captured = new Set(capturedOrders(books));
  const charged = new Set(
    books.events.flatMap(({ type, data }) =>
      type === 'BookingCheckoutStarted' && captured.has(data.orderId) ? [data.bookingId] : [],
    ),
  );
  return calls.flatMap(({ order, outcome, booking, error, amount }) => {
    if (outcome === 'refunded') {
      const refund = books.refunds.get(order ?? '');
      const back = refund?.status === 'refunded' ? refund.amount.amount : 0;
      return back === amount ? [] : [`order ${order} was answered as refunded with ${amount}, and got ${back} back`];
    }
    if (order !== undefined && !(captured.has(order) && paid.has(`order-${order}`)))
      return [`order ${order} was answered 201 and is not paid`];
    return REFUSALS.includes(outcome) && charged.has(booking)
      ? [`booking ${booking} was refused (${error}) and charged`]
      : [];
  });
};

/** What a mandate says in the end that it consumed is what the ledger captured and did not give back, and no more than its ceiling. */
const sumFindings = (calls: readonly Call[], books: Books, mandate: string, limit: number): readonly string[] => {
  const captured = capturedOrders(books, mandate);
  const back = (order: string) => {
    const refund = books.refunds.get(order);
    return refund?.status === 'refunded' ? refund.amount.amount : 0;
  };
  const sum = captured.reduce((total, id) => total + (books.ledger.get(id)?.amount?.amount ?? 0) - back(id), 0);
  const last = calls.findLast((call) => call.kind === 'read' && call.mandate === mandate)?.seen;
  return [
    ...(sum > limit ? [`mandate ${mandate} kept ${sum}, above its ceiling of ${limit}`] : []),
    ...(last && last.consumed !== sum ? [`mandate ${mandate} says ${last.consumed} and the ledger ${sum}`] : []),
  ];
};
