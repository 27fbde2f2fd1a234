import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Booking, List, Mandate, Money, Order, Refused } from '../support/answers.js';
import { apiAt } from '../support/agent.js';
import { brl, DECLINED_CARD, GOOD_CARD, TRIP_PRICE, wholeList } from '../support/purchase.js';
import type { Traveller } from '../support/consent.js';
import { KNOWN_PLATFORM } from '../support/ucp.js';
import type { Call, History, Outcome } from './history.js';
import type { Span } from './nemesis.js';

/** How long (ms) an agent waits for an answer before it takes it for lost, and before it asks the same again. */
export const [PATIENCE, PAUSE] = [6_000, 150];
/** A card whose refunds the test processor refuses. */
const NOTHING_BACK = { ...GOOD_CARD, cardNumber: '4000000000005126' };
/** Orders of one mandate, so that a checker has an end; its ceiling, in seats. */
const [ORDERS, SEATS] = [12, 9];

export interface Answered<Body> {
  readonly status: number | null;
  readonly body: Partial<Body & Refused>;
}

/** What those who share a traveller know of each other. */
export interface Household {
  readonly traveller: Traveller;
  readonly token: string;
  /** What platforms pay with, by mandate. */
  readonly pays: Map<string, string>;
  mandate: { readonly id: string; left: number } | null;
  /** While one of them gets a new one for all. */
  renewing: Promise<string | null> | null;
  /** All that they were ever granted. */
  readonly granted: string[];
  /** Orders that any of them was answered 201. */
  readonly paid: string[];
}

export interface World {
  readonly origins: readonly string[];
  /** Each with a date on which withdrawing gives everything back. */
  readonly flights: readonly { readonly flightNumber: string; readonly flightId: string; readonly date: string }[];
  readonly history: History;
  readonly random: () => number;
  /** How many orders each of them is at. */
  readonly ordering: Map<string, number>;
  /** Whether no new work is begun; and whether nobody waits for what was begun. */
  isOver: boolean;
  isGivenUp: boolean;
}

/** What was seen that no outcome of a call tells. */
export interface Sightings {
  /** Lists read, and those that lacked an order whose agent had been answered before. */
  lists: number;
  stale: number;
  /** Receipts read, and orders that were answered 201 and had none. */
  receipts: number;
  readonly missing: string[];
  /** Checkout sessions that were bought. */
  sessions: number;
  /** Those that the traveller bought on the page while their platform completed them. */
  pages: number;
  /** From the first answer to an order that was lost to the one that was final. */
  readonly recovered: Span[];
}

const UNDER_WAY: readonly (string | undefined)[] = ['idempotency_in_flight', 'order_in_progress'];

/** What an answer to an order tells of its money. */
const outcomeOf = (status: number | null, error: string | undefined): Outcome => {
  if (status === null || status >= 500) return 'unknown';
  if (status === 201) return 'paid';
  if (status === 402) return 'declined';
  if (UNDER_WAY.includes(error)) return 'none';
  if (error === 'mandate_limit_exceeded') return 'over the limit';
  return error === 'mandate_revoked' ? 'revoked' : 'refused';
};

/** What an answer to a confirmed cancellation tells of its money. */
const cancelledOf = (status: number | null, error: string | undefined): Outcome => {
  if (status === null || status >= 500) return 'unknown';
  if (status === 200) return 'refunded';
  return UNDER_WAY.includes(error) ? 'none' : 'refused';
};

interface Quote {
  readonly id: string;
  readonly refund: Money;
}

/** One sending of a purchase, and what was answered. */
interface Attempt {
  readonly status: number | null;
  readonly error: string | undefined;
  readonly outcome: Outcome;
  /** The order. */
  readonly id: string | undefined;
}

/** An order that was paid. */
interface Bought {
  readonly id: string;
  readonly intent: string;
}

/** An agent over HTTP, which asks one process and then the next, and insists until it knows. */
export class Agent {
  private turn = 0;
  private readonly paid: string[] = [];

  constructor(
    protected readonly name: string,
    protected readonly household: Household,
    protected readonly world: World,
    protected readonly sightings: Sightings,
  ) {}

  /** Buys, reads and revokes until it is told to stop, and ends what it has begun. */
  async work(): Promise<void> {
    const { world } = this;
    while (!world.isOver) {
      const mandate = await this.mandate();
      if (mandate === null) return;
      const chance = world.random();
      if (chance < 0.62) await this.buy(mandate);
      else if (chance < 0.9) await this.read(mandate);
      else if (chance < 0.97) await this.list();
      else await this.revoke(mandate);
    }
  }

  /** The mandate that its traveller's agents share now; a new one once it has been ordered with often enough. */
  private mandate(): Promise<string | null> {
    const { household } = this;
    if (household.mandate && household.mandate.left > 0) return Promise.resolve(household.mandate.id);
    household.renewing ??= this.renew().finally(() => (household.renewing = null));
    return household.renewing;
  }

  private async renew(): Promise<string | null> {
    const { household, world } = this;
    if (household.mandate) await this.revoke(household.mandate.id);
    const limit = SEATS * TRIP_PRICE;
    const granted = await this.insist<Mandate>('/mandates', { limit: brl(limit) });
    if (granted?.id === undefined) return null;
    world.history.grant(granted.id, limit);
    household.mandate = { id: granted.id, left: ORDERS };
    household.granted.push(granted.id);
    return granted.id;
  }

  private buy(mandate: string): Promise<void> {
    const { mandate: shared } = this.household;
    if (shared?.id === mandate) shared.left -= 1;
    return this.purchase(mandate);
  }

  protected async purchase(mandate: string): Promise<void> {
    const { household, world } = this;
    const passengers = 1 + Math.floor(world.random() * 3);
    const { flightNumber, date } = world.flights[Math.floor(world.random() * world.flights.length)] ?? {};
    const day = world.random() < 0.5 ? { date } : {};
    const booking = await this.insist<Booking>('/bookings', { flightNumber, fareCode: 'LEVE', passengers, ...day });
    if (booking?.id === undefined || booking.total === undefined) return;
    const card = world.random();
    const payment = card < 0.1 ? DECLINED_CARD : card < 0.15 ? NOTHING_BACK : GOOD_CARD;
    const order = await this.order(mandate, { id: booking.id, amount: booking.total.amount }, payment);
    if (order === null) return;
    this.paid.push(order.id);
    household.paid.push(order.id);
    await this.receipt(order.id);
    if (world.random() < 0.25) await this.cancel(mandate, order);
  }

  /** Cancels, with one key, until the answer is final. */
  private async cancel(mandate: string, { id: order, intent }: Bought): Promise<void> {
    const path = `/orders/${order}/cancellations`;
    const quote = await this.insist<Quote>(path, {});
    if (quote?.id === undefined || quote.refund === undefined) return;
    const { amount } = quote.refund;
    const key = randomUUID();
    for (;;) {
      const start = performance.now();
      const { status, body } = await this.send('POST', `${path}/${quote.id}/confirm`, {}, key);
      const outcome = cancelledOf(status, body.error);
      const what = { ...this.about('cancel', mandate, start), intent, amount, order };
      this.world.history.call({ ...what, status, error: body.error ?? null, outcome });
      if ((outcome !== 'unknown' && outcome !== 'none') || this.world.isGivenUp) return;
      await sleep(PAUSE);
    }
  }

  /** Orders, with one key, until the answer is final. Returns the order if it is paid. */
  private async order(
    mandate: string,
    booking: { readonly id: string; readonly amount: number },
    payment: object,
  ): Promise<Bought | null> {
    const intent = randomUUID();
    const request = { bookingId: booking.id, mandateId: mandate, payment };
    const order = await this.untilFinal({ mandate, intent, booking: booking.id, amount: booking.amount }, async () => {
      const { status, body } = await this.send<Order>('POST', '/orders', request, intent);
      return { status, error: body.error, outcome: outcomeOf(status, body.error), id: body.id };
    });
    return order === null ? null : { id: order, intent };
  }

  /** Attempts a purchase until what is answered is final, each attempt a line of the history. Returns the order if it is paid. */
  protected async untilFinal(
    purchase: Pick<Call, 'mandate' | 'intent' | 'booking' | 'amount'>,
    attempt: () => Promise<Attempt>,
  ): Promise<string | null> {
    let lostAt: number | null = null;
    for (;;) {
      const start = performance.now();
      const { status, error = null, outcome, id } = await attempt();
      const end = performance.now();
      const order = outcome === 'paid' && id !== undefined ? id : null;
      const call = { kind: 'order', agent: this.name, ...purchase, start, end, status, error, outcome } as const;
      this.world.history.call({ ...call, ...(order !== null && { order }) });
      if (outcome === 'unknown') lostAt ??= end;
      else if (outcome !== 'none') {
        if (lostAt !== null) this.sightings.recovered.push({ from: lostAt, to: end });
        return order;
      }
      if (this.world.isGivenUp) return null;
      await sleep(PAUSE);
    }
  }

  /** What a mandate says of itself, once: an answer that is lost tells nothing. */
  private async read(mandate: string): Promise<boolean> {
    const start = performance.now();
    const { status, body } = await this.send<Mandate>('GET', `/mandates/${mandate}`);
    if (status !== 200 || !body.consumed || !body.reserved) return false;
    const seen = {
      consumed: body.consumed.amount,
      reserved: body.reserved.amount,
      isRevoked: body.status === 'revoked',
    };
    this.world.history.call({ ...this.about('read', mandate, start), status, error: null, outcome: 'done', seen });
    return true;
  }

  /** What every mandate of its traveller says in the end, and that their list is complete; throws after `patience` ms. */
  async readAll(patience: number): Promise<void> {
    const deadline = performance.now() + patience;
    for (const mandate of this.household.granted)
      while (!(await this.read(mandate))) {
        if (performance.now() > deadline) throw new Error(`mandate ${mandate} cannot be read`);
        await sleep(PAUSE);
      }
    while (!(await this.isAllListed())) {
      if (performance.now() > deadline) throw new Error('the list of orders stays behind');
      await sleep(PAUSE);
    }
  }

  /** Whether the list has every order that was answered 201. */
  private async isAllListed(): Promise<boolean> {
    const { household, world } = this;
    const api = apiAt(world.origins[0] ?? '', household.token);
    const orders = await wholeList<Order>(api, '/orders').catch(() => []);
    const listed = new Set(orders.map(({ id }) => id));
    return household.paid.every((order) => listed.has(order));
  }

  private async revoke(mandate: string): Promise<void> {
    const { household, world } = this;
    if (household.mandate?.id === mandate) household.mandate.left = 0;
    for (;;) {
      const start = performance.now();
      const { status, body } = await this.send('DELETE', `/mandates/${mandate}`);
      const outcome = status === 200 ? 'done' : 'unknown';
      world.history.call({ ...this.about('revoke', mandate, start), status, error: body.error ?? null, outcome });
      if (outcome === 'done' || world.isGivenUp) return;
      await sleep(PAUSE);
    }
  }

  /** Whether the list has what this agent was told before it asked: a list may be behind, and is counted. */
  private async list(): Promise<void> {
    const told = this.paid.at(-1);
    const { status, body } = await this.send<List<Order>>('GET', '/orders?limit=500');
    if (status !== 200 || told === undefined || !body.items) return;
    const isStale = !body.items.some(({ id }) => id === told);
    this.world.history.list(this.name, isStale);
    this.sightings.lists += 1;
    if (isStale) this.sightings.stale += 1;
  }

  /** Whoever was answered 201 has a receipt at once, in every process. */
  private async receipt(order: string): Promise<void> {
    for (;;) {
      const { status } = await this.send('GET', `/orders/${order}/receipt`);
      if (status === 200) this.sightings.receipts += 1;
      else if (status !== null && status < 500) this.sightings.missing.push(order);
      else if (!this.world.isGivenUp) {
        await sleep(PAUSE);
        continue;
      }
      return;
    }
  }

  /** Asks for something to be created, with one key, until it is; null where that was given up, or a cancellation is refused. */
  protected async insist<Body>(path: string, request: object): Promise<Partial<Body> | null> {
    const key = randomUUID();
    for (;;) {
      const { status, body } = await this.send<Body>('POST', path, request, key);
      if (status === 201) return body;
      if (this.world.isGivenUp || body.error === 'order_not_cancellable') return null;
      await sleep(PAUSE);
    }
  }

  private about(
    kind: 'cancel' | 'read' | 'revoke',
    mandate: string,
    start: number,
  ): Omit<Call, 'status' | 'error' | 'outcome'> {
    return { kind, agent: this.name, mandate, intent: '', booking: '', amount: 0, start, end: performance.now() };
  }

  protected origin(): string {
    const { origins } = this.world;
    return origins[(this.turn += 1) % origins.length] ?? '';
  }

  protected async send<Body>(method: string, path: string, body?: object, key?: string): Promise<Answered<Body>> {
    const { ordering } = this.world;
    const origin = this.origin();
    const isUcp = path.startsWith('/ucp/');
    const isOrder = method === 'POST' && (path === '/orders' || path.endsWith('/complete'));
    const count = (more: number) => isOrder && ordering.set(origin, (ordering.get(origin) ?? 0) + more);
    count(1);
    try {
      const response = await fetch(`${origin}${isUcp ? '' : '/api/v1'}${path}`, {
        method,
        signal: AbortSignal.timeout(PATIENCE),
        headers: {
          authorization: `Bearer ${this.household.token}`,
          ...(isUcp && { 'ucp-agent': `profile="${KNOWN_PLATFORM}"` }),
          ...(body && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Partial<Body & Refused> };
    } catch {
      return { status: null, body: {} };
    } finally {
      count(-1);
    }
  }
}
