import fc from 'fast-check';
import { bookingChange } from '#booking';
import { DayOpener, flightAsItIs, openDays } from '#catalog';
import { Checkouts } from '#checkout';
import { Leases } from '#documents';
import { Aggregates } from '#event-store';
import { DEFAULT_CONDITIONS } from '#events';
import { type Clock, type Ids, plus, SCOPES, systemContext } from '#kernel';
import { RevokeMandate } from '#mandate';
import { cancelFlight } from '#order';
import { ChangeBookingHandler } from '../../libs/booking/src/testing/index.js';
import { changeFlight, sampleFare, sampleFlight } from '../../libs/catalog/src/testing/index.js';
import type { LogicalProcess } from '../support/logical-process.js';
import { PRICE } from '../support/market.js';
import type { Belongings } from './stores.js';
import { AGENTS, BOOKINGS, DEPARTURE, MANDATES, UNOPENED, ZONE } from './world.js';

const CONTEXT = systemContext('an errand of a simulated life');

/** Whose something is: the agent's own, another agent's of the same traveller, or another traveller's. */
export const WHOSE = ['own', 'colleague', 'stranger'] as const;
export type Whose = (typeof WHOSE)[number];

/** Of each agent, by place: another one of its traveller's, and one of another traveller's. */
const OTHERS = { colleague: [2, 3, 0, 1, 0], stranger: [1, 0, 3, 2, 1] } as const;

/** Which agent something belongs to, by place. */
export const ownerOf = (agent: number, whose: Whose): number => (whose === 'own' ? agent : (OTHERS[whose][agent] ?? 0));

/** What somebody may choose instead, of a flight that everybody knows: what there is, and what there is not. */
const CHANGES = {
  dearer: { fareCode: 'CLASSICA' },
  cheaper: { fareCode: 'LEVE' },
  two: { passengers: 2 },
  nothing: {},
  'no such fare': { fareCode: 'NENHUMA' },
  'no such flight': { flightNumber: 'AL9999' },
  'no day on sale': { date: UNOPENED },
} as const;

const leve = sampleFare({ code: 'LEVE', name: 'Leve', price: PRICE, baggage: 'none' });
const softer = { ...DEFAULT_CONDITIONS, cancellation: [{ until: 'PT2H', fee: { percent: 0 } }] };
/** The fares of the flight: as they were, dearer, cheaper, on better conditions, or without the cheaper one. */
const FARES = {
  'as they were': sampleFlight().fares,
  dearer: [{ ...leve, price: PRICE + 40_00 }, sampleFare({ price: 619_90 })],
  cheaper: [{ ...leve, price: PRICE - 40_00 }, sampleFare()],
  softer: [{ ...leve, conditions: softer }, sampleFare({ conditions: softer })],
  fewer: [sampleFare()],
} as const;

/** What goes on beside orders and mandates: bookings and fares are changed, and agents reach for what is another's. */
export type Errand =
  | {
      readonly do: 'change';
      readonly booking: number;
      readonly whose: Whose;
      readonly to: keyof typeof CHANGES;
    }
  | { readonly do: 'reprice'; readonly to: keyof typeof FARES }
  /** The operator cancels the departure, and all that was bought of it. */
  | { readonly do: 'cancel flight' }
  /** A process wakes up so many days later, and opens them beside one that has just begun. */
  | { readonly do: 'open days'; readonly days: number }
  /** A traveller revokes what another one granted. */
  | { readonly do: 'meddle'; readonly mandate: number };

export const errands: fc.Arbitrary<Errand> = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.record({
      do: fc.constant('change'),
      booking: fc.nat(BOOKINGS.length - 1),
      whose: fc.constantFrom('own', 'own', 'own', ...WHOSE),
      to: fc.constantFrom(...(Object.keys(CHANGES) as (keyof typeof CHANGES)[])),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('reprice'),
      to: fc.constantFrom('as they were', 'as they were', 'dearer', 'cheaper', 'softer', 'fewer'),
    }),
  },
  { weight: 8, arbitrary: fc.constant<Errand>({ do: 'cancel flight' }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('open days'), days: fc.constantFrom(1, 2, 9) }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('meddle'), mandate: fc.nat(MANDATES.length - 1) }) },
);

/** Goes an errand. @throws Error where somebody could do what is another's to do */
export const run = async (
  use: LogicalProcess,
  { belongings, ids }: { readonly belongings: readonly Belongings[]; readonly ids: Ids },
  agent: number,
  errand: Errand,
): Promise<void> => {
  const party = AGENTS[agent] ?? AGENTS[0];
  switch (errand.do) {
    case 'change': {
      const owner = belongings[ownerOf(agent, errand.whose)];
      const caller = { ...party, scopes: SCOPES, grantId: 'g' };
      const request = { caller, context: CONTEXT };
      const command = bookingChange(owner?.bookings[errand.booking] ?? '', CHANGES[errand.to], request);
      await refusedUnless(errand.whose === 'own', use.the(ChangeBookingHandler).execute(command));
      return;
    }
    case 'reprice':
      await changeFlight(use.aggregates, DEPARTURE, { type: 'RepriceFares', fares: FARES[errand.to] });
      return;
    case 'cancel flight':
      return cancelDeparture(use, ids);
    case 'open days':
      return openLater(use, ids, errand.days);
    case 'meddle': {
      const mandateId = belongings[ownerOf(agent, 'stranger')]?.mandates[errand.mandate] ?? '';
      await refusedUnless(false, use.revokeMandate.execute(new RevokeMandate(mandateId, party.holder, CONTEXT)));
    }
  }
};

/** Goes on to the last order, and says what some of them met; whoever runs it again ends them. */
export const cancelDeparture = async (use: LogicalProcess, ids: Ids): Promise<void> => {
  const state = await flightAsItIs(use.aggregates, DEPARTURE);
  if (state.status === 'unscheduled') throw new Error('the departure is not there');
  const desk = { checkouts: use.the(Checkouts), ids };
  let failure: Error | null = null;
  for await (const { found } of cancelFlight(desk, state.flight, 'neve', CONTEXT))
    if (found instanceof Error) failure = found;
  if (failure) throw failure;
};

/** Once as the daily job does, under its lease, and once as a start does. */
const openLater = async ({ aggregates, events, the }: LogicalProcess, ids: Ids, days: number): Promise<void> => {
  const now = () => plus(aggregates.clock.now(), days * 86_400_000);
  const clock = Object.create(aggregates.clock, { now: { value: now } }) as Clock;
  const anew = () => new Aggregates(events, clock, ids, { cached: 1 });
  // Who could not prolong the lease goes on: it only saves work.
  const opener = new DayOpener({ aggregates: anew(), leases: the(Leases), clock }, [ZONE], () => undefined);
  await Promise.all([opener.look(), openDays(anew(), [ZONE])]);
};

const refusedUnless = async (isAllowed: boolean, work: Promise<unknown>): Promise<void> => {
  await work;
  if (!isAllowed) throw new Error('somebody was let do what is for another one to do');
};
