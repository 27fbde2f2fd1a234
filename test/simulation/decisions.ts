import { delegations } from '#delegation';
import { idOf } from '#events';
import { baseUrlsAt } from '#http';
import { CHARGE_SCOPES, money, newCause, plus } from '#kernel';
import { type Books, capturedOrders } from '../support/books.js';
import type { LogicalProcess } from '../support/logical-process.js';
import { AGENT, type Market, PRICE } from '../support/market.js';
import type { Answered } from './answered.js';
import type { Action } from './script.js';
import { MANDATES, REQUESTS } from './world.js';

type Of<Do extends Action['do']> = Extract<Action, { do: Do }>;

const MINUTE = 60_000;
const URLS = baseUrlsAt('http://127.0.0.1:3000');

/** What the traveller decides about the agent and its mandates, and what has to hold once that was answered. */
export class Decisions {
  /** The ids of the consent pages, by place; those that led to a code. */
  private readonly requests: string[] = [];
  private readonly answeredRequests = new Set<number>();

  constructor(
    private readonly market: Market,
    private readonly answered: Answered,
    private readonly mandates: readonly string[],
  ) {}

  /** The agent asks for mandates by authorization details, and waits for the traveller's answer. */
  async keepRequests({ clients, requests }: LogicalProcess): Promise<void> {
    await clients.add({ ...AGENT, name: 'Pilot', secretHash: null, redirectUris: [], pilot: false });
    for (const places of REQUESTS)
      this.requests.push(
        await requests.keep({
          clientId: AGENT.clientId,
          redirectUri: 'http://127.0.0.1:8765/',
          state: null,
          codeChallenge: '',
          scopes: [...CHARGE_SCOPES],
          resources: [],
          prompt: [],
          loginSince: null,
          details: this.detailsOf(places, 3),
          approval: null,
        }),
      );
  }

  /** After a pause is answered, only what was reserved after a later resumption is captured (rule 29). */
  async pause(process: LogicalProcess, place: number): Promise<void> {
    const mandateId = this.idOf(place);
    const before = (await this.market.books()).events.length;
    await this.market.pause(process, mandateId);
    const books = await this.market.books();
    const paused = books.events.flatMap(({ type, stored }, at) =>
      type === 'MandatePaused' && idOf(stored.stream) === mandateId ? [at] : [],
    );
    const since = paused.find((at) => at >= before) ?? paused.at(-1);
    if (since === undefined) return; // it is over, or waits for its own approval
    const captured = capturedOrders(books, mandateId);
    this.answered.promise(`mandate ${mandateId} was paused at event ${since}`, async () => {
      const now = await this.market.books();
      const reserved = now.events.findIndex.bind(now.events);
      return capturedOrders(now, mandateId)
        .filter((orderId) => !captured.includes(orderId))
        .every(
          (orderId) => reserved(({ type, data }) => type === 'MandateReserved' && data.orderId === orderId) > since,
        );
    });
  }

  async resume(process: LogicalProcess, place: number): Promise<void> {
    await this.market.resume(process, this.idOf(place));
  }

  /** After it is answered, the delegation counts no more of it than what it was narrowed to. */
  async narrow(process: LogicalProcess, { mandate, trips, minutes }: Of<'narrow'>): Promise<void> {
    const mandateId = this.idOf(mandate);
    const terms = {
      ...(trips !== null && { limit: money(trips * PRICE, 'BRL') }),
      ...(minutes !== null && { expiresAt: plus(this.market.stores.clock.now(), minutes * MINUTE) }),
    };
    const { mandate: narrowed } = await this.market.narrow(process, mandateId, terms);
    const { state } = await this.market.process().aggregates.load(delegations, AGENT);
    const counted = state.status === 'unknown' ? undefined : state.openMandates[mandateId];
    if (counted && counted.limit.amount > narrowed.limit.amount)
      this.answered.wrongs.push(`mandate ${mandateId} was narrowed and still counts ${counted.limit.amount}`);
  }

  /** After a cap is answered, and until another one is set, no more is spent than it allows or was spent already. */
  async cap(process: LogicalProcess, cents: number | null): Promise<void> {
    await this.market.setCap(process, cents === null ? null : money(cents, 'BRL'));
    const { length } = (await this.market.books()).events;
    this.answered.promise(`a cap of ${cents} was answered`, async () => {
      const spendings = spendingsUnder((await this.market.books()).events, length, cents);
      return spendings.every((spent) => spent <= Math.max(cents ?? 0, spendings[0] ?? 0));
    });
  }

  /** A mandate answered as granted was created. */
  async approve(process: LogicalProcess, { mandate, trips, minutes }: Of<'approve'>): Promise<void> {
    const mandateId = this.idOf(mandate);
    const { mandate: approved } = await this.market.approve(process, mandateId, money(trips * PRICE, 'BRL'), minutes);
    const isOpen = approved.pending?.approved;
    if (isOpen) this.answered.wrongs.push(`mandate ${mandateId} was answered as approved, and is not granted`);
  }

  /** A consent is answered once with a code, and its mandates are as they were granted; a refused one grants nothing. */
  async consent(process: LogicalProcess, { request, decision, trips, cap, asks }: Of<'consent'>): Promise<void> {
    const places = REQUESTS[request] ?? [];
    const requestId = this.requests[request] ?? '';
    const decider = { holder: AGENT.holder, cause: newCause(this.market.stores.ids), urls: URLS };
    if (decision === 'deny') {
      await process.consent.deny(requestId, decider);
      this.answered.promise(`request ${request} was refused`, async () => {
        const created = await this.createdOf(places);
        return created.every((limit) => limit === null);
      });
      return;
    }
    const details = this.detailsOf(places, trips);
    const granted = { cap: typeof cap === 'number' ? money(cap * PRICE, 'BRL') : cap, asksFirst: asks, details };
    await process.consent.approve(requestId, decider, granted);
    if (this.answeredRequests.has(request)) this.answered.wrongs.push(`request ${request} led to two codes`);
    this.answeredRequests.add(request);
    const created = await this.createdOf(places);
    const wanted = details.map(({ limit }) => limit.amount);
    if (created.join() !== wanted.join())
      this.answered.wrongs.push(`request ${request} granted ${created.join()}, and not ${wanted.join()}`);
  }

  private idOf(place: number): string {
    return this.mandates[place] ?? '';
  }

  /** The details of a request, each up to so many trips. */
  private detailsOf(places: readonly number[], atMost: number) {
    return places.map((place) => {
      const { trips = 1, minutes = 60, constraints } = MANDATES[place] ?? {};
      const limit = money(Math.min(trips, atMost) * PRICE, 'BRL');
      const terms = { mandateId: this.idOf(place), scope: [...CHARGE_SCOPES], limit, minutes };
      return { ...terms, ...(constraints && { constraints }), purpose: 'Férias' };
    });
  }

  /** The ceilings with which mandates were created; null: it was not. */
  private async createdOf(places: readonly number[]): Promise<readonly (number | null)[]> {
    const { events } = await this.market.books();
    return places.map((place) => {
      const created = events.flatMap(({ type, data }) =>
        type === 'MandateCreated' && data.mandateId === this.idOf(place) ? [data.limit.amount] : [],
      );
      return created[0] ?? null;
    });
  }
}

/**
 * What counts as spent (in cents) at the `from`-th event and after each that follows, for as long as this cap is in force:
 * all but what mandates had consumed that were closed before the first cap. Empty where another cap is in force.
 */
const spendingsUnder = (events: Books['events'], from: number, cents: number | null): readonly number[] => {
  const spendings: number[] = [];
  const consumed = new Map<string, number>();
  const exempt = new Set<string>();
  let cap: number | null = null;
  let hasBegun = false;
  for (const [place, { type, data, stored }] of events.entries()) {
    if (type === 'MandateConsumed') {
      const id = idOf(stored.stream);
      consumed.set(id, (consumed.get(id) ?? 0) + data.amount.amount);
    }
    if (type === 'MandateClosed' && !hasBegun) exempt.add(data.mandateId);
    if (type === 'SpendingCapSet') {
      cap = data.cap?.amount ?? null;
      hasBegun ||= cap !== null;
    }
    if (place < from - 1) continue;
    if (cap === null || cap !== cents) break;
    spendings.push([...consumed].reduce((sum, [id, amount]) => (exempt.has(id) ? sum : sum + amount), 0));
  }
  return spendings;
};
