import { bookings as bookingStreams } from '#booking';
import { flights, importCatalog } from '#catalog';
import { LEDGER, openCheckoutsProjection } from '#checkout';
import { delegations, mandatesProjection, openMandatesProjection } from '#mandate';
import { CHARGE_SCOPES, money, systemContext } from '#kernel';
import { bookingsProjection } from '#booking/pure';
import { agentsProjection } from '#mandate/pure';
import { ordersProjection } from '#order';
import { type Projecting, ReadModels } from '#read-models';
import { WEBHOOKS } from '#outbox';
import { SESSIONS as SESSION_DOCUMENTS } from '#ucp';
import { Pseudonyms, StoredTiles, TLOG_HEAD } from '#transparency';
import { CreateBooking } from '../../libs/booking/src/testing/index.js';
import { sampleFlight, sampleTimetable } from '../../libs/catalog/src/testing/index.js';
import { CreateMandate } from '../../libs/mandate/src/testing/index.js';
import {
  type BookedEvent,
  type Books,
  decode,
  type LedgerEntry,
  REFUND_ROWS,
  type RefundEntry,
} from '../support/books.js';
import { CountedIds } from '../support/counted-ids.js';
import { logicalProcess } from '../support/logical-process.js';
import { PRICE } from '../support/market.js';
import { MemoryDocuments } from '../../libs/documents/src/testing/index.js';
import { MemoryEventStore } from '../../libs/event-store/src/testing/index.js';
import { COLLECTIONS, type Stores } from '../support/shared-stores.js';
import { Scheduler } from './scheduler.js';
import { furnishShop, shopParts } from './shop.js';
import { SimulatedClock } from './simulated-clock.js';
import {
  AGENTS,
  BEGUN,
  BOOKINGS,
  DEPARTURE,
  detailsOf,
  MANDATES,
  peopleOf,
  PROMISE,
  REQUESTS,
  SEATS,
  SOON,
} from './world.js';

/** The key of everything that is keyed, the same in all lives. */
const SECRET = Buffer.alloc(32, 1);
/** What stands for streams in the log of logs: made once for all lives, whose streams have the same names. */
export const PSEUDONYMS = new Pseudonyms(SECRET);

export const PROJECTIONS = [
  openCheckoutsProjection,
  openMandatesProjection,
  mandatesProjection,
  ordersProjection,
  bookingsProjection,
  agentsProjection,
];

/** What an agent has, by place: see world.ts. */
export interface Belongings {
  readonly bookings: readonly string[];
  readonly mandates: readonly string[];
  /** The ids of the consent pages. */
  readonly requests: readonly string[];
}

/** The stores of one life, all in memory, and what stands in them when it begins. */
export class SimulatedStores implements Stores {
  readonly secret = SECRET;
  readModels: ReadModels;
  private readonly decoded: BookedEvent[] = [];
  private readonly ordered = new Set<string>();

  private constructor(
    readonly clock: SimulatedClock,
    readonly ids: CountedIds,
    readonly events: MemoryEventStore,
    readonly documents: MemoryDocuments,
    readonly readModelStore: MemoryDocuments,
    /** By agent. */
    readonly belongings: readonly Belongings[],
    /** The sessions of the platform by place, and the mandate that it was given. */
    readonly shop: { readonly sessions: readonly string[]; readonly mandateId: string },
  ) {
    this.readModels = this.openReadModels();
  }

  /** The beginning of every life: flight, agents, bookings, mandates and consent pages are there, and on the lists. */
  static async prepared(): Promise<SimulatedStores> {
    const scheduler = new Scheduler();
    const clock = new SimulatedClock(scheduler, null, () => 0);
    const documents = new MemoryDocuments(clock);
    const stores = new SimulatedStores(
      clock,
      new CountedIds(),
      new MemoryEventStore(),
      documents,
      new MemoryDocuments(clock),
      [],
      { sessions: [], mandateId: '' },
    );
    for (const spec of [...COLLECTIONS, SESSION_DOCUMENTS, WEBHOOKS, TLOG_HEAD]) await documents.prepare(spec);
    await new StoredTiles(stores.readModelStore).prepare();
    const within = async <Answer>(work: Promise<Answer>): Promise<Answer> => {
      let isOver = false;
      void work.finally(() => (isOver = true));
      await scheduler.run(() => isOver);
      return work;
    };
    const mandateId = stores.ids.next();
    const process = logicalProcess(stores, { settings: { promise: PROMISE }, others: shopParts(stores, mandateId) });
    const belongings = await within(stores.furnish(process));
    const sessions = await within(furnishShop(process, mandateId));
    await within(stores.readModels.start());
    await within(stores.readModels.caughtUp(stores.events.all.at(-1)?.position ?? ''));
    await within(stores.readModels.stop());
    return stores.copy(clock, belongings, { sessions, mandateId });
  }

  /** The same stores for another life, with a clock of its own. */
  copy(clock: SimulatedClock, belongings = this.belongings, shop = this.shop): SimulatedStores {
    return new SimulatedStores(
      clock,
      this.ids.copy(),
      this.events.copy(),
      this.documents.copy(clock),
      this.readModelStore.copy(clock),
      belongings,
      shop,
    );
  }

  /** Begins to keep the read models up with the log, as after a start of who does: what a process knew of them is forgotten. */
  async keepReadModels(projecting: Projecting): Promise<void> {
    this.readModels = this.openReadModels(projecting);
    await this.readModels.start();
  }

  /** Log and ledger as they stand. What was decoded once is not decoded again. */
  books(): Books {
    for (const stored of this.events.all.slice(this.decoded.length)) {
      const event = { ...decode(stored), stored };
      this.decoded.push(event);
      if (event.type === 'BookingCheckoutStarted') this.ordered.add(event.data.orderId);
    }
    const ledger = this.documents.bodies<LedgerEntry>(LEDGER.name);
    const strays = [...ledger.keys()].filter((orderId) => !this.ordered.has(orderId)).length;
    const refunds = this.documents.bodies<RefundEntry>(REFUND_ROWS);
    return { events: this.decoded, ledger, refunds, strays };
  }

  isCaptured(orderId: string): boolean {
    return this.documents.body(LEDGER.name, orderId)?.['status'] === 'captured';
  }

  isTicketed(bookingId: string): boolean {
    const stream = bookingStreams.streamOf(bookingId);
    return this.events.all.some((event) => event.stream === stream && event.type === 'BookingTicketed');
  }

  private openReadModels(projecting?: Projecting): ReadModels {
    const ignore = () => undefined; // they try again; whether they get there is judged in the end
    const { events, readModelStore, clock } = this;
    return new ReadModels(events, readModelStore, PROJECTIONS, clock, ignore, undefined, projecting);
  }

  private async furnish(process: ReturnType<typeof logicalProcess>): Promise<readonly Belongings[]> {
    const context = systemContext('a test');
    const { aggregates, clients, requests } = process;
    await process.prepare();
    await importCatalog(aggregates, [sampleTimetable({ seats: SEATS })]);
    const soon = sampleFlight({
      flightNumber: SOON,
      slug: SOON.toLowerCase(),
      seats: SEATS,
      departureDate: '2026-01-15',
      departureTime: '09:25',
      timeZone: 'America/Sao_Paulo',
    });
    await aggregates.handle(flights, SOON, { type: 'ScheduleFlight', flight: soon }, context);
    const belongings: Belongings[] = [];
    for (const party of AGENTS) {
      const authorize = { type: 'AuthorizeAgent', ...party, grantId: 'g', scopes: CHARGE_SCOPES } as const;
      await aggregates.handle(delegations, party, authorize, { ...context, actor: party });
      const client = { name: party.clientId, secretHash: null, redirectUris: [], pilot: false };
      await clients.add({ clientId: party.clientId, ...client });
      const bookings: string[] = [];
      for (const { seats: passengers, fare: fareCode, ...others } of BOOKINGS) {
        const bookingId = this.ids.next();
        const trip = { flightId: 'isSoon' in others ? SOON : DEPARTURE, fareCode, passengers };
        const people = 'isNamed' in others ? peopleOf(bookingId, passengers) : {};
        await process.createBooking.execute(new CreateBooking(bookingId, party, trip, context, {}, people));
        bookings.push(bookingId);
      }
      const mandates = MANDATES.map(() => this.ids.next());
      for (const place of BEGUN) {
        const { trips = 1, minutes = 60, constraints } = MANDATES[place] ?? {};
        const limit = money(trips * PRICE, 'BRL');
        const terms = { scope: CHARGE_SCOPES, limit, minutes, ...(constraints && { constraints }) };
        await process.createMandate.execute(new CreateMandate(mandates[place] ?? '', party, terms, context));
      }
      const pages: string[] = [];
      for (const places of REQUESTS) {
        const request = {
          clientId: party.clientId,
          redirectUri: 'http://127.0.0.1:8765/',
          state: null,
          codeChallenge: '',
          scopes: [...CHARGE_SCOPES],
          resources: [],
          prompt: [],
          loginSince: null,
          details: detailsOf(mandates, places, 3),
          approval: null,
        };
        pages.push(await requests.keep(request, null));
      }
      belongings.push({ bookings, mandates, requests: pages });
    }
    return belongings;
  }
}
