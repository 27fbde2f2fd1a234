import { randomFrom } from '#testing';
import { quantile } from './numbers.js';
import { printTable, type Row } from './table.js';

/** ms of a core an order, as `bench -- servers` measured them (docs/performance.md); of a log the thread that writes. */
const MEASURED = { api: 3.95, projector: 1.88, writer: 0.9 } as const;
interface Step {
  readonly document?: boolean;
  readonly holder?: number;
  readonly flight?: number;
}

/** Appends of an order one after the other, of which some run side by side: to its holder's log, and to its flight's. */
const STEPS = [
  { document: true },
  { holder: 1 },
  { holder: 2, flight: 1 },
  { document: true },
  { holder: 2 },
  { holder: 1 },
] as const satisfies readonly Step[];
/** How many appends that are. */
const [HOLDER, FLIGHT] = [6, 1] as const;
const APPEND = MEASURED.writer / (HOLDER + FLIGHT);
/** ms that a call is under way, there and back; that a store of documents takes; that a cluster takes to have it on most nodes. */
const [WAY, DOCUMENT, MAJORITY] = [0.5, 1, 1] as const;
/** How busy (0 to 1) nothing may be on the average, and how many orders are lived through. */
const [BUSY, ORDERS] = [0.6, 40_000] as const;

/** What a plan has of each: cores for the API, logs of holders with a projector each, logs of flights. */
interface Plan {
  readonly api: number;
  readonly holders: number;
  readonly flights: number;
}

/** What so many orders a second need, if nothing is to be busier than `BUSY`. */
const planFor = (perSecond: number): Plan => {
  const needed = (ms: number) => Math.max(1, Math.ceil((perSecond * ms) / 1_000 / BUSY));
  return {
    api: needed(MEASURED.api),
    holders: needed(Math.max(MEASURED.projector, HOLDER * APPEND)),
    flights: needed(FLIGHT * APPEND),
  };
};

/** Servers that serve whoever comes first, one at a time each. */
class Station {
  private readonly freeAt: number[];
  private worked = 0;

  constructor(count: number) {
    this.freeAt = Array.from({ length: count }, () => 0);
  }

  /** When work that came at `at` is done, by this server of them or by the one that is free first. */
  serve(at: number, ms: number, which = this.freeAt.indexOf(Math.min(...this.freeAt))): number {
    const end = Math.max(at, this.freeAt[which] ?? 0) + ms;
    this.freeAt[which] = end;
    this.worked += ms;
    return end;
  }

  busy(until: number): number {
    return this.worked / (until * this.freeAt.length);
  }
}

/** An order that comes to its next step. Times in ms. */
interface Coming {
  readonly at: number;
  readonly begun: number;
  readonly holder: number;
  readonly flight: number;
  readonly step: number;
}

/** Lives through orders that come at random; what their answers and their lists took (ms), and how busy everything was. */
const live = (perSecond: number, plan: Plan) => {
  const random = randomFrom(1);
  const [api, projectors] = [new Station(plan.api), new Station(plan.holders)];
  const [holders, flights] = [new Station(plan.holders), new Station(plan.flights)];
  const [answers, lists]: [number[], number[]] = [[], []];
  /** Who comes next, by tenths of a millisecond. */
  const coming: Coming[][] = [];
  const come = (one: Coming) => (coming[Math.floor(one.at * 10)] ??= []).push(one);
  let [clock, end] = [0, 0];
  for (let order = 0; order < ORDERS; order += 1) {
    clock += (-Math.log(1 - random()) * 1_000) / perSecond;
    const holder = Math.floor(random() * plan.holders);
    come({ at: clock, begun: clock, holder, flight: Math.floor(random() * plan.flights), step: 0 });
  }
  for (let tenth = 0; tenth < coming.length; tenth += 1)
    for (const order of coming[tenth] ?? []) {
      const step: Step | undefined = STEPS[order.step];
      if (!step) {
        answers.push(order.at - order.begun);
        lists.push(projectors.serve(order.at, MEASURED.projector, order.holder) - order.at);
        continue;
      }
      const sent = api.serve(order.at, MEASURED.api / STEPS.length) + WAY / 2;
      const { holder = 0, flight = 0, document = false } = step;
      const ends = [
        ...(document ? [sent + DOCUMENT] : []),
        ...(holder > 0 ? [holders.serve(sent, holder * APPEND, order.holder) + MAJORITY] : []),
        ...(flight > 0 ? [flights.serve(sent, flight * APPEND, order.flight) + MAJORITY] : []),
      ];
      end = Math.max(...ends) + WAY / 2;
      come({ ...order, at: end, step: order.step + 1 });
    }
  const busy = [api, projectors, holders, flights].map((station) => station.busy(end));
  return { answers, lists, busy: Math.max(...busy) };
};

/** What it takes to place more orders than one machine can, from what one order costs: planned, and then lived through. */
export const plan = (): Promise<void> => {
  const rows = [1_000, 5_000, 20_000].map((perSecond): Row => {
    const planned = planFor(perSecond);
    const { answers, lists, busy } = live(perSecond, planned);
    const ms = (values: readonly number[], share: number) => quantile(values, share).toFixed(0);
    const { api, holders, flights } = planned;
    const needed = [api, holders, flights].map(String);
    return [
      `${perSecond} orders/s`,
      ...needed,
      ms(answers, 0.5),
      ms(answers, 0.99),
      ms(lists, 0.99),
      `${Math.round(busy * 100)} %`,
    ];
  });
  const title = `Simulated: no part busier than ${BUSY * 100} % on the average, ${ORDERS} orders`;
  const needs = ['cores of API', 'logs of holders, with projectors', 'logs of flights'];
  printTable(title, rows, [...needs, 'median ms', '99 % ms', 'lists 99 % ms', 'busiest']);
  return Promise.resolve();
};
