import { baseUrlsAt } from '#http';
import type { Constraints } from '#events';
import {
  CHARGE_SCOPES,
  type Context,
  type Instant,
  type Money,
  money,
  type Scope,
  SystemClock,
  systemContext,
} from '#kernel';
import {
  ApproveMandate,
  delegations,
  mandateView,
  NarrowMandate,
  PauseAgents,
  PauseMandate,
  ResumeAgents,
  ResumeMandate,
  RevokeMandate,
  SetSpendingCap,
} from '#mandate';
import { Locators } from '#checkout';
import { DecideChallenge } from '#order';
import type { Buyer } from '../../libs/checkout/src/testing/index.js';
import { CreateBooking } from '../../libs/booking/src/testing/index.js';
import { sampleFlight } from '../../libs/catalog/src/testing/index.js';
import { CreateMandate } from '../../libs/mandate/src/testing/index.js';
import { orderView, PlaceOrder } from '../../libs/order/src/testing/index.js';
import { type Books, readBooks } from './books.js';
import { findings } from './findings.js';
import { type LogicalProcess, logicalProcess, type Peculiarities } from './logical-process.js';
import { SharedStores } from './shared-stores.js';
import { type Flight, flights } from '#catalog';

export const AGENT = { holder: 'ana', clientId: 'pilot' } as const;
export const FLIGHT = 'AL4012';
/** A seat on it in the fare that bookings of tests are in, in cents. */
export const PRICE = 459_90;
/** Cards that are approved, refused, whose holder is asked, and that are none. */
export const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  insufficient: '4000000000009995',
  challenged: '4000000000003220',
  refusesRefunds: '4000000000005126',
  /** Fails its check digit. */
  invalid: '4242424242424241',
} as const;

const LINKS = baseUrlsAt('http://127.0.0.1:3000');
/** Of a key that every test knows. */
export const LOCATORS = new Locators(new Uint8Array(32));
const CONTEXT: Context = systemContext('a test');
/** The traveller acts by themselves. */
const OWN: Context = { ...CONTEXT, actor: { holder: AGENT.holder, clientId: null } };

export interface Wanted {
  readonly booking: string;
  /** Absent: none is named. */
  readonly mandate?: string | undefined;
  readonly card?: keyof typeof CARDS;
  readonly buyer?: Buyer;
  readonly orderId?: string;
  readonly expectedTotal?: Money;
  readonly acceptUpTo?: Money;
  readonly by?: { readonly holder: string; readonly clientId: string };
}

/** A flight on sale, an agent and an `other` one let in by their traveller, and any number of logical processes that serve them. */
export class Market {
  private constructor(readonly stores: SharedStores) {}

  static async open(seats = 10, changes: Partial<Flight> = {}): Promise<Market> {
    const market = new Market(await SharedStores.open());
    const { aggregates } = market.process();
    const flight = sampleFlight({ flightNumber: FLIGHT, seats, ...changes });
    await aggregates.handle(flights, FLIGHT, { type: 'ScheduleFlight', flight }, CONTEXT);
    for (const clientId of [AGENT.clientId, 'other']) {
      const authorize = { type: 'AuthorizeAgent', ...AGENT, clientId, grantId: 'g', scopes: CHARGE_SCOPES } as const;
      await aggregates.handle(delegations, { holder: AGENT.holder, clientId }, authorize, OWN);
    }
    return market;
  }

  /** What a test holds back while time passes goes on afterwards: it has not lost patience meanwhile. */
  process(peculiarities?: Peculiarities): LogicalProcess {
    return logicalProcess(this.stores, { patience: new SystemClock(), ...peculiarities });
  }

  async book(
    { createBooking }: LogicalProcess,
    passengers = 1,
    bookingId = this.stores.ids.next(),
    fareCode = 'LEVE',
  ): Promise<string> {
    const request = { flightId: FLIGHT, fareCode, passengers };
    await createBooking.execute(new CreateBooking(bookingId, AGENT, request, CONTEXT));
    return bookingId;
  }

  async grant(
    { createMandate }: LogicalProcess,
    limit: number | Money,
    { minutes = 60, scope = CHARGE_SCOPES, mandateId = this.stores.ids.next(), constraints }: Granted = {},
  ): Promise<string> {
    const ceiling = typeof limit === 'number' ? money(limit, 'BRL') : limit;
    const terms = { scope, limit: ceiling, minutes, ...(constraints && { constraints }) };
    await createMandate.execute(new CreateMandate(mandateId, AGENT, terms, CONTEXT));
    return mandateId;
  }

  async order({ placeOrder }: LogicalProcess, wanted: Wanted) {
    const command = orderMessage(wanted, wanted.orderId ?? this.stores.ids.next());
    return orderView(await placeOrder.execute(command), LINKS, { locators: LOCATORS });
  }

  async revoke({ revokeMandate }: LogicalProcess, mandateId: string) {
    return mandateView(await revokeMandate.execute(new RevokeMandate(mandateId, AGENT.holder, CONTEXT)), LINKS);
  }

  pause({ pauseMandate }: LogicalProcess, mandateId: string) {
    return pauseMandate.execute(new PauseMandate(mandateId, AGENT.holder, OWN));
  }

  /** The traveller stops all of their agents, or lets them go on. */
  pauseAll({ pauseAgents }: LogicalProcess): Promise<void> {
    return pauseAgents.execute(new PauseAgents(AGENT.holder, OWN));
  }

  resumeAll({ resumeAgents }: LogicalProcess): Promise<void> {
    return resumeAgents.execute(new ResumeAgents(AGENT.holder, OWN));
  }

  resume({ resumeMandate }: LogicalProcess, mandateId: string) {
    return resumeMandate.execute(new ResumeMandate(mandateId, AGENT.holder, OWN));
  }

  /** The traveller lowers a mandate's ceiling, or brings its end nearer. */
  narrow({ narrowMandate }: LogicalProcess, mandateId: string, terms: Narrower) {
    return narrowMandate.execute(new NarrowMandate(mandateId, AGENT.holder, terms, OWN));
  }

  approve({ approveMandate }: LogicalProcess, mandateId: string, limit: Money, minutes: number) {
    return approveMandate.execute(new ApproveMandate(mandateId, AGENT.holder, { limit, minutes }, OWN));
  }

  async setMode({ aggregates }: LogicalProcess, asksFirst: boolean): Promise<void> {
    await aggregates.handle(delegations, AGENT, { type: 'SetApprovalMode', asksFirst }, OWN);
  }

  /** The traveller sets what the agent may spend in all, or (null) takes that limit away. */
  setCap({ setSpendingCap }: LogicalProcess, cap: Money | null): Promise<void> {
    return setSpendingCap.execute(new SetSpendingCap(AGENT.holder, AGENT.clientId, cap, OWN));
  }

  decide({ decideChallenge }: LogicalProcess, orderId: string, decision: 'approve' | 'deny') {
    return decideChallenge.execute(new DecideChallenge(orderId, AGENT.holder, decision, OWN));
  }

  /** One round of a recovery worker that knows all that is in the log. */
  async recover({ newRecovery }: LogicalProcess): Promise<void> {
    await this.stores.caughtUp();
    await newRecovery().round();
  }

  books(): Promise<Books> {
    return readBooks(this.stores.events, this.stores.documents);
  }

  /** What is wrong; everything must be settled. */
  async findings(): Promise<readonly string[]> {
    return findings(await this.books());
  }

  close(): Promise<void> {
    return this.stores.close();
  }
}

export const orderMessage = (wanted: Wanted, orderId: string): PlaceOrder => {
  const {
    booking: bookingId,
    mandate: mandateId,
    card = 'good',
    buyer,
    expectedTotal,
    acceptUpTo,
    by = AGENT,
  } = wanted;
  const payment = { cardNumber: CARDS[card], expiry: '12/30', cvc: '123' };
  const context = { ...CONTEXT, actor: { holder: by.holder, clientId: by.clientId } };
  return new PlaceOrder(
    orderId,
    by,
    { bookingId, mandateId, buyer, card: payment, expectedTotal, acceptUpTo },
    context,
  );
};

/** How a mandate differs from one of an hour. */
interface Granted {
  readonly minutes?: number;
  readonly scope?: readonly Scope[];
  readonly mandateId?: string;
  readonly constraints?: Constraints;
}

interface Narrower {
  readonly limit?: Money;
  readonly expiresAt?: Instant;
}
