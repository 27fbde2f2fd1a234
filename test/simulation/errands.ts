import fc from 'fast-check';
import { bookingChange } from '#booking';
import { flightAsItIs } from '#catalog';
import { Checkouts } from '#checkout';
import { DEFAULT_CONDITIONS } from '#events';
import { type Ids, SCOPES, systemContext } from '#kernel';
import { RevokeMandate } from '#mandate';
import { cancelFlight } from '#order';
import { ChangeBookingHandler } from '../../libs/booking/src/testing/index.js';
import { changeFlight, sampleFare, sampleFlight } from '../../libs/catalog/src/testing/index.js';
import type { LogicalProcess } from '../support/logical-process.js';
import { PRICE } from '../support/market.js';
import type { Belongings } from './stores.js';
import { AGENTS, BOOKINGS, DEPARTURE, MANDATES } from './world.js';

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

const refusedUnless = async (isAllowed: boolean, work: Promise<unknown>): Promise<void> => {
  await work;
  if (!isAllowed) throw new Error('somebody was let do what is for another one to do');
};
