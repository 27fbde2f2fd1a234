import fc from 'fast-check';
import type { CARDS } from '../support/market.js';

/** Something that somebody does. Bookings and mandates go by their places in the world. */
export type Action =
  | {
      readonly do: 'order';
      readonly booking: number;
      readonly mandate: number | null;
      readonly card: keyof typeof CARDS;
    }
  | { readonly do: 'decide'; readonly booking: number; readonly decision: 'approve' | 'deny' }
  | { readonly do: 'create'; readonly mandate: number }
  | { readonly do: 'revoke'; readonly mandate: number }
  /** The traveller sets the agent's cap, in trips, or (null) takes it away. */
  | { readonly do: 'cap'; readonly trips: number | null }
  /** Reads a mandate. */
  | { readonly do: 'look'; readonly mandate: number }
  /** Time passes, in seconds. */
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'recover' }
  | { readonly do: 'crash' };

/** Actions one after the other, each on one of the processes. */
export type Strand = readonly { readonly on: number; readonly action: Action }[];

/** Strands side by side; how wrong the processes' clocks are (ms), how bad the lines, and the seed of who goes when. */
export interface Script {
  readonly strands: readonly Strand[];
  readonly skews: readonly number[];
  readonly trouble: number;
  readonly seed: number;
}

export const PROCESSES = 3;
export const BOOKINGS = 4;
export const MANDATES = 3;

const booking = fc.nat(BOOKINGS - 1);
const mandate = fc.nat(MANDATES - 1);
const card = fc.constantFrom<keyof typeof CARDS>('good', 'good', 'challenged', 'challenged', 'declined');
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('order'), booking, mandate: fc.option(mandate), card }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('decide'),
      booking,
      decision: fc.constantFrom('approve', 'approve', 'deny'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('create'), mandate }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('revoke'), mandate }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('cap'), trips: fc.constantFrom<number | null>(0, 1, 2, 3, 4, null) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('look'), mandate }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait'), seconds: fc.constantFrom(1, 20, 31, 61, 299, 601) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('recover') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash') }) },
);
const on = fc.nat(PROCESSES - 1);
const one = fc.record({ on, action });
/** An order whose holder is asked, decides, and is asked for again: on any processes. */
const challenge = fc
  .record({ booking, mandate: fc.option(mandate), decision: fc.constantFrom('approve', 'approve', 'deny') } as const)
  .chain(({ booking: place, mandate: from, decision }) => {
    const order = { do: 'order', booking: place, mandate: from, card: 'challenged' } as const;
    const steps = [order, { do: 'decide', booking: place, decision } as const, order];
    return fc.tuple(...steps.map((step) => fc.record({ on, action: fc.constant<Action>(step) })));
  });
/** Time passes until open checkouts are due to recovery, and a round of it. */
const lateRecovery = fc.tuple(
  fc.record({ on, action: fc.constant<Action>({ do: 'wait', seconds: 61 }) }),
  fc.record({ on, action: fc.constant<Action>({ do: 'recover' }) }),
);
const strand: fc.Arbitrary<Strand> = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: one.map((step) => [step]) },
      { weight: 1, arbitrary: challenge },
      { weight: 1, arbitrary: lateRecovery },
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((steps) => steps.flat());

/** Any script. */
export const scripts: fc.Arbitrary<Script> = fc.record({
  strands: fc.array(strand, { minLength: 3, maxLength: 6 }),
  skews: fc.array(fc.constantFrom(0, 0, 2_000, -2_000), { minLength: PROCESSES, maxLength: PROCESSES }),
  trouble: fc.constantFrom(0, 0.02, 0.1),
  seed: fc.integer(),
});
