import fc from 'fast-check';
import type { CARDS } from '../support/market.js';
import { type Errand, errands, type Whose, WHOSE } from './errands.js';
import { outlived, shopping, type Shopping } from './shopping.js';
import type { Trouble } from './simulation.js';
import { AGENTS, BOOKINGS, CREATED, MANDATES, ODD, REQUESTS, SESSIONS } from './world.js';

/** Something that somebody does. Bookings and mandates go by their places in the world. */
export type Action =
  | {
      readonly do: 'order';
      readonly booking: number;
      readonly mandate: number | null;
      /** Whose the booking and the mandate are. */
      readonly bookingOf: Whose;
      readonly mandateOf: Whose;
      readonly card: keyof typeof CARDS | 'expired';
      /** Whether it has an `Idempotency-Key`, under which the agent sends it again. */
      readonly isKeyed: boolean;
      /** Whether that is the key of the agent's order before, which asked for something else. */
      readonly reusesKey: boolean;
      /** What the agent thinks that it costs, in trips; null: it accepts any total. */
      readonly expects: number | null;
      /** The most that it accepts, in trips; null: what was promised. */
      readonly accepts: number | null;
      /** Whether it says who flies. */
      readonly isNamed: boolean;
    }
  /** Somebody cancels the order of a booking, as an agent or as the traveller, as it was quoted just before. */
  | { readonly do: 'cancel'; readonly booking: number; readonly whose: Whose; readonly isTraveller: boolean }
  | { readonly do: 'decide'; readonly booking: number; readonly decision: 'approve' | 'deny' }
  | { readonly do: 'create'; readonly mandate: number }
  /** Also the traveller's no to one that waits. */
  | { readonly do: 'revoke' | 'pause' | 'resume'; readonly mandate: number }
  /** The traveller no longer lets the agent in. */
  | { readonly do: 'revoke agent' }
  /** The traveller stops all of their agents, or lets them go on. */
  | { readonly do: 'pause all' | 'resume all' }
  /** Lowers the ceiling, in trips, or brings the end nearer, to so many minutes from now; null: as it is. */
  | { readonly do: 'narrow'; readonly mandate: number; readonly trips: number | null; readonly minutes: number | null }
  /** The traveller says whether the agent asks for each mandate. */
  | { readonly do: 'mode'; readonly asks: boolean }
  /** The traveller's yes to a mandate that waits, with this ceiling, in trips, and for so long. */
  | { readonly do: 'approve'; readonly mandate: number; readonly trips: number; readonly minutes: number }
  /** The traveller's answer to a consent page: each of its mandates up to so many trips; `cap` as below, or as it is; so is `asks`. */
  | {
      readonly do: 'consent';
      readonly request: number;
      readonly decision: 'approve' | 'deny';
      readonly trips: number;
      readonly cap: number | null | undefined;
      readonly asks: boolean | undefined;
    }
  /** The traveller sets the agent's cap, in trips, or (null) takes it away. */
  | { readonly do: 'cap'; readonly trips: number | null }
  /** Reads a mandate. */
  | { readonly do: 'look'; readonly mandate: number }
  /** Seals the log. */
  | { readonly do: 'seal' }
  /** Time passes, in seconds, and whoever does something stands still. */
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'recover' }
  | Errand
  | Shopping
  | Mishap;

export type Deed = Exclude<Action, Mishap | { readonly do: 'wait' }>;

export type Mishap =
  | { readonly do: 'crash' }
  /** A process's clock is set, by so many seconds. */
  | { readonly do: 'jump'; readonly seconds: number }
  /** The disk is full or fails, for so many seconds. */
  | { readonly do: 'disk'; readonly is: 'full' | 'failing'; readonly seconds: number }
  | { readonly do: 'projector'; readonly how: 'dies' | 'goes on' }
  /** Leases are gone, or all processes die and the read models are as they were some time ago. */
  | { readonly do: 'forget'; readonly what: 'leases' | 'read models' }
  /** The lists are told nothing more for so many hours. */
  | { readonly do: 'be late'; readonly hours: number }
  /** A process whose clock is so many minutes ahead takes the lease of recovery, and dies. */
  | { readonly do: 'hold'; readonly minutes: number }
  /** The next event that recovery's list of open checkouts is told of, or that of open mandates, cannot be read. */
  | { readonly do: 'stop projecting'; readonly list: 'checkouts' | 'mandates' }
  /** Nobody reaches the documents for ten seconds. */
  | { readonly do: 'lose documents' };

/** Actions one after the other, each on one of the processes, by or about one agent: that of the strand's place. */
export type Strand = readonly { readonly on: number; readonly action: Action }[];

/** Strands side by side, clocks that are wrong (ms), faults, refused cards (0: any number), and the order's seed. */
export interface Script {
  readonly strands: readonly Strand[];
  readonly skews: readonly number[];
  readonly trouble: Trouble;
  readonly refusedCards: number;
  /** Whether the processes keep leases by which they are known to live (docs/consistency.md, rule 8). */
  readonly isKnownToLive: boolean;
  readonly seed: number;
}

export const PROCESSES = 3;

/** Mostly one that can be ordered as it is. */
const booking = fc.oneof({ weight: 8, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: fc.nat(BOOKINGS.length - 1) });
/** Mostly one of the first three, which there are more often. */
const mandate = fc.oneof({ weight: 2, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: fc.nat(MANDATES.length - 1) });
const created = fc.oneof(
  { weight: 4, arbitrary: fc.nat(CREATED - 1) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD) },
);
const asked = fc.constantFrom(3, 3, 4, 5, 6, 6);
const trips = fc.integer({ min: 1, max: 3 });
const minutes = fc.constantFrom(1, 10, 60);
const cap = fc.constantFrom<number | null>(0, 1, 2, 3, 4, null);
const consent = fc.record({
  do: fc.constant('consent'),
  request: fc.nat(REQUESTS.length - 1),
  decision: fc.constantFrom('approve', 'approve', 'approve', 'approve', 'approve', 'deny'),
  trips: fc.integer({ min: 1, max: 2 }),
  cap: fc.constantFrom<number | null | undefined>(undefined, undefined, null, 8, 3),
  asks: fc.constantFrom<boolean | undefined>(undefined, undefined, true, false),
});
const isKeyed = fc.boolean();
const expects = fc.constantFrom<number | null>(null, null, null, 1);
const accepts = fc.constantFrom<number | null>(null, null, null, 3, 1);
const card = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('good', 'good', 'challenged', 'challenged', 'declined') },
  { weight: 1, arbitrary: fc.constantFrom('insufficient', 'invalid', 'expired', 'refusesRefunds', 'refusesRefunds') },
);
/** Now and then agents reach for what is another's. */
const whose = fc.oneof(
  { weight: 10, arbitrary: fc.constant('own') },
  { weight: 1, arbitrary: fc.constantFrom(...WHOSE) },
);
const order = fc.record({
  do: fc.constant('order'),
  booking,
  mandate: fc.option(mandate),
  bookingOf: whose,
  mandateOf: whose,
  card,
  isKeyed,
  reusesKey: fc.constantFrom(true, false, false, false, false, false),
  expects,
  accepts,
  isNamed: fc.boolean(),
});
const cancelling = fc.record({
  do: fc.constant('cancel'),
  booking,
  whose,
  isTraveller: fc.constantFrom(false, false, true),
});
const mishap: fc.Arbitrary<Mishap> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Mishap>({ do: 'crash' }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('jump'), seconds: fc.constantFrom(-120, -5, 5, 90) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('disk'),
      is: fc.constantFrom('full', 'failing'),
      seconds: fc.constantFrom(1, 30),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('projector'), how: fc.constantFrom('dies', 'goes on') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget'), what: fc.constantFrom('leases', 'read models') }) },
);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 8, arbitrary: order },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('decide'),
      booking,
      decision: fc.constantFrom('approve', 'approve', 'deny'),
    }),
  },
  { weight: 4, arbitrary: cancelling },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('create'), mandate: created }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('revoke', 'pause', 'resume', 'resume'), mandate }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('narrow'),
      mandate,
      trips: fc.option(fc.nat(2)),
      minutes: fc.option(minutes),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mode'), asks: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('approve'), mandate: asked, trips, minutes }) },
  { weight: 2, arbitrary: consent },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cap'), trips: cap }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('look'), mandate }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait'), seconds: fc.constantFrom(1, 20, 31, 61, 299, 601) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('recover') }) },
  { weight: 1, arbitrary: fc.constant<Action>({ do: 'revoke agent' }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('pause all', 'resume all', 'resume all') }) },
  { weight: 2, arbitrary: fc.constant<Action>({ do: 'seal' }) },
  { weight: 6, arbitrary: errands },
  { weight: 2, arbitrary: mishap },
);
const on = fc.nat(PROCESSES - 1);
const one = fc.record({ on, action });
/** Each of them on any process. */
const steps = (actions: readonly Action[]) =>
  fc.tuple(...actions.map((step) => fc.record({ on, action: fc.constant(step) })));
/** An order as most are. */
const plain = {
  do: 'order',
  card: 'good',
  bookingOf: 'own',
  mandateOf: 'own',
  isKeyed: true,
  reusesKey: false,
  expects: null,
  accepts: null,
  isNamed: true,
} as const;
/** An order whose holder is asked, decides, and is asked for again: on any processes. */
const challenge = fc
  .record({
    booking,
    mandate: fc.option(mandate),
    decision: fc.constantFrom('approve', 'approve', 'deny'),
    expects,
  } as const)
  .chain(({ booking: place, mandate: from, decision, expects: total }) => {
    const wanted = { ...plain, booking: place, mandate: from, card: 'challenged' } as const;
    return steps([wanted, { do: 'decide', booking: place, decision } as const, { ...wanted, expects: total }]);
  });
/** A mandate that the agent asks for, the traveller's answer, and an order on it. */
const asking = fc
  .record({ booking, mandate: asked, trips, isRefused: fc.constantFrom(true, false, false) })
  .chain((one) => {
    const answer: Action = one.isRefused
      ? { do: 'revoke', mandate: one.mandate }
      : { do: 'approve', mandate: one.mandate, trips: one.trips, minutes: 60 };
    const wanted = { ...plain, booking: one.booking, mandate: one.mandate };
    return steps([{ do: 'mode', asks: true }, { do: 'create', mandate: one.mandate }, wanted, answer, wanted]);
  });
/** A consent with details, the same once more, should the first have failed, and an order on one of its mandates. */
const consenting = fc.tuple(consent, booking).chain(([given, place]) => {
  const [first = 0] = REQUESTS[given.request] ?? [];
  return steps([given, given, { ...plain, booking: place, mandate: first }]);
});
/** A mandate is paused or narrowed over an order that waits for its holder, and goes on afterwards. */
const takingBack = fc
  .record({ booking, mandate: fc.constantFrom(0, 0, 0, 2), isPause: fc.boolean() })
  .chain(({ isPause, ...wanted }) => {
    const { mandate: place } = wanted;
    const asked = { ...plain, ...wanted, card: 'challenged' } as const;
    const decide = { do: 'decide', booking: wanted.booking, decision: 'approve' } as const;
    const another = { ...asked, card: 'good' } as const;
    if (!isPause && place === 2) {
      // Its end comes before the agent does.
      const narrow = { do: 'narrow', mandate: place, trips: null, minutes: 2 } as const;
      return steps([asked, decide, narrow, { do: 'wait', seconds: 121 }, asked, another]);
    }
    const change: Action = isPause
      ? { do: 'pause', mandate: place }
      : { do: 'narrow', mandate: place, trips: 1, minutes: 10 };
    return steps([asked, decide, change, asked, { do: 'resume', mandate: place }, another]);
  });
/** Every booking is ordered on one mandate, or all wait for their holder, as many as its mandates pay. */
const crowding = fc
  .constantFrom<2 | 4 | null>(2, 4, null)
  .chain((place) =>
    steps(
      BOOKINGS.map((_, one) =>
        place === null
          ? { ...plain, booking: one, mandate: one === 1 ? 2 : 0, card: 'challenged' }
          : { ...plain, booking: one, mandate: place },
      ),
    ),
  );
/** An agent asks for more mandates than may wait. */
const begging = fc
  .constant(null)
  .chain(() =>
    steps([
      { do: 'mode', asks: true },
      ...[3, 4, 5, 6].map((place): Action => ({ do: 'create', mandate: place })),
      { ...plain, booking: 0, mandate: 3 },
    ]),
  );
/** A booking is ordered, somebody else finishes that order where it stands still, and the booking is ordered again. */
const again = fc
  .record({ booking, mandate: fc.constantFrom(0, 2) })
  .chain((wanted) =>
    steps([
      { ...plain, ...wanted, isKeyed: false },
      { do: 'wait', seconds: 61 },
      { do: 'recover' },
      { ...plain, ...wanted },
    ]),
  );
/** An order that names none of its mandates, when those it had are taken back; and one on a mandate that can never pay. */
const hopeless = fc.oneof(
  booking.chain((place) =>
    steps([
      { do: 'revoke', mandate: 0 },
      { do: 'revoke', mandate: 2 },
      { ...plain, booking: place, mandate: null },
    ]),
  ),
  fc.record({ booking, mandate: fc.constantFrom(...ODD) }).chain((wanted) =>
    steps([
      { do: 'mode', asks: false },
      { do: 'create', mandate: wanted.mandate },
      { ...plain, ...wanted },
    ]),
  ),
);
/** Time passes until open checkouts are due to recovery, and a round of it. */
const lateRecovery = fc.tuple(
  fc.record({ on, action: fc.constant<Action>({ do: 'wait', seconds: 61 }) }),
  fc.record({ on, action: fc.constant<Action>({ do: 'recover' }) }),
);
/** The flight has another price or other conditions, and those of the booking are no longer promised. */
const repricing = fc
  .record({
    booking: fc.nat(3),
    to: fc.constantFrom('dearer', 'cheaper', 'as they were'),
    accepts: fc.constantFrom(null, 3),
  } as const)
  .chain(({ to, ...wanted }) =>
    steps([
      { do: 'reprice', to },
      { do: 'wait', seconds: 31 },
      { ...plain, mandate: 0, ...wanted },
    ]),
  );
/** An order is cancelled, and its money is spent again; or two cancel it at once; or its card takes nothing back. */
const comingBack = fc
  .record({
    booking: fc.nat(3),
    again: fc.nat(3),
    mandate: fc.nat(2),
    isTraveller: fc.boolean(),
    card: fc.constantFrom('good', 'good', 'refusesRefunds'),
  } as const)
  .chain(({ booking: place, again, mandate: from, isTraveller, card: paying }) => {
    const cancel = { do: 'cancel', booking: place, whose: 'own', isTraveller } as const;
    const first = { ...plain, mandate: from, booking: place, card: paying } as const;
    return steps([first, cancel, { ...cancel, isTraveller: false }, { ...plain, mandate: from, booking: again }]);
  });
const ordered = fc.record({ on, action: order });
/** What belongs together; often nothing. */
const story: fc.Arbitrary<Strand> = fc.oneof(
  { weight: 4, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: challenge },
  { weight: 2, arbitrary: asking },
  { weight: 2, arbitrary: consenting },
  { weight: 2, arbitrary: takingBack },
  { weight: 2, arbitrary: crowding },
  { weight: 1, arbitrary: begging },
  { weight: 1, arbitrary: lateRecovery },
  { weight: 2, arbitrary: again },
  { weight: 2, arbitrary: comingBack },
  { weight: 1, arbitrary: hopeless },
  { weight: 1, arbitrary: repricing },
);
/** Every agent orders at least twice, and something happens before, between or afterwards. */
const strand: fc.Arbitrary<Strand> = fc
  .tuple(ordered, fc.array(one, { maxLength: 2 }), ordered, story)
  .map(([first, others, second, rest]) => [first, ...others, second, ...rest]);

/** How much goes wrong of itself: nothing, little, much. */
const trouble = fc.constantFrom<Trouble>(
  { lines: 0, slow: 0, deaths: 0, stalls: 0 },
  { lines: 0, slow: 0.005, deaths: 0, stalls: 0.01 },
  { lines: 0.02, slow: 0.005, deaths: 0.001, stalls: 0.001 },
  { lines: 0.1, slow: 0.02, deaths: 0.005, stalls: 0.01 },
);

/** Something that lasts, in the first agent's life; often nothing. */
const calamity: fc.Arbitrary<Strand> = fc.oneof(
  { weight: 6, arbitrary: fc.constant([]) },
  {
    weight: 2,
    arbitrary: fc
      .record({ booking: fc.nat(2), mandate: fc.constantFrom(0, 2), hours: fc.constantFrom(1, 3) })
      .chain(({ booking: place, mandate: paused, hours }) =>
        // The list still has the mandate as paused when an order could be paid by it.
        steps([
          { do: 'pause', mandate: paused },
          { do: 'be late', hours },
          { do: 'resume', mandate: paused },
          { ...plain, booking: place, mandate: null, isKeyed: false },
        ]),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(4, 60).chain((minutes) => steps([{ do: 'hold', minutes }, { do: 'recover' }])),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ booking, list: fc.constantFrom('checkouts', 'mandates') } as const)
      .chain(({ booking: place, list }) =>
        steps([
          { do: 'stop projecting', list },
          { ...plain, booking: place, mandate: 0 },
          { do: 'revoke', mandate: 0 },
        ]),
      ),
  },
  {
    weight: 1,
    arbitrary: booking.chain((place) =>
      steps([{ ...plain, booking: place, mandate: 2 }, { do: 'lose documents' }, { do: 'recover' }]),
    ),
  },
);

/** Platform and travellers at one session, side by side; often nobody. */
const shops: fc.Arbitrary<readonly Strand[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  {
    weight: 2,
    arbitrary: fc.nat(SESSIONS.length - 1).chain((session) => {
      const something: fc.Arbitrary<Action> = fc.oneof(
        { weight: 12, arbitrary: shopping(session) },
        { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), seconds: fc.constantFrom(1, 31, 61, 601) }) },
        { weight: 1, arbitrary: fc.record({ do: fc.constant('reprice'), to: fc.constantFrom('dearer', 'cheaper') }) },
        { weight: 1, arbitrary: fc.constant<Action>({ do: 'recover' }) },
        { weight: 1, arbitrary: mishap },
      );
      const steps = fc.array(fc.record({ on, action: something }), { minLength: 1, maxLength: 4 });
      return fc.array(steps, { minLength: 2, maxLength: 3 });
    }),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.nat(SESSIONS.length - 1).chain(outlived),
        fc.integer({ min: 58, max: 64 }),
        fc.array(on, { minLength: 5, maxLength: 5 }),
      )
      .map(([[purchase, meanwhile], seconds, [first = 0, ...others]]) => [
        [{ on: first, action: purchase }],
        [{ do: 'wait', seconds: 1 } as const, { do: 'wait', seconds } as const, ...meanwhile].map((action, place) => ({
          on: others[place] ?? 0,
          action,
        })),
      ]),
  },
);

const lives: fc.Arbitrary<Script> = fc.record({
  strands: fc.array(strand, { minLength: AGENTS.length, maxLength: AGENTS.length }),
  skews: fc.array(fc.constantFrom(0, 0, 2_000, -2_000), { minLength: PROCESSES, maxLength: PROCESSES }),
  trouble,
  refusedCards: fc.constantFrom(0, 0, 2),
  isKnownToLive: fc.constantFrom(false, false, false, false, false, true),
  seed: fc.integer(),
});

/** Any script. Where documents are lost, processes are known by their leases, which they then cannot prolong. */
export const scripts: fc.Arbitrary<Script> = fc.tuple(lives, calamity, shops).map(([life, lasting, shopped]) => ({
  ...life,
  strands: [...life.strands, lasting, ...shopped],
  isKnownToLive: life.isKnownToLive || lasting.some(({ action: { do: what } }) => what === 'lose documents'),
}));
