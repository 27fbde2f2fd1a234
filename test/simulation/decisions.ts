import { delegations, SetSpendingCap } from '#delegation';
import { idOf } from '#events';
import { type Money, money, newCause, type Party, plus, systemContext } from '#kernel';
import {
  ApproveMandate,
  type MandateAt,
  NarrowMandate,
  PauseMandate,
  ResumeMandate,
  RevokeMandate,
  statusOf,
} from '#mandate';
import { RevokeAgent } from '#oauth';
import { type Books, capturedOrders } from '../support/books.js';
import { PRICE } from '../support/market.js';
import type { Answered, Shown, Told } from './answered.js';
import type { SimulatedProcess } from './processes.js';
import { URLS } from './requests.js';
import type { Action } from './script.js';
import type { SimulatedStores } from './stores.js';
import { AGENTS, detailsOf, REQUESTS } from './world.js';

type Of<Do extends Action['do']> = Extract<Action, { do: Do }>;
/** What a traveller decides. */
export type Decision = Of<
  'revoke' | 'revoke agent' | 'pause' | 'resume' | 'narrow' | 'mode' | 'approve' | 'consent' | 'cap'
>;

const MINUTE = 60_000;
const CONTEXT = systemContext('a simulated decision');
const trips = (count: number): Money => money(count * PRICE, 'BRL');

/** Who decides, about which agent, through which process. */
interface Deciding {
  readonly process: SimulatedProcess;
  readonly agent: number;
  readonly party: Party;
}

/** What travellers decide about their agents and their mandates, and what has to hold once that was answered. */
export class Decisions {
  /** Requests that led to a code. */
  private readonly answeredRequests = new Set<string>();

  constructor(
    private readonly stores: SimulatedStores,
    private readonly answered: Answered,
  ) {}

  /** Carries a decision out, and keeps what the traveller is told. */
  carryOut(process: SimulatedProcess, agent: number, decision: Decision): Promise<void> {
    const party = AGENTS[agent] ?? AGENTS[0];
    const asked = this.askedFor(agent, decision);
    return this.answered.asked(party, asked, () => this.decide({ process, agent, party }, decision));
  }

  private async decide(deciding: Deciding, decision: Decision): Promise<Shown | null> {
    const { process, agent, party } = deciding;
    const { use } = process;
    switch (decision.do) {
      case 'revoke':
        return this.revoke(deciding, this.idOf(agent, decision.mandate));
      case 'revoke agent':
        await this.revokeAgent(deciding);
        return null;
      case 'pause':
        return this.pause(deciding, this.idOf(agent, decision.mandate));
      case 'resume': {
        const command = new ResumeMandate(this.idOf(agent, decision.mandate), party.holder, CONTEXT);
        return shown(await use.resumeMandate.execute(command));
      }
      case 'narrow':
        return this.narrow(deciding, decision);
      case 'mode': {
        const command = { type: 'SetApprovalMode', asksFirst: decision.asks } as const;
        await use.aggregates.handle(delegations, party, command, CONTEXT);
        return null;
      }
      case 'approve':
        return this.approve(deciding, decision);
      case 'consent':
        await this.consent(deciding, decision);
        return null;
      case 'cap':
        await this.cap(deciding, decision.trips === null ? null : decision.trips * PRICE);
        return null;
    }
  }

  /** What a decision asks for, as the judge is told it. */
  private askedFor(agent: number, decision: Decision): Told {
    switch (decision.do) {
      case 'revoke agent':
        return { did: decision.do };
      case 'mode':
        return { did: 'mode', asksFirst: decision.asks };
      case 'cap':
        return { did: 'cap', cap: decision.trips === null ? null : decision.trips * PRICE };
      case 'consent': {
        const { requests = [], mandates = [] } = this.stores.belongings[agent] ?? {};
        const requestId = requests[decision.request] ?? '';
        const places = REQUESTS[decision.request] ?? [];
        const granted = detailsOf(mandates, places, decision.trips).map(({ mandateId, limit }) => ({
          mandateId,
          limit: limit.amount,
        }));
        if (decision.decision === 'deny') return { did: 'deny', requestId, mandates: granted };
        const cap = typeof decision.cap === 'number' ? decision.cap * PRICE : decision.cap;
        return { did: 'consent', requestId, mandates: granted, cap, asksFirst: decision.asks };
      }
      default:
        return { did: decision.do, mandateId: this.idOf(agent, decision.mandate) };
    }
  }

  /** After a revocation is answered nothing more is captured, and its place in the delegation is free. */
  private async revoke({ process, party }: Deciding, mandateId: string) {
    const revoked = await process.use.revokeMandate.execute(new RevokeMandate(mandateId, party.holder, CONTEXT));
    this.expectClosed(mandateId);
    return shown(revoked);
  }

  /** After an agent's revocation is answered, so are all of its mandates. */
  private async revokeAgent({ process, agent, party }: Deciding): Promise<void> {
    const { length } = this.stores.books().events;
    await process.use.revokeAgent.execute(new RevokeAgent(party.holder, party.clientId, CONTEXT));
    const later = this.stores.books().events.slice(length);
    const again = later.some(({ type, stored }) => type === 'AgentAuthorized' && stored.stream === streamOf(party));
    if (again) return; // what came of the consent in between is another story
    for (const mandateId of this.stores.belongings[agent]?.mandates ?? []) this.expectClosed(mandateId);
  }

  private expectClosed(mandateId: string): void {
    const books = this.stores.books();
    const isOpened = books.events.some(({ type, data }) => type === 'MandateCreated' && data.mandateId === mandateId);
    const isClosed = books.events.some(({ type, data }) => type === 'MandateClosed' && data.mandateId === mandateId);
    if (!isOpened) return;
    if (!isClosed) this.answered.wrongs.push(`mandate ${mandateId} was revoked and not closed`);
    const { length } = capturedOrders(books, mandateId);
    this.answered.promise(
      `mandate ${mandateId} paid ${length} orders when its revocation was answered`,
      () => capturedOrders(this.stores.books(), mandateId).length === length,
    );
  }

  /** After a pause is answered, only what was reserved after a later resumption is captured (rule 29). */
  private async pause({ process, party }: Deciding, mandateId: string) {
    const before = this.stores.events.all.length;
    const told = shown(await process.use.pauseMandate.execute(new PauseMandate(mandateId, party.holder, CONTEXT)));
    const books = this.stores.books();
    const paused = books.events.flatMap(({ type, stored }, at) =>
      type === 'MandatePaused' && idOf(stored.stream) === mandateId ? [at] : [],
    );
    const since = paused.find((at) => at >= before) ?? paused.at(-1);
    if (since === undefined) return told; // it is over, or waits for its own approval
    const captured = capturedOrders(books, mandateId);
    this.answered.promise(`mandate ${mandateId} was paused at event ${since}`, () => {
      const now = this.stores.books();
      const later = capturedOrders(now, mandateId).filter((orderId) => !captured.includes(orderId));
      const reservedAt = (orderId: string) =>
        now.events.findIndex(({ type, data }) => type === 'MandateReserved' && data.orderId === orderId);
      return later.every((orderId) => reservedAt(orderId) > since);
    });
    return told;
  }

  /** After it is answered, the delegation counts no more of it than what it was narrowed to. */
  private async narrow({ process, agent, party }: Deciding, { mandate, ...to }: Of<'narrow'>) {
    const mandateId = this.idOf(agent, mandate);
    const terms = {
      ...(to.trips !== null && { limit: trips(to.trips) }),
      ...(to.minutes !== null && { expiresAt: plus(process.clock.now(), to.minutes * MINUTE) }),
    };
    const command = new NarrowMandate(mandateId, party.holder, terms, CONTEXT);
    const answer = await process.use.narrowMandate.execute(command);
    const { mandate: narrowed } = answer;
    const counted = this.countedOf(mandateId);
    if (counted !== null && counted > narrowed.limit.amount)
      this.answered.wrongs.push(`mandate ${mandateId} was narrowed and still counts ${counted}`);
    return shown(answer);
  }

  /** A mandate answered as granted was created. */
  private async approve({ process, agent, party }: Deciding, wanted: Of<'approve'>) {
    const mandateId = this.idOf(agent, wanted.mandate);
    const terms = { limit: trips(wanted.trips), minutes: wanted.minutes };
    const command = new ApproveMandate(mandateId, party.holder, terms, CONTEXT);
    const answer = await process.use.approveMandate.execute(command);
    if (answer.mandate.pending?.approved)
      this.answered.wrongs.push(`mandate ${mandateId} was answered as approved, and is not granted`);
    return shown(answer);
  }

  /** After a cap is answered, and until another one is set, no more is spent than it allows or was spent already. */
  private async cap({ process, party }: Deciding, cents: number | null): Promise<void> {
    const { holder, clientId } = party;
    const cap = cents === null ? null : money(cents, 'BRL');
    await process.use.setSpendingCap.execute(new SetSpendingCap(holder, clientId, cap, CONTEXT));
    const mandateIds = this.mandatesOf(party);
    const { length } = this.stores.events.all;
    this.answered.promise(`a cap of ${cents} was answered`, () => {
      const its = this.stores
        .books()
        .events.filter(({ stored }) => stored.stream === streamOf(party) || mandateIds.has(idOf(stored.stream)));
      const from = its.filter(({ stored }) => Number(stored.position) <= length).length;
      const spendings = spendingsUnder(its, from, cents);
      return spendings.every((spent) => spent <= Math.max(cents ?? 0, spendings[0] ?? 0));
    });
  }

  /** A consent is answered once with a code, and its mandates are as they were granted; a refused one grants nothing. */
  private async consent({ process, agent, party }: Deciding, decided: Of<'consent'>): Promise<void> {
    const { request, decision, cap, asks } = decided;
    const places = REQUESTS[request] ?? [];
    const { requests = [], mandates = [] } = this.stores.belongings[agent] ?? {};
    const requestId = requests[request] ?? '';
    const name = `request ${request} of ${party.holder} to ${party.clientId}`;
    const decider = { holder: party.holder, cause: newCause(this.stores.ids), urls: URLS };
    const its = places.map((place) => mandates[place] ?? '');
    if (decision === 'deny') {
      await process.use.consent.deny(requestId, decider);
      this.answered.promise(`${name} was refused`, () => this.createdOf(its).every((limit) => limit === null));
      return;
    }
    const details = detailsOf(mandates, places, decided.trips);
    const granted = { cap: typeof cap === 'number' ? trips(cap) : cap, asksFirst: asks, details };
    await process.use.consent.approve(requestId, decider, granted);
    if (this.answeredRequests.has(requestId)) this.answered.wrongs.push(`${name} led to two codes`);
    this.answeredRequests.add(requestId);
    const created = this.createdOf(its);
    const wanted = details.map(({ limit }) => limit.amount);
    if (created.join() !== wanted.join())
      this.answered.wrongs.push(`${name} granted ${created.join()}, and not ${wanted.join()}`);
  }

  private idOf(agent: number, place: number): string {
    return this.stores.belongings[agent]?.mandates[place] ?? '';
  }

  private mandatesOf({ holder, clientId }: Party): ReadonlySet<string> {
    const agent = AGENTS.findIndex((one) => one.holder === holder && one.clientId === clientId);
    return new Set(this.stores.belongings[agent]?.mandates);
  }

  /** What a mandate counts in its delegation now; null: nothing. */
  private countedOf(mandateId: string): number | null {
    let counted: number | null = null;
    for (const { type, data } of this.stores.books().events) {
      if (type === 'MandateOpened' || type === 'OpenMandateNarrowed')
        if (data.mandateId === mandateId) counted = data.limit.amount;
      if (type === 'MandateClosed' && data.mandateId === mandateId) counted = null;
    }
    return counted;
  }

  /** The ceilings with which mandates were created; null: it was not. */
  private createdOf(mandateIds: readonly string[]): readonly (number | null)[] {
    const { events } = this.stores.books();
    return mandateIds.map((mandateId) => {
      const created = events.flatMap(({ type, data }) =>
        type === 'MandateCreated' && data.mandateId === mandateId ? [data.limit.amount] : [],
      );
      return created[0] ?? null;
    });
  }
}

/** A mandate as its answer shows it. */
const shown = ({ mandate, at }: MandateAt): Shown => ({
  status: statusOf(mandate, at),
  limit: mandate.limit.amount,
  expiresAt: mandate.expiresAt,
});

const streamOf = (party: Party): string => delegations.streamOf(party);

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
